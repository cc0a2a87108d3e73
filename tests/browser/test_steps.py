"""A turn that is built in steps, in a browser: the toy is played with scripts and without."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.account import Account
from tests.browser.house import House, open_house
from tests.browser.person import Person
from tests.support.toy.table import deal


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The site with the toy on it."""
    with (
        open_house(tmp_path_factory.mktemp("toy"), "tests.support.toy.wsgi:app") as house,
        pytest.MonkeyPatch.context() as patch,
    ):
        deal(patch, house.app)
        yield house


def sit_down(house: House, ann: Person) -> tuple[str, Account]:
    """Let Ann begin a match with Bob, in which she is to lay a ten; return where, and Bob."""
    bob = Account(house)
    bob.sign_up_quietly("bob")
    address = ann.send("/tables/new", game="tens", size="2", pace="day", listed="on")
    bob.send(f"{address}/seating", do="join")
    return address, bob


def said(page: Page) -> str:
    return page.locator("#say").inner_text()


def test_a_turn_is_built_and_unbuilt_while_others_talk(
    house: House, player: Callable[..., Person]
) -> None:
    ann = player("ann")
    address, bob = sit_down(house, ann)
    page = ann.open_table(int(address.rsplit("/", 1)[1]))
    page.get_by_role("link", name="Pick 3").click()
    expect(page.locator("#say")).to_contain_text("You have picked 3: 3 of 10.")
    expect(page.locator("#say")).to_be_focused()
    bob.send(f"{address}/chat", text="Hurry up")
    expect(page.locator("#chat")).to_contain_text("Hurry up")
    assert "3 of 10" in said(page)
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator("#say")).to_contain_text("pick cards")
    page.get_by_role("link", name="Pick 4").click()
    page.get_by_role("link", name="Pick 6").click()
    expect(page.locator("#say")).to_contain_text("You have picked 4, 6: 10 of 10.")
    assert page.url.endswith(address)  # A reload begins the turn again.
    page.get_by_role("button", name="Lay them").click()
    expect(page.locator("#log")).to_contain_text("lays 4 + 6.")
    expect(page.locator("#ways-back")).to_have_count(0)


def test_news_that_ends_my_turn_says_so(house: House, player: Callable[..., Person]) -> None:
    """Ann moves elsewhere: what she was building here is not open any more."""
    ann = player("ann")
    address, _ = sit_down(house, ann)
    page = ann.open_table(int(address.rsplit("/", 1)[1]))
    page.get_by_role("link", name="Pick 3").click()
    expect(page.locator("#say")).to_contain_text("3 of 10")
    ann.send(f"{address}/move", moves_made="0", move='{"move":"Pass"}')
    expect(page.locator("#refusal")).to_contain_text("not open to you any more")
    expect(page.locator("#say")).to_contain_text("Waiting for bob")


def test_news_that_was_asked_for_before_a_step_does_not_undo_it(
    house: House, player: Callable[..., Person]
) -> None:
    ann = player("ann")
    address, bob = sit_down(house, ann)
    page = ann.open_table(int(address.rsplit("/", 1)[1]))
    late: list[tuple[Route, APIResponse]] = []
    page.route(f"**{address}", lambda route: late.append((route, route.fetch())))
    # As if the page had missed something: then it fetches what is new.
    page.evaluate("document.getElementById('board').dataset.table = ''")
    with page.expect_request(f"**{address}"):
        bob.send(f"{address}/chat", text="Hurry up")
    while not late:  # The server has answered, and the answer is held back here.
        page.wait_for_timeout(25)
    page.get_by_role("link", name="Pick 3").click()
    expect(page.locator("#say")).to_contain_text("3 of 10")
    (route, answer), *_ = late
    route.fulfill(response=answer)
    expect(page.locator(".htmx-request")).to_have_count(0)
    assert "3 of 10" in said(page)
    expect(page.locator("#chat")).to_contain_text("Hurry up")  # It came with the step.


def test_a_turn_is_built_without_scripts(house: House, player: Callable[..., Person]) -> None:
    ann = player("ann", java_script_enabled=False)
    address, _ = sit_down(house, ann)
    page = ann.open(address)
    page.get_by_role("link", name="Pick 3").click()
    page.get_by_role("link", name="Pick 7").click()
    page.go_back()
    assert "3 of 10" in said(page)
    page.get_by_role("link", name="Begin again").click()
    page.get_by_role("link", name="Pick 7").click()
    page.get_by_role("link", name="Pick 3").click()
    page.get_by_role("button", name="Lay them").click()
    assert "Waiting for bob" in said(page)
    expect(page.locator("#laid")).to_contain_text("7, 3")
