"""Where rounds and phases begin: kept with the moves, so that a reader can jump there at once."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from stockpile_web.engine import Game, codec
from stockpile_web.games import GAMES
from stockpile_web.match.rows import MatchRow
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.models.history import Chapter

ROUNDS_AROUND = 12  # Most matches have no more in all.

_WRITE = Statement(insert(Chapter), Chapter.__table__.c.keys())
_FIRST = func.min(Chapter.number)
_READ = Statement(
    select(_FIRST, Chapter.round, Chapter.phase)
    .where(
        Chapter.match_id == bindparam("match_id"),
        Chapter.round.between(bindparam("first"), bindparam("last")),
    )
    .group_by(Chapter.round, Chapter.phase)
    .order_by(_FIRST),
    alone=True,
)


class PhaseStart(NamedTuple):
    """The first turn of a phase in a round."""

    number: int
    title: str


def write(connection: Connection, chapters: list[dict[str, Any]]) -> None:
    """Keep where chapters begin."""
    _WRITE.run(connection, *chapters)


def forget(connection: Connection, match_id: int, number: int) -> None:
    """Forget the chapters that began with a move or later: they will begin anew."""
    gone = (Chapter.match_id == match_id, Chapter.number >= number)
    connection.execute(delete(Chapter).where(*gone))


def of_states(match_id: int, game: Game, states: Iterable[str]) -> list[dict[str, Any]]:
    """Return where chapters begin, given the states after all moves of a match."""
    found: list[dict[str, Any]] = []
    before: tuple[int, str] | None = None
    for number, text in enumerate(states):
        state = codec.load(game.State, text)
        if (state.round, state.phase) != before:
            before = state.round, state.phase
            begun = {"match_id": match_id, "number": number}
            found.append({**begun, "round": state.round, "phase": state.phase})
    return found


def read(connection: Connection, match: MatchRow, near: int) -> dict[int, list[PhaseStart]]:
    """Return the first turn of each phase in the rounds near one; those with one name are one."""
    titles = GAMES[match.game].PHASES
    rounds: dict[int, dict[str, PhaseStart]] = {}
    around = {"first": near - ROUNDS_AROUND, "last": near + ROUNDS_AROUND}
    for number, in_round, phase in _READ.rows(connection, match_id=match.id, **around):
        title = titles[phase]
        rounds.setdefault(in_round, {}).setdefault(title, PhaseStart(number, title))
    return {in_round: [*phases.values()] for in_round, phases in rounds.items()}
