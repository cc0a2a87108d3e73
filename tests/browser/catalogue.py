"""Every page of the site and every phase of the board, to be looked at and not to be played."""

from typing import NamedTuple

from playwright.sync_api import Page

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from tests.browser.account import Account
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.scenes import OVER, set_up_table, table_at
from tests.support.hourglass import miss_turns

DECISIONS = ("supply", "demand", "action", "selling", "dividend")
STONKS = {"stonks portfolio": "portfolio", "stonks trick": "trick", "stonks taking": "acquiring"}


class Stop(NamedTuple):
    """A page, and whether a stranger looks at it."""

    path: str
    by_stranger: bool = False


FIXED = {
    "home": Stop("/", by_stranger=True),
    "sign up": Stop("/sign-up", by_stranger=True),
    "sign in": Stop("/sign-in", by_stranger=True),
    "forgotten password": Stop("/reset", by_stranger=True),
    "settings": Stop("/account"),
    "waking hours": Stop("/account/hours"),
    "notices": Stop("/notices"),
    "how I am told": Stop("/notices/choices"),
    "delete account": Stop("/account/delete"),
    "new table": Stop("/tables/new"),
    "my tables": Stop("/tables"),
    "listed tables": Stop("/tables/listed", by_stranger=True),
    "new table of stonks": Stop("/tables/new?game=stonks"),
    "rules": Stop("/rules/stockpile", by_stranger=True),
    "rules of stonks": Stop("/rules/stonks", by_stranger=True),
    "error": Stop("/nothing/here", by_stranger=True),
    "lost invitation": Stop("/join/abc", by_stranger=True),
}
AT_TABLES = (
    "waiting room", "invitation", "sign up by invitation", "closing", "resting",
    *DECISIONS, "five players", "two players", "waiting", "spectator",
    "absent player", "finished", "log", "turn", "orders", "orders left",
    *STONKS, "stonks finished", "stonks orders",
)  # fmt: skip
NAMES = (*FIXED, *AT_TABLES)


class Catalogue:
    """The pages by name; Ann sees those that a stranger does not."""

    def __init__(self, house: House) -> None:
        self.ann, bob = Account(house), Account(house)
        self.ann.sign_up_quietly("ann")
        bob.sign_up_quietly("bob")
        self.stops = {**FIXED, **_tables(self.ann, bob)}
        assert set(self.stops) == set(NAMES)

    def visit(self, person: Person, name: str) -> Page:
        """Let `person` look at a page, as Ann if it is hers."""
        stop = self.stops[name]
        if not stop.by_stranger:
            person.bring_cookie(self.ann.cookie())
        if name in ("error", "lost invitation"):
            person.foresees(404)
        return person.open(stop.path)


def _tables(ann: Account, bob: Account) -> dict[str, Stop]:
    """Set up a table for each page that needs one."""
    forming = set_up_table(ann, 4, listed="on")
    with ann.house.app.app_context():
        invitation = db.session.get_one(Match, forming).invitation
    waiting = table_at("supply", bob, ann, bots=1, open_chat="on")
    for text in ("Who is next?", "A-word-too-long-for-a-phone" * 5):
        ann.send(f"/table/{waiting}/chat", text=text)
    over = table_at(OVER, ann, bots=2)
    absent = table_at("demand", ann, bob, bots=1)
    miss_turns(ann.house.app, absent, bob.name)
    ordered = table_at("demand", bob, ann, bots=1)
    made = str(ann.house.moves_made(ordered, ann.name))
    ann.send(
        f"/table/{ordered}/orders", moves_made=made, round="1", rest="round", dividends="never"
    )
    closing = table_at("supply", ann, bob, name="Friday night among friends and bots, 三国")
    resting = table_at("supply", ann, bots=1)
    ann.send(f"/table/{closing}/seating", do="close")
    ann.send(f"/table/{resting}/seating", do="away")
    return {
        "waiting room": Stop(f"/table/{forming}"),
        "invitation": Stop(f"/join/{invitation}", by_stranger=True),
        "sign up by invitation": Stop(f"/sign-up?next=/join/{invitation}", by_stranger=True),
        "closing": Stop(f"/table/{closing}"),
        "resting": Stop(f"/table/{resting}"),
        **{phase: Stop(f"/table/{table_at(phase, ann, bots=2)}") for phase in DECISIONS},
        "five players": Stop(f"/table/{table_at('demand', ann, bots=4)}"),
        "two players": Stop(f"/table/{table_at('demand', ann, bots=1)}"),
        "waiting": Stop(f"/table/{waiting}"),
        "spectator": Stop(f"/table/{waiting}", by_stranger=True),
        "absent player": Stop(f"/table/{absent}"),
        "finished": Stop(f"/table/{over}"),
        "log": Stop(f"/table/{over}/log"),
        "turn": Stop(f"/table/{over}/turn/20"),
        "orders": Stop(f"/table/{ordered}/orders"),
        "orders left": Stop(f"/table/{ordered}"),
        **{name: Stop(_stonks(phase, ann)) for name, phase in STONKS.items()},
        "stonks finished": Stop(_stonks(OVER, ann)),
        "stonks orders": Stop(_stonks("trick", ann) + "/orders"),
    }


def _stonks(phase: str, ann: Account) -> str:
    return f"/table/{table_at(phase, ann, bots=4, game='stonks')}"
