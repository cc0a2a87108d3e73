"""Seats without their players: given to a bot, taken back, voted on, and taken by a substitute."""

from stockpile_web.engine import Seat
from stockpile_web.match import driving, pause
from stockpile_web.match.bots import steadiest
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.seating import Refused, must_be_welcome
from stockpile_web.match.standing_orders import usual_orders
from stockpile_web.match.time_controls import full_bank
from stockpile_web.match.turn import Turn
from stockpile_web.match.votes import forget_votes, put_vote, voters_on, votes_of
from stockpile_web.storage import outbox
from stockpile_web.storage.models.matches import MISSED, PLAYING
from stockpile_web.storage.models.people import Person

TO_BOT, OPEN_SEAT, NEITHER = "bot", "open", "wait"
VOTES = {
    TO_BOT: "leave the seat to a bot",
    OPEN_SEAT: "open the seat to a substitute",
    NEITHER: "wait",
}
NOT_BY_ADMINISTRATORS = (
    "You administer this site, and could open any seat to see what it holds: somebody else has to "
    "take this one."
)


def give_to_bot(turn: Turn, user: Person, bot: str) -> None:
    """Let a bot play for `user` until they are back."""
    let_bot_drive(turn, _seat_of(turn, user), bot)


def come_back(turn: Turn, user: Person) -> None:
    """Give `user` their seat back; a table that has waited for somebody goes on."""
    if pause.come_back(turn, _seat_of(turn, user)):
        driving.play_on(turn)


def vote(turn: Turn, user: Person, about: str, wanted: str) -> None:
    """Note what `user` wants done about an absent player's seat, and do what most of them want."""
    must_be_played(turn)
    seat = next((seat for seat in turn.seats if str(seat.number) == about), None)
    if seat is None or seat.missed < MISSED or wanted not in VOTES:
        raise Refused("There is nothing to vote on: they are back.")
    voters = voters_on(turn.seats, seat.number)
    mine = next((voter for voter in voters if voter.user_id == user.id), None)
    if mine is None:
        raise Refused("Only those who play here may vote.")
    put_vote(mine, seat.number, wanted)
    agree = sum(votes_of(voter.votes).get(seat.number) == wanted for voter in voters)
    if wanted == NEITHER or 2 * agree <= len(voters):
        return
    seat.is_open = wanted == OPEN_SEAT
    forget_votes(turn, seat.number)
    if not seat.bot:
        let_bot_drive(turn, seat)


def take_over(turn: Turn, user: Person) -> None:
    """Let `user` take the first seat that is open to a substitute, with all that it has seen."""
    must_be_played(turn)
    if any(seat.user_id == user.id for seat in turn.seats):
        return
    seat = next((seat for seat in turn.seats if seat.is_free), None)
    if seat is None:
        raise Refused("This match has begun already, and no seat is open.")
    if user.is_admin:
        raise Refused(NOT_BY_ADMINISTRATORS)
    must_be_welcome(turn, user)
    former, seat.user_id = seat.user_id, user.id
    # What the former player wrote for themselves alone stays theirs.
    seat.notes = seat.order_note = seat.votes = ""
    seat.orders = usual_orders(turn.game)
    seat.chat_seen = seat.thinking_seconds = seat.turns_timed = 0
    seat.substitute = True
    seat.bank, seat.waiting_since = full_bank(turn.match.pace), turn.moment
    if former is not None:
        outbox.see(turn.connection, former, turn.match.id, turn.match.version)
        if former == turn.match.host_id:
            turn.match.host_id = _next_host(turn, seat)
    if pause.come_back(turn, seat):
        driving.play_on(turn)


def begin_vote(turn: Turn, number: Seat) -> None:
    """From now on the others may vote; what they said when somebody was away before is past."""
    forget_votes(turn, number)
    turn.seats[number].is_open = False


def let_bot_drive(turn: Turn, seat: SeatRow, bot: str = "") -> None:
    """Let a bot play for whoever sits here, the steadiest of the game unless told."""
    must_be_played(turn)
    seat.bot = bot if bot in turn.game.BOTS else steadiest(turn.game)
    seat.stop_clock()
    if seat.on_turn and turn.game.BOTS[seat.bot].thinks:
        seat.acts_at = turn.moment
    driving.play_on(turn)


def _seat_of(turn: Turn, user: Person) -> SeatRow:
    must_be_played(turn)
    found = next((seat for seat in turn.seats if seat.user_id == user.id), None)
    if found is None:
        raise Refused("You do not sit at this table.")
    return found


def must_be_played(turn: Turn) -> None:
    """Refuse what makes sense only while a match is played."""
    if turn.match.status != PLAYING:
        raise Refused("Nothing is played at this table now.")


def _next_host(turn: Turn, newcomer: SeatRow) -> int:
    """Return who hosts a table whose host was replaced: whoever sits there, or the newcomer."""
    others = [seat.user_id for seat in turn.seats if seat is not newcomer and seat.is_person]
    return next(filter(None, others), None) or newcomer.user_id or turn.match.host_id
