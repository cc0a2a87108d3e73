"""Seats without their players: given to a bot, taken back, voted on, and taken by a substitute."""

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from stockpile_web.engine import Seat
from stockpile_web.games import GAMES
from stockpile_web.match import deadlines, moves
from stockpile_web.match.seating import Refused, steadiest
from stockpile_web.match.time_controls import full_bank
from stockpile_web.storage import outbox
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import MISSED, PLAYING, Match, Place
from stockpile_web.storage.models.people import Person

TO_BOT, OPEN_SEAT, NEITHER = "bot", "open", "wait"
VOTES = {
    TO_BOT: "leave the seat to a bot",
    OPEN_SEAT: "open the seat to a substitute",
    NEITHER: "wait",
}


def give_to_bot(session: Session, match: Match, user: Person, bot: str) -> None:
    """Let a bot play for `user` until they are back."""
    _let_bot_drive(session, match, _place_of(match, user), bot)


def come_back(session: Session, match: Match, user: Person) -> None:
    """Give `user` their seat back; a turn of theirs began when it began."""
    place = _place_of(match, user)
    if place.bot:
        place.bot = None
        deadlines.set_clock(session, match, place)
    place.missed, place.is_open = 0, False
    match.chat_version += 1


def vote(session: Session, match: Match, user: Person, about: str, wanted: str) -> None:
    """Note what `user` wants done about an absent player's seat, and do what most of them want."""
    _must_be_played(match)
    place = next((place for place in match.places if str(place.seat) == about), None)
    if place is None or place.missed < MISSED or wanted not in VOTES:
        raise Refused("There is nothing to vote on: they are back.")
    seat = place.seat
    voters = _voters(match, seat)
    mine = next((voter for voter in voters if voter.user_id == user.id), None)
    if mine is None:
        raise Refused("Only those who play here may vote.")
    mine.votes = _with_vote(mine.votes, seat, wanted)
    match.chat_version += 1
    agree = sum(votes_of(voter.votes).get(seat) == wanted for voter in voters)
    if wanted == NEITHER or 2 * agree <= len(voters):
        return
    place.is_open = wanted == OPEN_SEAT
    forget_votes(session, match.id, seat)
    if not place.bot:
        _let_bot_drive(session, match, place, "")


def take_over(session: Session, match: Match, user: Person) -> None:
    """Let `user` take the first seat that is open to a substitute, with all that it has seen."""
    _must_be_played(match)
    if any(place.user_id == user.id for place in match.places):
        return
    place = next((place for place in match.places if place.is_free), None)
    if place is None:
        raise Refused("This match has begun already, and no seat is open.")
    former = place.user_id
    place.user_id, place.bot, place.missed, place.is_open = user.id, None, 0, False
    # What the former player wrote for themselves alone stays theirs.
    place.notes = place.orders = place.order_note = place.votes = ""
    place.chat_seen = 0
    place.bank, place.waiting_since = full_bank(match.pace), now()
    if former is not None:
        outbox.see(session, former, match.id, match.version)
        if former == match.host_id:
            match.host_id = _next_host(match, place)
    session.flush()
    deadlines.set_clock(session, match, place)
    match.chat_version += 1


def votes_of(text: str) -> dict[Seat, str]:
    """Read what somebody wants done about whom."""
    pairs = (pair.split(":") for pair in text.split())
    return {int(seat): wanted for seat, wanted in pairs}


def forget_votes(session: Session, match_id: int, seat: Seat) -> None:
    """Forget what was voted about a seat."""
    for place in session.scalars(select(Place).where(Place.match_id == match_id)):
        if place.votes:
            place.votes = _with_vote(place.votes, seat, "")


def begin_vote(session: Session, match_id: int, seat: Seat) -> None:
    """From now on the others may vote; what they said when somebody was away before is past."""
    forget_votes(session, match_id, seat)
    this = (Place.match_id == match_id, Place.seat == seat)
    session.execute(update(Place).where(*this).values(is_open=False))


def _with_vote(text: str, seat: Seat, wanted: str) -> str:
    votes = {**votes_of(text), seat: wanted}
    return " ".join(f"{seat}:{wanted}" for seat, wanted in votes.items() if wanted)


def _voters(match: Match, seat: Seat) -> list[Place]:
    """Return the others who are here themselves."""
    return [
        place
        for place in match.places
        if place.seat != seat and place.user_id and not place.bot and place.missed < MISSED
    ]


def _let_bot_drive(session: Session, match: Match, place: Place, bot: str) -> None:
    _must_be_played(match)
    game = GAMES[match.game]
    place.bot = bot if bot in game.BOTS else steadiest(game)
    place.stop_clock()
    if place.on_turn and game.BOTS[place.bot].thinks:
        place.acts_at = now()
    match.chat_version += 1
    session.flush()
    moves.go_on(session, match.id)


def _place_of(match: Match, user: Person) -> Place:
    _must_be_played(match)
    found = next((place for place in match.places if place.user_id == user.id), None)
    if found is None:
        raise Refused("You do not sit at this table.")
    return found


def _must_be_played(match: Match) -> None:
    if match.status != PLAYING:
        raise Refused("Nothing is played at this table now.")


def _next_host(match: Match, newcomer: Place) -> int:
    """Return who hosts a table whose host was replaced: whoever sits there, or the newcomer."""
    others = [p.user_id for p in match.places if p is not newcomer and p.user_id and not p.bot]
    return others[0] if others else newcomer.user_id or match.host_id
