"""Tables that cannot be shown or played: found out, told of once, set back or closed.

The state may be damaged, written by rules that this server does not have, or such that its rules
stumble over it. The frames after each move are stored besides, so that an earlier turn that can be
read may take its place.
"""

import logging
import zlib
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select

from stockpile_web.engine import Event, Game
from stockpile_web.games import GAMES
from stockpile_web.match import chapters, driving, seating
from stockpile_web.match.rows import MatchRow, read_past
from stockpile_web.match.rules_versions import Unplayable, load_state
from stockpile_web.match.seating import Refused
from stockpile_web.match.site_events import SET_BACK
from stockpile_web.match.take_back import DIGEST, TakeBack
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage import snapshots
from stockpile_web.storage.models.matches import PLAYING, Match, Seat
from stockpile_web.storage.models.notices import BROKEN, Notice
from stockpile_web.storage.models.people import User

# When a broken table is tried again: after as long as it is known, but within these.
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=10), timedelta(hours=6)

NOT_BROKEN = "This table can be shown and played: there is nothing to mend."
CLOSED_UNSEEN = "It could not be shown or played any more."  # As all read why.
CANNOT_GO_THERE = "That turn cannot be played on, either: choose an earlier one."

log = logging.getLogger(__name__)


def what_is_wrong(game: Game, text: str, version: int, seats: int) -> Exception | None:
    """Return what stops rules from carrying on a state and showing it to all; None if nothing."""
    try:
        state = load_state(game, text, version)
        result = game.result(state)
        game.board(game.view(state, None), [], [], result)
        for seat in range(seats):
            game.board(game.view(state, seat), game.legal(state, seat), [], result)
    except Exception as error:  # noqa: BLE001 (rules may stumble over anything)
        return error
    return None


def problem_of(connection: Connection, match_id: int) -> Exception | None:
    """Return what is wrong with a match as it is stored; None if nothing is."""
    sitting = select(func.count()).where(Seat.match_id == match_id).scalar_subquery()
    stored = select(Match.game, Match.state, Match.rules_version, sitting, Match.started_at)
    found = connection.execute(stored.where(Match.id == match_id)).one_or_none()
    if found is None or found.started_at is None:
        return None
    game, text, version, seats, _ = found
    return what_is_wrong(GAMES[game], text, version, seats)


def note(match_id: int, error: Exception) -> timedelta:
    """Tell the host and the administrators, once; return for how long to leave it alone."""
    with changing(match_id) as turn:
        match = turn.match
        of_this = (Notice.match_id == match_id, Notice.event == BROKEN)
        known = select(Notice.user_id, Notice.made_at).where(
            *of_this, Notice.version == match.version, Notice.user_id.in_(_concerned(turn))
        )
        told = {user: made_at for user, made_at in turn.connection.execute(known)}
        turn.news += [(BROKEN, user) for user in _concerned(turn) if user not in told]
        if told:
            age = turn.moment - min(told.values())
            return min(max(FIRST_PAUSE, age), LONGEST_PAUSE)
    log.error("Table %s cannot be carried on: %s", match_id, in_a_line(error))
    return FIRST_PAUSE


def in_a_line(error: Exception) -> str:
    """Say what went wrong and where, but not the words of an error: they may hold a card."""
    if isinstance(error, Unplayable):
        return str(error)
    trace, where = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        where = f" at {'/'.join(Path(code.co_filename).parts[-3:])}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}{where}"


def ways_back(connection: Connection, match: MatchRow, seats: int) -> list[int]:
    """Return the newest turns from which a table could go on, newest first.

    Only those are looked at that the frames since one key frame hold: so it takes no longer where
    a match has many moves.
    """
    newest = match.version - 1
    try:
        past = read_past(connection, match.id, max(0, newest - snapshots.KEY_EVERY), newest)
    except (zlib.error, UnicodeDecodeError):
        return []
    game = GAMES[match.game]
    is_fine = {number: what_is_wrong(game, *each, seats) is None for number, each in past.items()}
    return [number for number in sorted(past, reverse=True) if is_fine[number]]


def set_back(turn: Turn, number: int) -> None:
    """Let a broken table go on from a turn that can be read; whoever is asked there is told."""
    match, connection = turn.match, turn.connection
    _must_be_broken(turn)
    if number not in ways_back(connection, match, len(turn.seats)):
        raise Refused(CANNOT_GO_THERE)
    newest = match.version - 1
    past = read_past(connection, match.id, number, newest)
    state = load_state(turn.game, *past[number])
    turn.text = past[newest].state  # From here the next frame is reached, not from what is damaged.
    chapters.forget(connection, match.id, number + 1)
    back = TakeBack(number + 1, newest)
    turn.restore(None, state, back, Event(SET_BACK, {"first": number + 1}), DIGEST)
    for seat in turn.seats:
        seat.moves_made += 1  # A page on which they were asked is stale.
    turn.go_on_anew(asks_all=True)
    try:
        driving.play_on(turn)
    except Exception:  # noqa: BLE001 (the same rules may stumble again)
        raise Refused(CANNOT_GO_THERE) from None


def close(turn: Turn, by: int) -> None:
    """Close a broken table at once: the others could not see that they are asked."""
    _must_be_broken(turn)
    is_by_host = by == turn.match.host_id
    seating.close(turn, by, host_knows=is_by_host)
    if not is_by_host:
        turn.match.halted_for = CLOSED_UNSEEN


def _must_be_broken(turn: Turn) -> None:
    match = turn.match
    known = (turn.game, turn.text, match.rules_version, len(turn.seats))
    if match.status != PLAYING or what_is_wrong(*known) is None:
        raise Refused(NOT_BROKEN)


def _concerned(turn: Turn) -> list[int]:
    administrators = select(User.id).where(User.is_admin, User.deleted_at.is_(None))
    return sorted({turn.match.host_id, *turn.connection.scalars(administrators)})
