"""Which twists are in play: the modules of the table, and the investors of a seat.

The two tables are filled by the packages `modules` and `investors`: their rules lean on the
phases, and the phases on this file.
"""

from functools import cache

from stockpile_web.engine import Seat, ask
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist

MODULES: dict[str, Twist] = {}
POWERS: dict[str, Twist] = {}


def in_play(state: State, seat: Seat) -> tuple[Twist, ...]:
    """Return the modules in the order of the box, then the powers of the investors of `seat`."""
    if not state.modules:
        return ()
    return _in_play(state.modules, state.players[seat].investors)


def ask_players(state: State) -> bool:
    """Tell whether any module gives players something to decide beyond the base game."""
    return bool(state.modules) and _ask_players(state.modules)


@cache
def _ask_players(modules: tuple[str, ...]) -> bool:
    kinds = [type(MODULES[key]) for key in modules]
    return any(kind.moves is not Twist.moves for kind in kinds)


def of_table(state: State) -> tuple[Twist, ...]:
    """Return the modules alone."""
    return _in_play(state.modules, ()) if state.modules else ()


@cache
def _in_play(modules: tuple[str, ...], investors: tuple[str, ...]) -> tuple[Twist, ...]:
    powers = [power for key, power in POWERS.items() if key in investors]
    return (*(MODULES[key] for key in modules), *powers)


def bid_track(state: State, seat: Seat) -> tuple[int, ...]:
    """Return what `seat` pays on each space of a bidding track."""
    if not state.modules:
        return BID_TRACK
    return _bid_track(in_play(state, seat))


@cache
def _bid_track(twists: tuple[Twist, ...]) -> tuple[int, ...]:
    prices: tuple[int, ...] = BID_TRACK
    for twist in twists:
        prices = twist.bid_track(prices)
    return prices


def strategies_left(state: State, seat: Seat) -> int:
    """Return how many strategies `seat` may still play this round."""
    a_round = ask(in_play(state, seat), Twist.strategies_a_round, 1)
    return a_round - state.players[seat].strategies_played
