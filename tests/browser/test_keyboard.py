"""A player with a keyboard and nothing else."""

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.scenes import table_at

MOST_STOPS = 60

# A control may be drawn by its label: then that shows the focus.
SHOWS_FOCUS = """() => {
  const focused = document.activeElement;
  const drawn = [focused, focused.closest("label")].filter(Boolean);
  return drawn.some((element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  });
}"""


def tab_to(person: Person, selector: str) -> None:
    """Press Tab until what is wanted has the focus, which shows at every stop on the way."""
    page = person.page
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        where = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        assert page.evaluate(SHOWS_FOCUS), f"the focus does not show: {where}"
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with Tab")


@pytest.fixture
def ann(player):
    return player("ann")


def open_at(ann: Person, phase: str) -> int:
    match_id = table_at(phase, ann, bots=2)
    ann.open_table(match_id)
    return match_id


def press_main_button(ann: Person, match_id: int, house, key: str) -> None:
    """Send the decision, and see that it was taken."""
    made = house.moves_made(match_id, ann.name)
    version = ann.board.get_attribute("data-version") or ""
    tab_to(ann, "form#board button")
    ann.page.keyboard.press(key)
    expect(ann.board).not_to_have_attribute("data-version", version)
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    assert house.moves_made(match_id, ann.name) > made


def test_the_first_stop_is_a_link_that_skips_to_the_page(ann):
    open_at(ann, "supply")
    ann.page.keyboard.press("Tab")
    skip = ann.page.get_by_role("link", name="Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("main")).to_be_focused()


def test_cards_are_laid_with_the_keyboard(ann, house):
    match_id = open_at(ann, "supply")
    tab_to(ann, "input[name='part.cards']")
    ann.page.keyboard.press("Space")
    tab_to(ann, "input[name='part.up']")
    ann.page.keyboard.press("Space")
    ann.page.keyboard.press("ArrowDown")
    expect(ann.page.locator("#up-on-1")).to_be_checked()
    tab_to(ann, "input[name='part.down']")
    ann.page.keyboard.press("Space")
    press_main_button(ann, match_id, house, "Enter")


def test_a_bid_is_made_with_the_keyboard(ann, house):
    match_id = open_at(ann, "demand")
    tab_to(ann, "input[name='move']")
    ann.page.keyboard.press("Space")
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("ArrowRight")
    chosen = ann.page.locator("input[name='move']:checked")
    expect(chosen).to_be_focused()
    expect(ann.page.locator("#effect")).to_contain_text("Bid $")
    press_main_button(ann, match_id, house, "Space")


def test_shares_are_sold_with_the_keyboard(ann, house):
    match_id = open_at(ann, "selling")
    tab_to(ann, "input[name^='before.']")
    ann.page.keyboard.press("ArrowRight")
    expect(ann.page.locator("#effect")).to_contain_text("Sell 1 ")
    press_main_button(ann, match_id, house, "Enter")
    expect(ann.page.locator("#log")).to_contain_text("sells 1 ")
