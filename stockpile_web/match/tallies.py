"""Sums of results, written with each result: how people did, and how they did against each other.

A match is added once, in the transaction that notes its places. Rows are written in the order of
their keys: two matches that end at once wait for each other, and never both.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from sqlalchemy import Connection, case, delete, select
from sqlalchemy.orm import Session

from stockpile_web.games import GAMES
from stockpile_web.match.options import options_of
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.storage.models.tallies import ANY_GAME, ANY_RULE, ANY_SIZE, Rival, Tally
from stockpile_web.storage.upserts import insert_into

_ADDED = ("played", "won", "places", "scores", "thinking_seconds", "turns_timed")
_MET = ("met", "ahead", "behind")


def add(connection: Connection, match: MatchRow, seats: list[SeatRow]) -> None:
    """Add a match that is over to the sums of those who sat there; practice does not count."""
    if match.practice:
        return
    players = [seat for seat in seats if _counts(seat)]
    players.sort(key=lambda seat: seat.user_id or 0)
    tallies = [row for seat in players for row in _tallies(match, seat)]
    if tallies:
        connection.execute(_adding_up(connection), tallies)
    meetings = [_meeting(match, *pair) for pair in permutations(players, 2)]
    if meetings:
        connection.execute(_meeting_again(connection), meetings)


def forget(session: Session, user_id: int) -> None:
    """Remove the sums of somebody who has left, also from those of the others."""
    met = select(Rival.rival_id).where(Rival.user_id == user_id)
    session.execute(delete(Rival).where(Rival.user_id.in_(met), Rival.rival_id == user_id))
    for kind in (Rival, Tally):
        session.execute(delete(kind).where(kind.user_id == user_id))


def _counts(seat: SeatRow) -> bool:
    """Tell whether a person sat here to the end, who has not left the site before it."""
    is_person = seat.user_id is not None and seat.name != FORMER_PLAYER
    return is_person and seat.place is not None


def _tallies(match: MatchRow, seat: SeatRow) -> Iterator[dict[str, Any]]:
    """Return what a match adds to each of the sums of a player."""
    won = int(seat.place == 1)
    added = {
        "user_id": seat.user_id,
        "played": 1,
        "won": won,
        "places": seat.place,
        "scores": seat.score or 0,
        "best": seat.score or 0,
        "thinking_seconds": seat.thinking_seconds,
        "turns_timed": seat.turns_timed,
        "streak": won,
        "longest_streak": won,
    }
    yield {**added, "game": ANY_GAME, "size": ANY_SIZE, "rule": ANY_RULE}
    switches = {option.key for option in GAMES[match.game].OPTIONS if option.numbers is None}
    for rule in (ANY_RULE, *sorted(switches & options_of(match).keys())):
        yield {**added, "game": match.game, "size": match.size, "rule": rule}


def _adding_up(connection: Connection) -> Any:
    insert = insert_into(Tally, connection.dialect)
    new = insert.excluded
    streak = case((new.won == 1, Tally.streak + 1), else_=0)
    return insert.on_conflict_do_update(
        index_elements=["user_id", "game", "size", "rule"],
        set_={
            **{name: getattr(Tally, name) + new[name] for name in _ADDED},
            "best": _larger(Tally.best, new.best),
            "streak": streak,
            "longest_streak": _larger(Tally.longest_streak, streak),
        },
    )


def _meeting(match: MatchRow, mine: SeatRow, theirs: SeatRow) -> dict[str, Any]:
    ahead = (mine.place or 0) < (theirs.place or 0)
    behind = (mine.place or 0) > (theirs.place or 0)
    listed = int(match.listed)
    return {
        "user_id": mine.user_id,
        "rival_id": theirs.user_id,
        "met": 1,
        "ahead": int(ahead),
        "behind": int(behind),
        "listed_met": listed,
        "listed_ahead": listed * ahead,
        "listed_behind": listed * behind,
    }


def _meeting_again(connection: Connection) -> Any:
    insert = insert_into(Rival, connection.dialect)
    counts = [f"{kind}{name}" for kind in ("", "listed_") for name in _MET]
    return insert.on_conflict_do_update(
        index_elements=["user_id", "rival_id"],
        set_={name: getattr(Rival, name) + insert.excluded[name] for name in counts},
    )


def _larger(one: Any, other: Any) -> Any:
    """Return the larger of two: the databases have different words for it."""
    return case((one > other, one), else_=other)
