"""Pages that are older than the table, answers that overtake each other, and double clicks."""

import time
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.person import Person
from tests.browser.scenes import table_at

# Playwright's tabs never hide by themselves. A tab behind others that gets no lock has no stream.
HIDE = """Object.defineProperty(document, 'visibilityState', {value: 'hidden'});
Object.defineProperty(navigator, 'locks', {value: undefined});"""


@pytest.fixture
def match(player):
    """A table of two people: its number, who is to lay cards, and who waits."""
    ann, bob = player("ann"), player("bob")
    return table_at("supply", ann, bob, bots=1), ann, bob


def second_tab(person: Person, match_id: int) -> Page:
    """Open the table in another tab, behind the first."""
    page = person.context.new_page()
    page.add_init_script(HIDE)
    return person.open(f"/table/{match_id}", page)


def test_a_move_in_an_old_tab_is_refused_in_words_and_shows_the_fresh_board(match, house):
    match_id, ann, _ = match
    front = ann.open_table(match_id)
    old = second_tab(ann, match_id)
    ann.page = old
    ann.choose_something(Random(1))
    ann.page = front
    ann.decide(Random(2))
    ann.foresees(409)
    ann.page = old
    ann.main_button.click()
    expect(old.get_by_role("alert")).to_contain_text("moved on")
    ann.expect_version(match_id)
    expect(old.locator("#say")).to_contain_text("Waiting for")
    assert house.moves_made(match_id, ann.name) == 1


def test_an_answer_that_is_older_than_the_page_is_dropped(match):
    match_id, ann, bob = match
    page = ann.open_table(match_id)
    late: list[tuple[Route, APIResponse]] = []
    page.route(f"**/table/{match_id}", lambda route: late.append((route, route.fetch())))
    bob.open(f"/table/{match_id}")
    bob.show("talk")
    bob.page.get_by_label("Say something to the table").fill("Your turn!")
    # As if the page had missed something: then it fetches what is new.
    page.evaluate("document.getElementById('board').dataset.table = ''")
    with page.expect_request(f"**/table/{match_id}"):
        bob.page.get_by_role("button", name="Say it").click()
    for _ in range(400):  # The server has answered, and the answer is held back here.
        if late:
            break
        page.wait_for_timeout(25)
    ann.decide(Random(1))
    expect(page.locator("#say")).to_contain_text("Waiting for")
    (route, answer), *_ = late
    route.fulfill(response=answer)
    # While a request is under way its element has this class; it goes after the swap.
    expect(page.locator(".htmx-request")).to_have_count(0)
    ann.expect_version(match_id)
    expect(page.locator("#say")).to_contain_text("Waiting for")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_double_click_counts_once(player, house, scripts):
    ann, bob = player("ann", java_script_enabled=scripts), player("bob")
    match_id = table_at("supply", ann, bob, bots=1)
    ann.open(f"/table/{match_id}")
    ann.choose_something(Random(1))
    ann.main_button.dblclick()
    expect(ann.page.locator("#say")).to_contain_text("Waiting for")
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    assert house.moves_made(match_id, ann.name) == 1


def test_a_click_repeated_because_the_answer_is_slow_counts_once(player, house):
    ann, bob = player("ann", java_script_enabled=False), player("bob")
    match_id = table_at("supply", ann, bob, bots=1)
    page = ann.open(f"/table/{match_id}")
    carried_out: list[int] = []

    def answer_the_second_only(route: Route) -> None:
        if carried_out:
            route.continue_()
        else:
            carried_out.append(route.fetch(max_redirects=0).status)

    page.route("**/move", answer_the_second_only)
    ann.choose_something(Random(1))
    ann.main_button.scroll_into_view_if_needed()
    box = ann.main_button.bounding_box()
    assert box is not None
    # With the mouse itself: a locator would wait for the answer to the first click.
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)
    wait_in(page, lambda: carried_out == [303])
    page.mouse.click(*middle)
    expect(page.locator("#say")).to_contain_text("Waiting for")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert house.moves_made(match_id, ann.name) == 1


def wait_in(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait for what a listener of the page brings about; listeners run only inside its calls."""
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        page.wait_for_timeout(10)
