"""What if? A moment of a match that is over, played on at a practice table among bots."""

from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from stockpile_web.engine import Event, Seat, codec
from stockpile_web.engine.options import read
from stockpile_web.games import GAMES
from stockpile_web.match import driving, sealing, seating
from stockpile_web.match.bots import steadiest
from stockpile_web.match.naming import LONGEST_NAME
from stockpile_web.match.rows import MatchRow, SeatRow, read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.seating import BOT_NAMES, Refused
from stockpile_web.match.site_events import PLAYED_ON
from stockpile_web.match.standing_orders import usual_orders
from stockpile_web.match.turn import changing
from stockpile_web.storage.models.matches import OVER, PLAYING, Match, Move
from stockpile_web.storage.models.people import Person
from stockpile_web.storage.transactions import reading

MOST_TABLES = 10  # Practice tables of one person that are not over.
PACE = "none"  # Nobody waits.


class Origin(NamedTuple):
    """The moment from which a practice table was played on."""

    match_id: int
    number: int
    title: str


def play_on(match: MatchRow, number: int, seat: Seat, bot: str, person: Person) -> int:
    """Set up a practice table as `match` was after a move; return its number.

    All chance from there on is new. Held if this server cannot read the rules of that moment.
    """
    state, game = _state_after(match, number), GAMES[match.game]
    told = Event(PLAYED_ON, Origin(match.id, number, match.title)._asdict())
    bot = bot if bot in game.BOTS else steadiest(game)
    with changing(partial(_set_up, like=match, person=person)) as turn:
        mine = SeatRow(0, seat, user_id=person.id, orders=usual_orders(game))
        names = iter(BOT_NAMES)
        turn.seats = [
            mine if each == seat else SeatRow(0, each, bot=bot, bot_name=next(names))
            for each in range(match.size)
        ]
        turn.resume(sealing.draw(turn, keeps_seats=True), state, told)
        driving.play_on(turn)
    return turn.match.id


def origin_of(connection: Connection, match: MatchRow) -> Origin | None:
    """Return where a practice table comes from; None if it was imported."""
    if not match.practice:
        return None
    deal = select(Move.events).where(Move.match_id == match.id, Move.number == 0)
    events = codec.load(list[Event], connection.scalar(deal) or "[]")
    told = next((event.public for event in events if event.kind == PLAYED_ON), None)
    return told and Origin(**told)


def _set_up(connection: Connection, like: MatchRow, person: Person) -> int:
    _refuse_too_many(connection, person)
    return seating.create(
        connection,
        person,
        like.game,
        like.size,
        read(like.options.split()),
        listed=False,
        pace=PACE,
        open_chat=False,
        name=f"What if: {like.name or like.id}"[:LONGEST_NAME],
        practice=True,
    )


def _state_after(match: MatchRow, number: int) -> Any:
    if match.status != OVER:
        raise Refused("This match is not over yet: what if is for afterwards.")
    past = read_past(reading(), match.id, number, number).get(number)
    if past is None:
        raise Refused("There is no such turn in this match.")
    game = GAMES[match.game]
    state = load_state(game, *past)
    if game.result(state) is not None:
        raise Refused("Here the match is over: go back to an earlier turn and play on from there.")
    return state


def _refuse_too_many(connection: Connection, person: Person) -> None:
    theirs = (Match.host_id == person.id, Match.status == PLAYING, Match.practice)
    if (connection.scalar(select(func.count()).where(*theirs)) or 0) >= MOST_TABLES:
        raise Refused(f"You have {MOST_TABLES} practice tables already: close one of them first.")
