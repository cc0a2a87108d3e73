"""The end of a round and of the game: what portfolios are worth, and who has won."""

from collections import Counter

from stockpile_web.engine import Dealer, Facts, Result, Score
from stockpile_web.games.stonks.data import CARDS, COMPANIES, Card, Company
from stockpile_web.games.stonks.state import OVER, Player, State


def stocks(cards: list[Card]) -> dict[Company, int]:
    """Count the stocks on cards, by company in the order of the box."""
    found: Counter[Company] = Counter()
    for card in cards:
        found[CARDS[card].company] += CARDS[card].stocks
    return {company: found[company] for company in COMPANIES if found[company]}


def score(state: State, dealer: Dealer) -> None:
    """Turn up every portfolio and add up what its stocks are worth at the market's end."""
    trump = state.tile(state.trump())
    for seat, player in enumerate(state.players):
        lines: list[Facts] = [
            _line("stocks", state, company, number, state.tile(company).value)
            for company, number in stocks([*player.portfolio, *player.hidden]).items()
        ]
        if player.speculation:
            lines.append(_line("speculation", state, trump.company, 1, trump.value))
        money = sum(line["money"] for line in lines)
        player.score += money
        player.lines += lines
        dealer.turn_up(
            "round_scored", seat=seat, round=state.round, hidden=player.hidden[:], lines=lines,
            money=money,
        )  # fmt: skip
        player.portfolio += player.hidden
        player.hidden = []


def result(state: State) -> Result | None:
    """Rank by points, then by fewest cards and fewest stocks in the last portfolio."""
    if state.phase != OVER:
        return None
    ranks = [_rank(player) for player in state.players]
    places = [1 + sum(other < rank for other in ranks) for rank in ranks]
    return Result(places, [Score(player.score, player.lines[:]) for player in state.players])


def _line(kind: str, state: State, company: Company, number: int, value: int) -> Facts:
    return {
        "kind": kind,
        "round": state.round,
        "company": company,
        "stocks": number,
        "value": value,
        "money": number * value,
    }


def _rank(player: Player) -> tuple[int, int, int]:
    """Smaller is better; an unused Speculation Card counts as a card and as a stock."""
    shares = sum(CARDS[card].stocks for card in player.portfolio)
    unused = int(player.speculation)
    return -player.score, player.cards() + unused, shares + unused
