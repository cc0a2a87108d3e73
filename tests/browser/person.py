"""Somebody with a browser of their own, who clicks what a person would click."""

import re
from collections.abc import Iterable
from random import Random

from flask.testing import FlaskClient
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.browser.house import House

PASSWORD = "correct horse"
PATIENCE = 20_000  # Milliseconds; nothing is ever waited for in vain, so it costs nothing.


class Person:
    """A browser context; `client` is the same person's plain client, to set scenes with."""

    def __init__(
        self, house: House, context: BrowserContext, name: str = "", client: FlaskClient | None = None
    ) -> None:
        self.house = house
        self.context = context
        self.name = name
        self.client = client
        self.complaints: list[str] = []
        self._foreseen: set[int] = set()
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("console", self._listen)
        self.page: Page = context.new_page()

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def foresees(self, status: int) -> None:
        """Expect an answer of this status, which the browser will remark on."""
        self._foreseen.add(status)

    def unforeseen(self) -> list[str]:
        """Return what the browser complained about: errors, refused content, failed requests."""
        answers = [f"responded with a status of {status} " for status in self._foreseen]
        return [words for words in self.complaints if not any(a in words for a in answers)]

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
        return self.board.get_by_role("button")

    def expect_version(self, match_id: int) -> None:
        """Wait until the page shows the table as it stands."""
        mark = self.house.mark(match_id)
        expect(self.board).to_have_attribute("data-version", mark)

    def choose(self, ids: Iterable[str]) -> None:
        """Click the labels of these radio buttons, as far as they are not chosen already."""
        for id_ in ids:
            if not self.page.locator(f"#{id_}").is_checked():
                self.page.locator(f"label:has(#{id_})").click()

    def decide(self, chooser: Random) -> None:
        """Choose something on the board and send it, then wait for the answer."""
        version = self.board.get_attribute("data-version") or ""
        self.choose(some_choice(self.radios(), chooser))
        self.main_button.click()
        expect(self.board).not_to_have_attribute("data-version", version)

    def radios(self) -> list[tuple[str, str]]:
        """Return name and id of every radio button on the board."""
        found = self.board.locator("input[type=radio]")
        pairs = found.evaluate_all("all => all.map(radio => [radio.name, radio.id])")
        return [(name, id_) for name, id_ in pairs]


def some_choice(radios: list[tuple[str, str]], chooser: Random) -> list[str]:
    """Choose one radio button of each group; of several ways to sell a card, at most one."""
    groups: dict[str, list[str]] = {}
    for name, id_ in radios:
        groups.setdefault(name, []).append(id_)
    chosen, companies = [], set()
    for name, ids in groups.items():
        found = re.match(r"before\.(\w+)", name)
        if found and found[1] in companies:
            continue
        chosen.append(chooser.choice(ids))
        if found and chosen[-1] != ids[0]:
            companies.add(found[1])
    return chosen
