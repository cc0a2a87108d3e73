"""What the bots of a table say of themselves."""

from collections.abc import Iterable
from typing import NamedTuple

from stockpile_web.engine import Game
from stockpile_web.match.rows import SeatRow


class Speaker(NamedTuple):
    """What kind of player some bots of a table are, in one line of their own."""

    names: list[str]
    title: str
    says: str


def speakers_of(game: Game, seats: Iterable[SeatRow]) -> list[Speaker]:
    """Let bots say what they are, once for each kind; not those that stand in for somebody."""
    kinds: dict[str, list[str]] = {}
    for seat in seats:
        if seat.user_id is None and seat.bot in game.BOTS:
            kinds.setdefault(seat.bot, []).append(seat.shown_name)
    return [
        Speaker(names, game.BOTS[kind].title, game.BOTS[kind].says) for kind, names in kinds.items()
    ]
