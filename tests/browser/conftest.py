"""The real site, one Chromium, and people; what a browser complains about fails the test."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.catalogue import Catalogue
from tests.browser.house import House, open_house
from tests.browser.person import PATIENCE, Person

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]

expect.set_options(timeout=PATIENCE)


def browser_path() -> str | None:
    """Return where the browser of this machine is."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


# For this folder alone: while Playwright runs, no other test could run an event loop.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser of this machine."""
    found = browser_path()
    if not found:
        if os.environ.get("CI"):
            pytest.fail("There is no Chromium here, and in CI the tests need one.")
        pytest.skip("no Chromium here (install chromium-headless-shell, or set CHROMIUM)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The site, served by gunicorn on SQLite."""
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


# The bar of a new question rests for a moment; with hundreds of questions that would be minutes.
NO_REST = """
const wait = window.setTimeout;
window.setTimeout = (act, time, ...rest) => wait(act, time === 700 ? 0 : time, ...rest);
"""


@pytest.fixture
def visitor(chromium: Browser, house: House) -> Iterator[Callable[..., Person]]:
    """Open a browser nobody is signed in with: `visitor(java_script_enabled=False)`."""
    here: list[Person] = []

    def arrive(**context: Any) -> Person:
        # Whatever moves is waited for before it is clicked, and nothing is told twice.
        here.append(Person(house, chromium.new_context(**{"reduced_motion": "reduce", **context})))
        here[-1].context.add_init_script(NO_REST)
        return here[-1]

    yield arrive
    for person in here:
        person.context.close()
    assert [words for person in here for words in person.unforeseen()] == []


@pytest.fixture
def player(visitor: Callable[..., Person]) -> Callable[..., Person]:
    """Open a browser for somebody who has an account: `player("ann")`."""

    def arrive(name: str, **context: Any) -> Person:
        person = visitor(**context)
        person.sign_up_quietly(name)
        person.bring_cookie(person.cookie())
        return person

    return arrive


@pytest.fixture(scope="package")
def catalogue(house: House) -> Catalogue:
    """Every page, ready to be looked at."""
    return Catalogue(house)
