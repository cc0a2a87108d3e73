"""Who sits at which table before a match begins, and how a table ends without the rules."""

import secrets
from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stockpile_web import live
from stockpile_web.engine import Game, Option
from stockpile_web.games import GAMES
from stockpile_web.match import moves
from stockpile_web.storage import outbox
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, PLAYING, Match, Place
from stockpile_web.storage.models.notices import ENDED
from stockpile_web.storage.models.people import Person

MOST_TABLES = 50  # Unfinished ones of one host.

BOT_NAMES = ("Abacus", "Brass", "Cogwheel", "Dynamo", "Ember")


class Refused(Exception):
    """That cannot be done at this table now; the message is for the person who tried."""


def create(
    session: Session,
    host: Person,
    game: str,
    size: int,
    options: Iterable[str],
    *,
    listed: bool,
    pace: str,
    open_chat: bool,
) -> Match:
    """Set up a table and seat its host."""
    rules = GAMES[game]
    wanted = set(options)
    if size not in rules.SEATS:
        raise Refused(f"{rules.TITLE} is for {rules.SEATS[0]} to {rules.SEATS[-1]} players.")
    if _tables_of(session, host) >= MOST_TABLES:
        raise Refused(f"You host {MOST_TABLES} tables already: close one of them first.")
    _must_go_together(rules.OPTIONS, wanted)
    match = Match(
        game=game,
        options=" ".join(option.key for option in rules.OPTIONS if option.key in wanted),
        size=size,
        host_id=host.id,
        listed=listed,
        pace=pace,
        open_chat=open_chat,
        invitation=secrets.token_urlsafe(12),
        created_at=now(),
    )
    match.places.append(Place(seat=0, user_id=host.id))
    session.add(match)
    session.flush()
    return match


def find(session: Session, match_id: int) -> Match | None:
    """Load a match to change it; on Postgres, whoever comes first goes first."""
    return session.scalar(select(Match).where(Match.id == match_id).with_for_update())


def join(session: Session, match: Match, user: Person) -> None:
    """Seat `user`; a table that is full begins by itself."""
    if any(place.user_id == user.id for place in match.places):
        return
    _must_be_open(match)
    if len(match.places) >= match.size:
        raise Refused("This table is full.")
    _seat(session, match, user_id=user.id)
    if len(match.places) == match.size:
        moves.start(session, match)


def leave(session: Session, match: Match, user: Person) -> None:
    """Let `user` get up before the match begins."""
    _must_be_open(match)
    if user.id == match.host_id:
        raise Refused("You host this table: close it instead of leaving it.")
    _empty(session, match, [place for place in match.places if place.user_id == user.id])


def remove(session: Session, match: Match, seat: int) -> None:
    """Let the host take somebody, or a bot, off a seat before the match begins."""
    _must_be_open(match)
    _empty(
        session,
        match,
        [p for p in match.places if p.seat == seat and p.user_id != match.host_id],
    )


def add_bot(session: Session, match: Match, bot: str = "") -> None:
    """Seat one more bot, the plainest of the game unless told."""
    _must_be_open(match)
    if len(match.places) >= match.size:
        raise Refused("Every seat is taken.")
    taken = {place.bot_name for place in match.places}
    name = next(name for name in BOT_NAMES if name not in taken)
    known = bot in GAMES[match.game].BOTS
    _seat(session, match, bot=bot if known else _plainest(match), bot_name=name)


def start_with_bots(session: Session, match: Match, bot: str = "") -> None:
    """Begin with bots on the empty seats."""
    _must_be_open(match)
    while len(match.places) < match.size:
        add_bot(session, match, bot)
    start(session, match)


def start(session: Session, match: Match) -> None:
    """Begin with those who are here."""
    _must_be_open(match)
    seats = GAMES[match.game].SEATS
    if len(match.places) not in seats:
        raise Refused(f"At least {seats[0]} must sit at the table to begin.")
    match.size = len(match.places)
    moves.start(session, match)


