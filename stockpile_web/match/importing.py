"""Matches of other servers, or of this one, brought in as files: read-only, and found honest.

Frames are rebuilt by the check, which replays the match; so a file whose rules this server does not
have cannot be brought in. Players are names and nothing more: no account of this server is meant.
"""

import secrets
import zlib
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from stockpile_web.engine import codec
from stockpile_web.engine.options import applying, read, write
from stockpile_web.games import GAMES
from stockpile_web.match import chapters, match_file, naming, results
from stockpile_web.match.checking import check
from stockpile_web.match.exporting import MADE_BY
from stockpile_web.match.match_file import MatchFile, NotReadable
from stockpile_web.match.rows import SeatRow, read_match, write_match, write_moves, write_seats
from stockpile_web.match.seating import INVITATION_LENGTH
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.storage import names, snapshots
from stockpile_web.storage.database import now
from stockpile_web.storage.models.fairness import ImportedFile
from stockpile_web.storage.models.matches import OVER, Match, title_of
from stockpile_web.storage.models.people import Person
from stockpile_web.storage.transactions import transaction

MOST_FILES = 100  # Of one person.
MOST_MOVES = 3000  # Several times as many as a long match has: a replay takes seconds at the most.
_YEARS = range(2000, 2200)  # Others can be written, but not in every time zone.


class Imported(NamedTuple):
    """A match that somebody has brought in."""

    match_id: int
    title: str
    game: str
    ended_at: datetime | None


def import_file(text: bytes, person: Person) -> int:
    """Make a read-only match of a file, and return its number; NotReadable says why not."""
    file = match_file.read(text)
    _refuse_what_cannot_be_shown(file)
    verdict = check(file)
    if not verdict.is_honest:
        wrong = next(line.text for line in verdict.lines if not line.is_right)
        raise NotReadable(f"Only what was found honest is brought in. {wrong}")
    packed = zlib.compress(text)
    with transaction() as connection:
        theirs = select(ImportedFile.match_id).where(ImportedFile.user_id == person.id)
        known = connection.scalar(theirs.where(ImportedFile.packed == packed))
        if known is not None:
            return known
        if len(connection.scalars(theirs.limit(MOST_FILES)).all()) == MOST_FILES:
            raise NotReadable(
                f"You have brought in {MOST_FILES} matches: that is all there is room for."
            )
        match_id = _insert(connection, file, verdict.states, person)
        connection.execute(
            insert(ImportedFile).values(
                match_id=match_id, user_id=person.id, packed=packed, imported_at=now()
            )
        )
    return match_id


def file_of(connection: Connection, match_id: int) -> bytes | None:
    """Return the file that a match was made of, as it came; None if it was played here."""
    query = select(ImportedFile.packed).where(ImportedFile.match_id == match_id)
    packed = connection.scalar(query)
    return None if packed is None else zlib.decompress(packed)


def imported_by(connection: Connection, person: Person) -> list[Imported]:
    """Return what somebody has brought in, the newest first."""
    rows = connection.execute(
        select(Match.id, Match.name, Match.game, Match.ended_at)
        .join(ImportedFile, ImportedFile.match_id == Match.id)
        .where(ImportedFile.user_id == person.id)
        .order_by(Match.id.desc())
    )
    return [Imported(id_, title_of(name, id_), game, at) for id_, name, game, at in rows]


def _refuse_what_cannot_be_shown(file: MatchFile) -> None:
    if len(file.moves) > MOST_MOVES:
        raise NotReadable(f"This match is too long: at most {MOST_MOVES} moves are replayed.")
    called = [seat.name for seat in file.seats]
    if any(naming.what_is_wrong_with(name) for name in (file.match.name, *called)) or any(
        not 0 < len(name) <= names.LONGEST for name in called
    ):
        raise NotReadable("There are names in this file that cannot be shown.")
    moments = [file.match.started_at, file.match.ended_at, *(move.made_at for move in file.moves)]
    if any(moment is not None and moment.year not in _YEARS for moment in moments):
        raise NotReadable("There are dates in this file that cannot be.")


def _insert(connection: Connection, file: MatchFile, states: list[str], person: Person) -> int:
    facts, game, size = file.match, GAMES[file.match.game], len(file.seats)
    ended_at = facts.ended_at or file.moves[-1].made_at
    row = insert(Match).values(
        name=naming.tidy(facts.name),
        game=facts.game,
        options=" ".join(write(game, applying(game, read(facts.options), size))),
        size=size,
        status=OVER,
        host_id=person.id,
        listed=False,
        pace=facts.pace if facts.pace in TIME_CONTROLS else "none",
        open_chat=False,
        invitation=secrets.token_urlsafe(INVITATION_LENGTH)[:INVITATION_LENGTH],
        created_at=now(),
        started_at=facts.started_at,
        ended_at=ended_at,
        moved_at=ended_at,
        rules_version=game.VERSION,
        version=len(states),
        practice=True,
    )
    match_id: int = connection.execute(row.returning(Match.id)).scalar_one()
    match = read_match(connection, match_id)
    assert match is not None
    assert file.result is not None  # It was found to be the right one.
    bot = next(iter(game.BOTS))
    seats = [
        SeatRow(0, seat.number, bot=bot if seat.is_bot else None, bot_name=seat.name)
        for seat in file.seats
    ]
    results.note(match, seats, file.result)
    write_match(connection, match, file.seal.seed or "", states[-1])
    write_seats(connection, match_id, [], seats)
    write_moves(connection, _moves(match_id, file, states))
    chapters.write(connection, chapters.of_states(match_id, game, states))
    return match_id


def _moves(match_id: int, file: MatchFile, states: list[str]) -> list[dict[str, Any]]:
    stored = {words: key for key, words in MADE_BY.items()}
    made, rows, before = [0] * len(file.seats), [], ""
    for move, state in zip(file.moves, states, strict=True):
        turn = None
        if move.seat is not None:
            turn, made[move.seat] = made[move.seat], made[move.seat] + 1
        rows.append(
            {
                "match_id": match_id,
                "number": move.number,
                "seat": move.seat,
                "made_by": stored[move.made_by],
                "turn": turn,
                "digest": None,
                "move": "" if move.move is None else codec.dump(move.move),
                "events": codec.dump(move.events),
                "frame": snapshots.pack(move.number, state, before),
                "rules_version": move.rules_version,
                "made_at": move.made_at,
            }
        )
        before = state
    return rows
