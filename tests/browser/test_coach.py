"""The coach beside the board, by keyboard, and on a page of its own without scripts."""

from random import Random

import pytest
from playwright.sync_api import expect

from stockpile_web.storage.models.matches import OVER
from tests.browser.scenes import table_at


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_coach_answers_where_it_was_asked_and_is_silent_after_the_move(player, scripts):
    ann = player("ann", java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    over = table_at(OVER, ann, bots=2)
    address = ann.send(f"/table/{over}/turn/6/play-on", seat="0")
    page = ann.open(address)
    asks = page.get_by_role("link", name="What would a steady player do?")
    asks.focus()
    page.keyboard.press("Enter")
    title = page.get_by_role("heading", name="What a steady player would do")
    expect(title).to_be_in_viewport()
    expect(page.locator("#coach > ol > li").first).to_contain_text(".")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if scripts:
        expect(title).to_be_focused()
        expect(asks).to_be_visible()
        ann.decide(Random(1))
        expect(title).to_have_count(0)
    else:
        page.get_by_role("link", name="Back to the table").click()
        expect(asks).to_be_visible()
