"""Practice on a phone: the odds, and going back, by keyboard; and the same without scripts."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.support.known import FIRST


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_one_sees_the_odds_goes_back_and_decides_anew(player, scripts):
    ann = player("ann", java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    address = ann.send(f"/try/{FIRST}")
    page = ann.open(address)
    first = page.locator("#say").inner_text()
    back = page.get_by_role("link", name="Back to before")
    expect(back).to_have_count(0)  # There is nothing yet to go back to.
    ann.decide(Random(1))
    ann.decide(Random(2))

    page.get_by_role("link", name="The odds").press("Enter")
    expect(page.locator("#odds-h")).to_be_in_viewport()
    expect(page.locator("#coach table").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if not scripts:
        page.get_by_role("link", name="Back to the table").click()

    back.press("Enter")
    expect(page.locator("#back-h")).to_be_in_viewport()
    ways = page.locator("#coach button")
    expect(ways).to_have_count(2)
    assert all(way.bounding_box()["height"] >= 44 for way in ways.all())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    ways.last.press("Enter")
    expect(page.locator("#say")).to_have_text(first)
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    expect(page.locator("#coach h2")).to_have_count(0)

    # From a page of the past it is the same.
    ann.decide(Random(3))
    way = page.get_by_role("button", name="Take back").get_attribute("formaction")
    ann.open(f"{address}/turn/{int(way.rsplit('/', 1)[1]) - 1}")
    page.get_by_role("button", name="Back to here").press("Enter")
    expect(page.locator("#say")).to_have_text(first)
