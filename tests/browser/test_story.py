"""The story of a match in a browser: readable on a phone and on a laptop, and on paper."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import OVER, table_at
from tests.browser.test_phone import THUMB, TOO_WIDE

STORY = re.compile("^Its story|^The story of this match")
LEAST_TEXT = 12  # Pixels.

# As it is drawn: the size of the style sheet times how much the chart is enlarged.
TEXT_SIZES = """() => [...document.querySelectorAll(".chart svg")].flatMap((chart) =>
  [...chart.querySelectorAll("text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * chart.getScreenCTM().a))"""

# Labels at the ends of lines that lie over each other, or stick out of the page.
UNREADABLE = """() => [...document.querySelectorAll(".chart svg")].flatMap((chart) => {
  const labels = [...chart.querySelectorAll(".line text")];
  const boxes = labels.map((label) => label.getBoundingClientRect());
  return boxes.filter((box, place) => box.right > document.documentElement.clientWidth
    || boxes.some((other, at) => at > place && Math.abs(other.y - box.y) < box.height * .7));
})"""

SMALL_LINKS = """(least) => [...document.querySelectorAll(".to-turn, .story summary")]
  .map((link) => link.getBoundingClientRect())
  .filter((box) => box.height < least || box.width < least).length"""


def test_a_story_can_be_read_on_any_screen_and_leads_to_its_turns(player, visitor):
    ann = player("ann")
    match_id = table_at(OVER, ann, bots=3)
    for width, height, scheme in ((390, 844, "light"), (1366, 768, "dark")):
        reader = visitor(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = reader.open(f"/table/{match_id}")
        page.get_by_role("link", name=STORY).first.click()
        expect(page.get_by_role("heading", name="Turning points")).to_be_visible()
        assert page.evaluate(TOO_WIDE) == []
        sizes = page.evaluate(TEXT_SIZES)
        assert len(sizes) > 30 and min(sizes) >= LEAST_TEXT
        assert page.evaluate(UNREADABLE) == []
        assert page.evaluate(SMALL_LINKS, THUMB) == 0
        numbers = page.locator(".chart").first
        expect(numbers.get_by_role("img")).to_be_visible()
        numbers.get_by_text("The numbers").click()
        expect(numbers.get_by_role("table")).to_be_visible()
        expect(page.get_by_role("columnheader", name="Taken by")).to_be_attached()
        page.locator(".to-turn").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(", move ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_there_is_nothing_to_press(player, scheme):
    ann = player("ann", color_scheme=scheme)
    page = ann.open(f"/table/{table_at(OVER, ann, bots=1)}/story")
    page.emulate_media(media="print")
    assert (
        page.locator("button:visible, summary:visible, .actions:visible, nav:visible").count() == 0
    )
    expect(page.locator(".chart svg").first).to_be_visible()
