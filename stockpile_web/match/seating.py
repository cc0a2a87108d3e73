"""Who sits at which table before a match begins, and how a table ends without the rules."""

import secrets
from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from stockpile_web.engine.options import applying, objection, write
from stockpile_web.games import GAMES
from stockpile_web.match import moves, naming, sealing
from stockpile_web.match.rows import MatchRow, SeatRow, write_seats
from stockpile_web.match.turn import Turn
from stockpile_web.people import blocks, groups
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import CLOSED, OPEN, PLAYING, Match, Seat
from stockpile_web.storage.models.notices import ENDED
from stockpile_web.storage.models.people import Person, User
from stockpile_web.storage.transactions import reading

MOST_TABLES, MOST_OF_GUEST = 50, 5  # Unfinished ones of one host.
INVITATION_LENGTH = 16

BOT_NAMES = ("Abacus", "Brass", "Cogwheel", "Dynamo", "Ember")


class Refused(Exception):
    """That cannot be done at this table now; the message is for the person who tried."""


def create(
    connection: Connection,
    host: Person,
    game: str,
    size: int,
    options: Mapping[str, int],
    *,
    listed: bool,
    pace: str,
    open_chat: bool,
    name: str = "",
    contribution: str = "",
    group_id: int | None = None,
    practice: bool = False,
) -> int:
    """Set up a table, seat its host, and return its number.

    `contribution` is the random number that the host's browser has sent.
    """
    rules = GAMES[game]
    chosen, name = applying(rules, options, size), _checked(name)
    if size not in rules.SEATS:
        raise Refused(f"{rules.TITLE} is for {rules.SEATS[0]} to {rules.SEATS[-1]} players.")
    theirs = _names_of_tables(connection, host)
    if len(theirs) >= (most := MOST_OF_GUEST if host.is_guest else MOST_TABLES):
        raise Refused(f"You host {most} tables already: close one of them first.")
    if said := objection(rules, chosen, size):
        raise Refused(said)
    if group_id is not None and groups.role_of(connection, group_id, host.id) is None:
        raise Refused("You are not in this group any more: choose another, or none.")
    row = insert(Match).values(
        name=name or naming.usual_name(host, theirs),
        game=game,
        options=" ".join(write(rules, chosen)),
        size=size,
        host_id=host.id,
        listed=listed,
        group_id=group_id,
        pace=pace,
        open_chat=open_chat,
        practice=practice,
        invitation=secrets.token_urlsafe(INVITATION_LENGTH)[:INVITATION_LENGTH],
        created_at=now(),
    )
    match_id: int = connection.execute(row.returning(Match.id)).scalar_one()
    write_seats(connection, match_id, [], [SeatRow(id=0, number=0, user_id=host.id)])
    sealing.seal(connection, match_id)
    sealing.contribute(connection, match_id, host.id, contribution)
    return match_id


def rename(turn: Turn, host: Person, name: str) -> None:
    """Let the host call a table otherwise, as long as it is not over."""
    match, name = turn.match, _checked(name)
    if match.status not in (OPEN, PLAYING):
        raise Refused("This match is over: it keeps its name.")
    others = _names_of_tables(turn.connection, host, besides=match.id)
    match.name = name or naming.usual_name(host, others)


def join(turn: Turn, user: Person, contribution: str = "") -> None:
    """Seat `user`, with what their browser adds to chance; a full table begins by itself."""
    if any(seat.user_id == user.id for seat in turn.seats):
        return
    _must_be_open(turn.match)
    if len(turn.seats) >= turn.match.size:
        raise Refused("This table is full.")
    must_be_welcome(turn, user)
    _seat(turn, user_id=user.id)
    sealing.contribute(turn.connection, turn.match.id, user.id, contribution)
    if len(turn.seats) == turn.match.size:
        moves.start(turn)


def contribute(turn: Turn, user: Person, contribution: str) -> None:
    """Let somebody for whom the server has drawn a number send one of their own before the deal."""
    _must_be_open(turn.match)
    sealing.contribute(turn.connection, turn.match.id, user.id, contribution)
    turn.match.table_version += 1  # The others see whose it is.


def must_be_welcome(turn: Turn, user: Person) -> None:
    """Refuse whom the host has blocked, in words that do not say so; and guests where all see."""
    if user.is_guest and turn.match.listed:
        raise Refused("Everybody may watch this table, and guests are never shown: sign up first.")
    if blocks.is_blocked(turn.connection, turn.match.host_id, user.id):
        raise Refused("You cannot sit down at this table.")


