"""Somebody deletes their account: what becomes of the tables at which they sit, and of the rest."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stockpile_web.match import driving, naming, tallies
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.seating import close, plainest, still_here, tables_of
from stockpile_web.match.turn import Turn, changing
from stockpile_web.match.waking_hours import EVERY_DAY
from stockpile_web.people import administrators, leaving
from stockpile_web.storage import audit
from stockpile_web.storage.database import now
from stockpile_web.storage.models import (
    AccountMail,
    ApiToken,
    Channel,
    ChatLink,
    Choice,
    Delivery,
    Device,
    KeptMail,
    Notice,
    Passkey,
    Rating,
    RatingChange,
    Report,
    ResetLink,
    SendJob,
    User,
    Vacation,
)
from stockpile_web.storage.models.matches import OPEN, PLAYING
from stockpile_web.storage.models.people import MEMBERS, Person
from stockpile_web.storage.transactions import advisory_lock, writing


def forget(person: Person, by: Person | None = None) -> None:
    """Remove all that is known of a person but the row itself, which others' games lean on.

    If it ends on the way, doing it again does the rest. `by` is for the audit log, which is told in
    the transaction that does it: until then they have their account and their rights. Whoever has
    to stay is not touched (`LastOne`).
    """
    with writing() as tx:
        administrators.must_be_free_to_go(tx, person.id)
    leave_all(person)
    with writing() as tx:
        user = tx.get_one(User, person.id)
        administrators.must_be_free_to_go(tx, user.id)  # Another may have gone meanwhile.
        if by is not None and by.id == user.id:
            audit.note(tx, by.id, "deleted")
        elif by is not None:
            audit.note(tx, by.id, "removed", about=user.id)
        leaving.forget(tx, user.id)
        tallies.forget(tx, user.id)
        kinds = (ResetLink, Notice, Channel, ChatLink, Choice, Delivery, Vacation, Report)
        for kind in (SendJob, Device, Passkey, ApiToken, *kinds, AccountMail):
            tx.execute(delete(kind).where(kind.user_id == user.id))
        _forget_ratings(tx, user.id)
        if user.email:
            tx.execute(delete(KeptMail).where(KeptMail.to == user.email))
        user.name = user.name_key = user.look = user.small_look = None
        user.email = user.email_key = user.email_confirmed_at = None
        user.password_hash = user.guest_until = user.suspended_at = None
        user.time_zone, user.is_admin, user.deleted_at = "UTC", False, now()
        user.awake_from, user.awake_to, user.awake_days = 8, 23, EVERY_DAY
        user.profile_for = MEMBERS


def leave_all(user: Person) -> None:
    """Take a person who deletes their account from every table; bots play on for them.

    Each table is changed by itself, so that no transaction holds two of them.
    """
    for match_id in tables_of(user.id):
        with changing(match_id) as turn:
            _leave_for_good(turn, user)


def _leave_for_good(turn: Turn, user: Person) -> None:
    mine = next((seat for seat in turn.seats if seat.user_id == user.id), None)
    if mine is None:
        return
    mine.notes = mine.orders = mine.order_note = ""
    if naming.is_usual(turn.match.name, user):
        turn.match.name = ""  # It would go on telling who they were.
    if turn.match.status == OPEN and turn.match.host_id == user.id:
        close(turn)
    elif turn.match.status == OPEN:
        turn.seats.remove(mine)
    elif turn.match.status == PLAYING:
        _leave_to_bot(turn, mine)


def _leave_to_bot(turn: Turn, mine: SeatRow) -> None:
    """Let a bot play on for somebody who will not be back; where nobody could, nothing is."""
    others = [seat for seat in turn.seats if seat.user_id and seat is not mine]
    here = still_here(turn.connection, [seat.user_id for seat in others if seat.user_id])
    others = sorted((seat for seat in others if seat.user_id in here), key=_is_driven)
    if not others:
        close(turn)
        return
    if turn.match.host_id == mine.user_id:
        turn.match.host_id = others[0].user_id or turn.match.host_id
    mine.bot = plainest(turn)
    mine.stop_clock()
    driving.play_on(turn)


def _is_driven(seat: SeatRow) -> bool:
    return seat.bot is not None


def _forget_ratings(session: Session, user_id: int) -> None:
    """Remove somebody's ratings; those of the others stay as they are."""
    advisory_lock(session, "ratings")
    mine = select(Rating.id).where(Rating.user_id == user_id)
    session.execute(delete(RatingChange).where(RatingChange.rating_id.in_(mine)))
    session.execute(delete(Rating).where(Rating.user_id == user_id))
