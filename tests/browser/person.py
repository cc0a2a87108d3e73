"""Somebody with a browser of their own, who clicks what a person would click."""

import re
from random import Random
from typing import NamedTuple

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.browser.account import PASSWORD, Account
from tests.browser.house import House

RADIOS = """all => all.map(one => [
  one.id, one.name, one.checked, one.checkVisibility() > 0, one.dataset.apart || ""])"""

PATIENCE = 20_000  # Milliseconds; nothing is ever waited for in vain, so it costs nothing.


class Radio(NamedTuple):
    """A radio button of the board; of those that are `apart` alike, one may be chosen."""

    name: str
    checked: bool
    shown: bool
    apart: str


class Person(Account):
    """A browser context with a page, and the errors that the browser has told of."""

    def __init__(self, house: House, context: BrowserContext) -> None:
        super().__init__(house)
        self.context = context
        self.complaints: list[str] = []
        self._foreseen: set[int] = set()
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("console", self._listen)
        self.page: Page = context.new_page()

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def foresees(self, status: int) -> None:
        """Expect an answer of this status, which the browser will remark on."""
        self._foreseen.add(status)

    def unforeseen(self) -> list[str]:
        """Return what the browser complained about: errors, refused content, failed requests."""
        answers = [f"responded with a status of {status} " for status in self._foreseen]
        return [words for words in self.complaints if not any(a in words for a in answers)]

    def bring_cookie(self, cookie: str) -> None:
        """Be signed in as somebody who is."""
        url = self.house.url
        self.context.add_cookies([{"name": "session", "value": cookie, "url": url}])

    def open(self, path: str, page: Page | None = None) -> Page:
        """Go to a page of the site."""
        page = page or self.page
        page.goto(self.house.url + path)
        return page

    def open_table(self, match_id: int) -> Page:
        """Go to a table, and wait until its page listens for news."""
        page = self.open(f"/table/{match_id}")
        expect(page.locator("body")).to_have_attribute("data-live-state", "on")
        return page

    def sign_up(self, name: str) -> None:
        """Fill in and send the sign-up form, which is open."""
        self.name = name
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_text(f"Welcome, {name}.")).to_be_visible()

    @property
    def board(self) -> Locator:
        """The board, which is a form."""
        return self.page.locator("form#board")

    @property
    def main_button(self) -> Locator:
        """The one button that sends what was chosen on the board."""
        return self.board.locator("#bar button")

    def expect_version(self, match_id: int) -> None:
        """Wait until the page shows the table as it stands."""
        mark = self.house.mark(match_id)
        expect(self.board).to_have_attribute("data-version", mark)

    def choose(self, *ids: str) -> None:
        """Click the labels of these radio buttons."""
        for id_ in ids:
            self.page.locator(f"label:has(#{id_})").click()

    def show(self, tab: str) -> None:
        """Let the page show something beside the board: talk, orders, notes or about."""
        self.choose(f"tab-{tab}")

    def choose_something(self, chooser: Random) -> list[str]:
        """Make a whole choice on the board without sending it; return the ids of it.

        What is chosen may bring further questions, so the board is looked at again; or it puts an
        end to one.
        """
        chosen: list[str] = []
        answered: set[str] = set()
        while radios := self._open_questions(answered):
            answered |= {radio.name for radio in radios.values()}
            for id_ in some_choice(radios, chooser):
                if self.page.locator(f"label:has(#{id_})").is_visible():
                    chosen.append(id_)
                    if not radios[id_].checked:
                        self.choose(id_)
        return chosen

    def _open_questions(self, answered: set[str]) -> dict[str, Radio]:
        """Return the radio buttons that can be seen, of groups that were not answered yet."""
        seen = self.radios().items()
        return {id_: one for id_, one in seen if one.shown and one.name not in answered}

    def decide(self, chooser: Random) -> None:
        """Choose something on the board and send it, then wait for the answer."""
        version = self.board.get_attribute("data-version") or ""
        self.choose_something(chooser)
        if self._take_steps(chooser):
            self.choose_something(chooser)
        self.main_button.click()
        expect(self.board).not_to_have_attribute("data-version", version)

    def _take_steps(self, chooser: Random) -> bool:
        """Now and then build the turn in steps instead, if it can be; tell whether it is."""
        links = self.board.locator("a[data-step]:visible:not(#one-back, #begin-again)")
        taken = self.board.locator("#steps [name=step]")
        while (count := links.count()) and (not self.main_button.count() or chooser.random() < 0.5):
            before = taken.count()
            links.nth(chooser.randrange(count)).click()
            expect(taken).to_have_count(before + 1)
        return taken.count() > 0

    def radios(self) -> dict[str, Radio]:
        """Return every radio button on the board, by id."""
        found = self.board.locator("input[type=radio]")
        facts = found.evaluate_all(RADIOS)
        return {id_: Radio(*rest) for id_, *rest in facts}


def some_choice(radios: dict[str, Radio], chooser: Random) -> list[str]:
    """Choose one radio button of each group; seldom what comes before a move, and one way of it."""
    groups: dict[str, list[str]] = {}
    for id_, radio in radios.items():
        groups.setdefault(radio.name, []).append(id_)
    chosen, begun, taken = [], set(), set[str]()
    for name, ids in groups.items():
        before = re.match(r"before\.(\w+)", name)
        if before is None:
            chosen.append(chooser.choice([id_ for id_ in ids if radios[id_].apart not in taken]))
            taken |= {radios[chosen[-1]].apart} - {""}
        elif before[1] not in begun and chooser.random() < 0.3:
            begun.add(before[1])
            chosen.append(chooser.choice(ids[1:]))
    return chosen