def leave(turn: Turn, user: Person) -> None:
    """Let `user` get up before the match begins."""
    _must_be_open(turn.match)
    if user.id == turn.match.host_id:
        raise Refused("You host this table: close it instead of leaving it.")
    turn.seats = [seat for seat in turn.seats if seat.user_id != user.id]


def remove(turn: Turn, number: int) -> None:
    """Let the host take somebody, or a bot, off a seat before the match begins."""
    _must_be_open(turn.match)
    host = turn.match.host_id
    turn.seats = [seat for seat in turn.seats if seat.number != number or seat.user_id == host]


def add_bot(turn: Turn, bot: str = "") -> None:
    """Seat one more bot, the plainest of the game unless told."""
    _must_be_open(turn.match)
    if len(turn.seats) >= turn.match.size:
        raise Refused("Every seat is taken.")
    taken = {seat.bot_name for seat in turn.seats}
    name = next(name for name in BOT_NAMES if name not in taken)
    _seat(turn, bot=bot if bot in turn.game.BOTS else plainest(turn), bot_name=name)


def start_with_bots(turn: Turn, bot: str = "") -> None:
    """Begin with bots on the empty seats."""
    _must_be_open(turn.match)
    while len(turn.seats) < turn.match.size:
        add_bot(turn, bot)
    start(turn)


def start(turn: Turn) -> None:
    """Begin with those who are here."""
    _must_be_open(turn.match)
    allowed = turn.game.SEATS
    if len(turn.seats) not in allowed:
        raise Refused(f"At least {allowed[0]} must sit at the table to begin.")
    turn.match.size = len(turn.seats)
    moves.start(turn)


def close(turn: Turn, by: int | None = None, *, host_knows: bool = True) -> None:
    """End a table for good; the rules are not asked, so this always works.

    Whoever has closed it knows, and so does the host, who has asked for it, but for an
    administrator's closing.
    """
    match = turn.match
    if match.status == PLAYING:
        know = {match.host_id if host_knows else None, by}
        others = [seat.user_id for seat in turn.seats if seat.is_person]
        turn.news += [(ENDED, user) for user in others if user and user not in know]
        turn.movers |= {user for user in know if user is not None}
    if match.status in (OPEN, PLAYING):
        match.status, match.ended_at, match.halted_for = CLOSED, turn.moment, ""
        for seat in turn.seats:
            seat.on_turn = False
            seat.stop_clock()


def tables_of(user_id: int, *, with_clock: bool = False) -> list[int]:
    """Return the numbers of all matches at which a person sits, or where their clock runs."""
    theirs = select(Seat.match_id).where(Seat.user_id == user_id)
    if with_clock:
        theirs = theirs.where(Seat.deadline_at.is_not(None))
    return list(reading().scalars(theirs.order_by(Seat.match_id)))


def _checked(typed: str) -> str:
    """Return the name of a table as it is stored, if one can have it."""
    name = naming.tidy(typed)
    if wrong := naming.what_is_wrong_with(name):
        raise Refused(wrong)
    return name


def _names_of_tables(connection: Connection, host: Person, besides: int = 0) -> list[str]:
    """Return the names of the unfinished tables of a host, but for one of them."""
    unfinished = (Match.host_id == host.id, Match.status.in_((OPEN, PLAYING)))
    return list(connection.scalars(select(Match.name).where(*unfinished, Match.id != besides)))


def still_here(connection: Connection, people: list[int]) -> set[int]:
    """Return those of `people` who have not deleted their accounts."""
    here = select(User.id).where(User.id.in_(people), User.deleted_at.is_(None))
    return set(connection.scalars(here))


def _must_be_open(match: MatchRow) -> None:
    if match.status != OPEN:
        raise Refused("This match has begun already.")


def plainest(turn: Turn) -> str:
    """Return the bot of a game that takes no time."""
    return next(iter(turn.game.BOTS))


def _seat(
    turn: Turn, *, user_id: int | None = None, bot: str | None = None, bot_name: str = ""
) -> None:
    taken = {seat.number for seat in turn.seats}
    number = next(number for number in range(turn.match.size) if number not in taken)
    turn.seats.append(SeatRow(0, number, user_id=user_id, bot=bot, bot_name=bot_name))
