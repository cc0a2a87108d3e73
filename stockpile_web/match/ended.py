"""A match that has ended, as lists show it: who sat there, how they did, how close it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from stockpile_web.engine import Game
from stockpile_web.engine.options import applying, read, titles
from stockpile_web.games import GAMES
from stockpile_web.match.rows import SEAT_NAME
from stockpile_web.storage.models.matches import OVER, Match, Seat, title_of
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated


class Player(NamedTuple):
    """Somebody who sat at a table to its end; the place is None while it is not known."""

    name: str
    place: int | None
    score: int | None
    is_bot: bool
    score_in_words: str = ""  # As the game writes it.

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)

    @property
    def has_won(self) -> bool:
        """Tell whether nobody was ahead of them."""
        return self.place == 1


@dataclass(frozen=True)
class Ended:
    """A match that has ended, as lists show it."""

    id: int
    name: str
    game: str
    rules: list[str]
    size: int
    is_over: bool  # And was not closed.
    is_practice: bool
    ended_at: datetime
    moves: int
    margin: int | None
    players: list[Player]  # The best first.

    @property
    def title(self) -> str:
        """What the table is called."""
        return title_of(self.name, self.id)

    @property
    def winners(self) -> list[Player]:
        """Those who share the first place; none while places are not known."""
        return [player for player in self.players if player.has_won]

    @property
    def lead(self) -> str:
        """How close it was, in words."""
        if self.margin is None:
            return ""
        if self.margin == 0:
            return "a shared win" if len(self.winners) > 1 else "level: the tie-break decided"
        return f"{GAMES[self.game].score_in_words(self.margin)} ahead"


def read_ended(connection: Connection, entries: Sequence[Row[Any]]) -> list[Ended]:
    """Read what else lists show of some matches: names, and who sat there."""
    if not entries:
        return []
    ids = [entry.match_id for entry in entries]
    seats = connection.execute(
        select(
            Seat.match_id, SEAT_NAME.label("player"), Seat.place, Seat.score, Seat.user_id,
            Match.name, Match.practice,
        )
        .join(Match, Match.id == Seat.match_id)
        .outerjoin(User, User.id == Seat.user_id)
        .where(Seat.match_id.in_(ids))
        .order_by(Seat.match_id, Seat.place, Seat.number)
    )  # fmt: skip
    by_match = {key: list(rows) for key, rows in groupby(seats, lambda row: row.match_id)}
    return [_ended(entry, by_match[entry.match_id]) for entry in entries]


def _ended(entry: Row[Any], seats: Sequence[Row[Any]]) -> Ended:
    game = GAMES[entry.game]
    return Ended(
        id=entry.match_id,
        name=seats[0].name,
        game=entry.game,
        rules=titles(game, applying(game, read(entry.options.split()), entry.size)),
        size=entry.size,
        is_over=entry.status == OVER,
        is_practice=seats[0].practice,
        ended_at=entry.ended_at,
        moves=entry.moves,
        margin=None if entry.closeness is None else -entry.closeness,
        players=[_player(game, seat) for seat in seats],
    )


def _player(game: Game, seat: Row[Any]) -> Player:
    words = "" if seat.score is None else game.score_in_words(seat.score)
    return Player(seat.player, seat.place, seat.score, seat.user_id is None, words)
