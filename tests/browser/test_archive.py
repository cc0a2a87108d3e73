"""The archive in a browser: searched on a phone without scripts, from page to page."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.web.test_archive import put

TOO_SMALL = """() => [...document.querySelectorAll("main a, main button, main select, main input")]
  .filter((each) => each.getClientRects().length && each.type !== "hidden")
  .filter((each) => !each.closest(".rows"))  // The whole row is a link.
  .map((each) => each.closest("label") ?? each)
  .filter((each) => each.getBoundingClientRect().height < 43.9)
  .map((each) => each.outerHTML.slice(0, 120))"""


def test_a_stranger_finds_a_match_by_player_and_goes_from_page_to_page(
    visitor: Callable[..., Person],
) -> None:
    size = {"width": 390, "height": 844}
    person = visitor(viewport=size, is_mobile=True, has_touch=True, java_script_enabled=False)
    people = ("Quentin", "Roswitha")
    put(person.house.app, *((f"Quest {n}", people, (30 + n, 30), {}) for n in range(30)))

    page = person.open("/archive")
    page.locator("summary").click()
    page.get_by_label("Player", exact=True).fill("quentin")
    page.get_by_label("Order").select_option("Closest first")
    page.get_by_role("button", name="Search").tap()
    rows = page.locator(".rows > li")
    expect(rows).to_have_count(25)
    expect(rows.first).to_contain_text("1. Quentin, $30K; 1. Roswitha, $30K")
    expect(rows.nth(1)).to_contain_text("$1K ahead")
    assert page.url.endswith("/archive?player=quentin&order=closest")
    page.get_by_role("link", name="Next page").tap()
    expect(rows).to_have_count(5)
    expect(page.get_by_role("link", name="Next page")).to_have_count(0)
    page.get_by_role("link", name="Previous page").tap()
    expect(rows).to_have_count(25)

    page.locator("summary").click()
    assert page.evaluate(TOO_SMALL) == []
    page.get_by_label("From this day").fill("2020-01-01")
    page.get_by_label("To this day").fill("2020-01-02")
    page.get_by_role("button", name="Search").tap()
    expect(page.get_by_text("No match is like that")).to_be_visible()
    page.get_by_role("link", name="Drop to Thu 2 Jan 2020").tap()
    expect(rows).to_have_count(25)
