"""Every page of the site and every phase of the board, to be looked at and not to be played."""

from datetime import timedelta
from typing import NamedTuple

from playwright.sync_api import Page
from sqlalchemy import select, update

from stockpile_web.games import GAMES
from stockpile_web.match.ratings import newcomer
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import (
    AccountMail,
    Delivery,
    Match,
    Notice,
    Passkey,
    SendJob,
    User,
)
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import reviews
from tests.browser.account import Account
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.scenes import OVER, set_up_table, table_at
from tests.support.hourglass import miss_turns
from tests.support.known import FIRST, known

# By name: a decision of each kind in each game, and the fewest players of each.
DECISIONS = {
    f"{slug}, {phase}": (slug, phase)
    for slug in GAMES
    for phase in (*known(slug).DECISIONS, *known(slug).RARE)
}
FEWEST = {f"{slug}, fewest players": slug for slug in GAMES}


class Stop(NamedTuple):
    """A page, and whether a stranger looks at it, or a guest."""

    path: str
    by_stranger: bool = False
    by_guest: bool = False


FIXED = {
    "home": Stop("/", by_stranger=True),
    "sign up": Stop("/sign-up", by_stranger=True),
    "sign in": Stop("/sign-in", by_stranger=True),
    "forgotten password": Stop("/reset", by_stranger=True),
    "link that is used up": Stop("/confirm/old", by_stranger=True),
    "settings": Stop("/account"),
    "tokens": Stop("/account/tokens"),
    "waking hours": Stop("/account/hours"),
    "notices": Stop("/notices"),
    "how I am told": Stop("/notices/choices"),
    "delete account": Stop("/account/delete"),
    "friends": Stop("/friends"),
    "people I have blocked": Stop("/account/blocked"),
    "groups": Stop("/groups"),
    "new group": Stop("/groups/new"),
    "lost group": Stop("/groups/join/abc", by_stranger=True),
    "administration": Stop("/admin"),
    "people, administered": Stop("/admin/people"),
    "guests, administered": Stop("/admin/people/guests"),
    "tables, administered": Stop("/admin/tables"),
    "messages that wait": Stop("/admin/queues"),
    "rules in use": Stop("/admin/rules"),
    "sign-ups": Stop("/admin/sign-ups"),
    "reports": Stop("/admin/reports"),
    "backups": Stop("/admin/backups"),
    "held matches": Stop("/admin/held"),
    "audit log": Stop("/admin/audit"),
    "my tables": Stop("/tables"),
    "tables of a guest": Stop("/tables", by_guest=True),
    "keep this game": Stop("/keep", by_guest=True),
    "not for guests": Stop("/friends", by_guest=True),
    "people": Stop("/people"),
    "ratings for a stranger": Stop("/people", by_stranger=True),
    "import a match": Stop("/import"),
    "listed tables": Stop("/tables/listed", by_stranger=True),
    "archive": Stop("/archive", by_stranger=True),
    "archive, mine": Stop("/archive?mine=1&order=closest"),
    **{f"archive of {slug}": Stop(f"/archive?game={slug}&players=2") for slug in GAMES},
    "archive, nothing found": Stop("/archive?players=3&to=2020-01-01", by_stranger=True),
    **{f"new table of {slug}": Stop(f"/tables/new?game={slug}") for slug in GAMES},
    **{f"rules of {slug}": Stop(f"/rules/{slug}", by_stranger=True) for slug in GAMES},
    **{f"{slug} on one page": Stop(f"/rules/{slug}/summary?table=1") for slug in GAMES},
    "error": Stop("/nothing/here", by_stranger=True),
    "lost invitation": Stop("/join/abc", by_stranger=True),
}
AT_TABLES = (
    "waiting room", "invitation", "invitation for guests",
    "sign up by invitation", "closing", "resting",
    "waiting", "spectator", "absent player", "log", "turn", "story", "story so far", "profile",
    "person, administered", "delete a person", "table, administered", "end a table", "paused",
    "report", "check", "practice", "coach", "odds", "back", "review", "group", "group to join",
    "remove a passkey",
    *DECISIONS, *FEWEST,
    *(f"{slug}, everything open" for slug in GAMES),
    *(f"{slug}, guided" for slug in GAMES),
    *(f"{slug}, finished" for slug in GAMES),
    *(f"{slug}, orders" for slug in GAMES if GAMES[slug].ORDERS),
    *(f"{slug}, orders left" for slug in GAMES if GAMES[slug].ORDERS),
)  # fmt: skip
NAMES = (*FIXED, *AT_TABLES)


