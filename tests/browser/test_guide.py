"""A newcomer is guided on a phone: what is marked, leaving it, and taking it up again."""

from random import Random

import pytest
from playwright.sync_api import expect

from stockpile_web.games import GAMES

PHONE = {"width": 390, "height": 844}
OUTLINED = """() => [...document.querySelectorAll("#board [id]")]
  .filter((one) => getComputedStyle(one).outlineStyle === "dashed").map((one) => one.id).sort()"""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("slug", GAMES)
def test_a_first_game_is_explained_at_the_thing_itself(visitor, slug, scripts):
    stranger = visitor(java_script_enabled=scripts, viewport=PHONE, has_touch=True)
    page = stranger.open("/")
    page.locator(f'button[formaction="/try/{slug}"]').click()
    guide, leave = page.locator("#guide"), page.get_by_role("button", name="Leave the guide")
    expect(guide).to_be_in_viewport(ratio=1)
    expect(page.locator("#bar button").last).to_be_in_viewport(ratio=1)
    assert page.evaluate(OUTLINED) == sorted((guide.get_attribute("data-look") or "").split())
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.locator("[role=status] #guide, [aria-live] #guide").count() == 0
    guide.get_by_text("Tell me more").click()
    expect(guide.get_by_role("link", name="How a steady player ranks all choices")).to_be_visible()

    leave.focus()
    page.keyboard.press("Enter")
    expect(guide).to_have_count(0)
    expect(page.get_by_role("link", name="What would a steady player do?")).to_be_visible()
    assert page.evaluate(OUTLINED) == []
    if scripts:
        expect(page.locator("#say")).to_be_focused()
    page.get_by_role("radio", name="Table").check(force=True)
    page.get_by_role("button", name="Explain the decisions of this round").click()
    expect(guide).to_be_in_viewport(ratio=0.5)
    stranger.decide(Random(1))
    expect(guide).to_be_visible()
