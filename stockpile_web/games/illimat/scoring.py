"""The end of a round and of the game: what harvest piles score, and who has won."""

from collections.abc import Callable

from stockpile_web.engine import Dealer, Facts, Result, Score, Seat, ask
from stockpile_web.games.illimat.data import BUMPER_CROP, FROSTBIT, SUMMER, SUNKISSED, WINTER
from stockpile_web.games.illimat.luminaries import LUMINARIES, Luminary
from stockpile_web.games.illimat.pile import in_order
from stockpile_web.games.illimat.state import OVER, Player, State

NOWHERE = -1  # Where a Luminary is at home that was claimed.


def score(state: State, dealer: Dealer) -> None:
    """Show all harvest piles and count them: all that is gained first, then the frost."""
    crop = _most(state, lambda player: len(player.pile()))
    sun = _most(state, lambda player: player.of_suit(SUMMER))
    frost = _most(state, lambda player: player.of_suit(WINTER), is_good=False)
    for seat, player in enumerate(state.players):
        points = {
            "bumper_crop": BUMPER_CROP * (seat == crop),
            "sunkissed": SUNKISSED * (seat == sun),
            "fools": player.fools(),
            "okuses": player.okuses,
            "luminaries": len(player.luminaries),
        }
        gained = sum(points.values())
        if seat == frost:
            claimed = (LUMINARIES[key](NOWHERE) for key in player.luminaries)
            frostbit = ask(claimed, Luminary.frostbit, FROSTBIT)
            points["frostbit"] = max(frostbit, -player.score - gained)
        lines: list[Facts] = [
            {"kind": kind, "round": state.round, "money": money}
            for kind, money in points.items()
            if money or kind == "frostbit"
        ]
        money = sum(points.values())
        player.score += money
        player.lines += lines
        dealer.turn_up(
            "round_scored", seat=seat, round=state.round, cards=in_order(player.pile()),
            lines=lines, money=money,
        )  # fmt: skip


def is_last_round(state: State) -> bool:
    """Tell whether the game ends with the round that was scored."""
    return state.is_single or any(player.score >= state.target for player in state.players)


def result(state: State) -> Result | None:
    """Rank by points, then by Luminaries, okuses and Fools of the last round."""
    if state.phase != OVER:
        return None
    ranks = [_rank(player) for player in state.players]
    places = [1 + sum(other > rank for other in ranks) for rank in ranks]
    return Result(places, [Score(player.score, player.lines[:]) for player in state.players])


def _most(state: State, count: Callable[[Player], int], is_good: bool = True) -> Seat | None:
    """Return who has most of something, if any.

    A tie goes to whoever has more Luminaries, without those more okuses; misfortune to whoever has
    fewer. If that is a tie too, to nobody.
    """
    counts = [count(player) for player in state.players]
    if not (most := max(counts)):
        return None
    tied = [seat for seat, number in enumerate(counts) if number == most]
    claims = {seat: _claims(state, state.players[seat]) for seat in tied}
    best = max(claims.values()) if is_good else min(claims.values())
    chosen = [seat for seat in tied if claims[seat] == best]
    return chosen[0] if len(chosen) == 1 else None


def _claims(state: State, player: Player) -> int:
    return len(player.luminaries) if state.has_luminaries else player.okuses


def _rank(player: Player) -> tuple[int, int, int, int]:
    return player.score, len(player.luminaries), player.okuses, player.fools()