class Catalogue:
    """The pages by name; Ann sees those that a stranger does not."""

    def __init__(self, house: House) -> None:
        self.ann, bob = Account(house), Account(house)
        self.ann.sign_up_quietly("ann")
        bob.sign_up_quietly("bob")
        self.guest = Account(house)
        self.stops = {**FIXED, **_tables(self.ann, bob)}
        for slug in GAMES:
            self.stops[f"{slug}, guided"] = Stop(self.guest.send(f"/try/{slug}"), by_guest=True)
        assert set(self.stops) == set(NAMES)

    def visit(self, person: Person, name: str) -> Page:
        """Let `person` look at a page, as Ann if it is hers."""
        stop = self.stops[name]
        if not stop.by_stranger:
            person.bring_cookie((self.guest if stop.by_guest else self.ann).cookie())
        if name in ("error", "lost invitation", "lost group"):
            person.foresees(404)
        if name == "link that is used up":
            person.foresees(410)
        if name == "not for guests":
            person.foresees(403)
        return person.open(stop.path)


def _tables(ann: Account, bob: Account) -> dict[str, Stop]:
    """Set up a table for each page that needs one."""
    first, fullest = known(FIRST).DECISIONS[0], known(FIRST).FULLEST
    forming, unlisted = set_up_table(ann, 4, listed="on"), set_up_table(ann, 3)
    with ann.house.app.app_context():
        invitation = db.session.get_one(Match, forming).invitation
        among_friends = db.session.get_one(Match, unlisted).invitation
        with writing() as tx:
            tx.execute(update(User).where(User.name == ann.name).values(is_admin=True))
    waiting = table_at(first, bob, ann, bots=1, open_chat="on")
    for text in ("Who is next?", "A-word-too-long-for-a-phone" * 5):
        ann.send(f"/table/{waiting}/chat", text=text)
    ann.send("/friends", do="add", name=bob.name)
    group = ann.send("/groups/new", name=f"Club of {ann.name}", entry="open", about="Tuesdays.")
    bob.send(group, do="join")
    over = table_at(OVER, ann, bots=2, group=group.rsplit("/", 1)[1])
    absent = table_at(fullest, ann, bob, bots=1)
    miss_turns(ann.house.app, absent, bob.name)
    closing = table_at(first, ann, bob, name="Friday night among friends and bots, 三国")
    resting = table_at(first, ann, bots=1)
    ann.send(f"/table/{closing}/seating", do="close")
    ann.send(f"/table/{resting}/seating", do="away")
    practice = ann.send(f"/table/{over}/turn/20/play-on", seat="0")
    ann.send(f"/table/{over}/review")
    while reviews.look_on(ann.house.app):
        pass
    _rate(ann)
    with ann.house.app.app_context():
        bob_id = db.session.scalars(select(User.id).where(User.name == bob.name)).one()
    paused = table_at(first, ann, bob)
    ann.send(f"/admin/tables/{paused}/pause", why="The server moves house")
    _leave_unsent(ann, bob_id, waiting)
    stops = {
        "person, administered": Stop(f"/admin/people/{bob_id}"),
        "delete a person": Stop(f"/admin/people/{bob_id}/delete"),
        "table, administered": Stop(f"/admin/tables/{paused}"),
        "end a table": Stop(f"/admin/tables/{paused}/end"),
        "paused": Stop(f"/table/{paused}"),
        "waiting room": Stop(f"/table/{forming}"),
        "invitation": Stop(f"/join/{invitation}", by_stranger=True),
        "invitation for guests": Stop(f"/join/{among_friends}", by_stranger=True),
        "sign up by invitation": Stop(f"/sign-up?next=/join/{invitation}", by_stranger=True),
        "group": Stop(group),
        "group to join": Stop(group, by_stranger=True),
        "closing": Stop(f"/table/{closing}"),
        "resting": Stop(f"/table/{resting}"),
        "waiting": Stop(f"/table/{waiting}"),
        "spectator": Stop(f"/table/{waiting}", by_stranger=True),
        "absent player": Stop(f"/table/{absent}"),
        "log": Stop(f"/table/{over}/log"),
        "turn": Stop(f"/table/{over}/turn/20"),
        "story": Stop(f"/table/{over}/story", by_stranger=True),
        "story so far": Stop(f"/table/{absent}/story"),
        "profile": Stop(f"/people/{ann.name}"),
        "report": Stop(f"/table/{over}/turn/20/report"),
        "remove a passkey": Stop(f"/account/passkeys/{_passkey(ann)}/remove"),
        "check": Stop(f"/table/{over}/check", by_stranger=True),
        "practice": Stop(practice),
        "coach": Stop(f"{practice}/coach"),
        "odds": Stop(f"{practice}/odds"),
        "back": Stop(f"{practice}/back"),
        "review": Stop(f"/table/{over}/review"),
    }
    for slug in GAMES:
        stops |= _of_game(slug, ann, bob)
    return stops