def steadiest(game: Game) -> str:
    """Return the bot that plays on for people: a good one that need not think."""
    at_once = [key for key, bot in game.BOTS.items() if not bot.thinks]
    return "steady" if "steady" in at_once else at_once[0]


def close(session: Session, match: Match) -> None:
    """End a table for good; the rules are not asked, so this always works."""
    if match.status == PLAYING:
        people = [place.user_id for place in match.places if place.user_id and not place.bot]
        news = [(ENDED, user_id) for user_id in people if user_id != match.host_id]
        outbox.write(session.connection(), match.id, match.version, now(), [match.host_id], news)
    if match.status in (OPEN, PLAYING):
        match.status = CLOSED
        match.ended_at = now()
        match.chat_version += 1  # Open pages learn of it.
        for place in match.places:
            place.on_turn = False
            place.stop_clock()


def rematch(session: Session, match: Match, user: Person) -> Match:
    """Set up the same table with the same people once more, or find the one that was."""
    if match.status not in (OVER, CLOSED):
        raise Refused("This match is not over yet.")
    if match.rematch_id is not None:
        again = session.get(Match, match.rematch_id)
        if again is not None and again.status != CLOSED:
            return again
    again = create(
        session,
        user,
        match.game,
        match.size,
        match.options.split(),
        listed=match.listed,
        pace=match.pace,
        open_chat=match.open_chat,
    )
    for place in match.places:
        if place.user_id is None or (place.user_id != user.id and not _is_gone(place)):
            if place.user_id is None:
                _seat(session, again, bot=place.bot, bot_name=place.bot_name)
            else:
                _seat(session, again, user_id=place.user_id)
    match.rematch_id = again.id
    session.flush()
    return again


def say_goodbye(session: Session, user: Person) -> None:
    """Take a person who deletes their account from every table; bots play on for them."""
    theirs = select(Match).join(Place).where(Place.user_id == user.id).with_for_update(of=Match)
    for match in session.scalars(theirs).unique().all():
        place = next(place for place in match.places if place.user_id == user.id)
        if match.status == OPEN and match.host_id == user.id:
            close(session, match)
        elif match.status == OPEN:
            _empty(session, match, [place])
        elif match.status == PLAYING:
            place.bot = _plainest(match)
            place.stop_clock()
            session.flush()
            moves.go_on(session, match.id)
        place.notes = place.orders = place.order_note = ""
        live.notify_in(session, match.id)


def _tables_of(session: Session, host: Person) -> int:
    unfinished = (Match.host_id == host.id, Match.status.in_((OPEN, PLAYING)))
    return session.scalar(select(func.count(Match.id)).where(*unfinished)) or 0


def _must_be_open(match: Match) -> None:
    if match.status != OPEN:
        raise Refused("This match has begun already.")


def _must_go_together(options: Iterable[Option], wanted: set[str]) -> None:
    titles = {option.key: option.title for option in options}
    groups: dict[str, str] = {}
    for option in options:
        if option.key not in wanted:
            continue
        if option.needs and option.needs not in wanted:
            needed = titles[option.needs]
            raise Refused(f"“{option.title}” needs “{needed}”: choose both of them, or neither.")
        if option.group and option.group in groups:
            other = groups[option.group]
            raise Refused(f"“{other}” and “{option.title}” do not go together: choose one of them.")
        groups[option.group] = option.title


def _plainest(match: Match) -> str:
    return next(iter(GAMES[match.game].BOTS))


def _seat(
    session: Session,
    match: Match,
    *,
    user_id: int | None = None,
    bot: str | None = None,
    bot_name: str = "",
) -> None:
    taken = {place.seat for place in match.places}
    seat = next(seat for seat in range(match.size) if seat not in taken)
    match.places.append(Place(seat=seat, user_id=user_id, bot=bot, bot_name=bot_name))
    match.chat_version += 1
    session.flush()


def _empty(session: Session, match: Match, places: list[Place]) -> None:
    for place in places:
        match.places.remove(place)
        match.chat_version += 1
    session.flush()


def _is_gone(place: Place) -> bool:
    return place.user is None or place.user.deleted_at is not None