def _rate(ann: Account) -> None:
    """Let Ann have a rating, so that there is a list of them."""
    with ann.house.app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == ann.name)).one()
        rating = newcomer(FIRST, user_id=user_id)
        rating.on_since, rating.matches = now(), 12
        tx.add(rating)


def _leave_unsent(ann: Account, bob_id: int, match_id: int) -> None:
    """Let a mail and a notice wait that were not taken, so that administrators have a list."""
    later, bob = now() + timedelta(days=1), {"user_id": bob_id}
    with ann.house.app.app_context(), writing() as tx:
        notice = Notice(
            **bob, match_id=match_id, event="turn", version=99, made_at=now(), due_at=later,
            queued=True,
        )  # fmt: skip
        tx.add(notice)
        tx.flush()
        job = {"kind": "webhook", "lane": "slow", "made_at": now(), "due_at": later, "attempts": 2}
        tx.add(SendJob(**bob, notice_id=notice.id, **job))
        said = {"answer": "410 gone", "subject": "Your turn", "place": "", "sent_at": now()}
        tx.add(Delivery(**bob, kind="webhook", accepted=False, **said))
        tx.add(AccountMail(**bob, kind="link", to="", name="", detail="", due_at=later))


def _passkey(ann: Account) -> int:
    """Let Ann have a passkey, which opens nothing; return its number."""
    with ann.house.app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == ann.name)).one()
        parts = {"credential_id": b"1", "handle": b"2", "public_key": b"3", "sign_count": 0}
        known = {"name": "A-name-too-long-for-a-phone-三国", "created_at": now()}
        key = Passkey(user_id=user_id, **known, **parts)
        tx.add(key)
        tx.flush()
        return key.id


def _of_game(slug: str, ann: Account, bob: Account) -> dict[str, Stop]:
    """Set up the tables of one game, most of them with as many players as it takes."""
    game, about = GAMES[slug], known(slug)
    fewest, most = game.SEATS[0] - 1, game.SEATS[-1] - 1
    decisions = (*about.DECISIONS, *about.RARE)
    phases = {phase: table_at(phase, ann, bots=most, game=slug) for phase in decisions}
    phases["fewest players"] = table_at(about.FULLEST, ann, bots=fewest, game=slug)
    phases["finished"] = table_at(OVER, ann, bots=most, game=slug)
    stops = {f"{slug}, {name}": Stop(f"/table/{number}") for name, number in phases.items()}
    everything = f"/table/{phases['finished']}/turn/4?as=all"
    stops[f"{slug}, everything open"] = Stop(everything, by_stranger=True)
    if game.ORDERS:
        ordered = table_at(about.FULLEST, bob, ann, bots=1, game=slug)
        made = str(ann.house.moves_made(ordered, ann.name))
        ann.send(f"/table/{ordered}/orders", moves_made=made, **about.ORDERS)
        stops[f"{slug}, orders"] = Stop(f"/table/{ordered}/orders")
        stops[f"{slug}, orders left"] = Stop(f"/table/{ordered}")
    return stops
