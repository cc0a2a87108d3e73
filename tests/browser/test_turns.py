"""The turns of a match in a browser: stepped through, played, dragged, and gone back to."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import OVER, table_at


@pytest.fixture
def over(player):
    """Return the number of a match that is over."""
    return table_at(OVER, player("ann"), bots=1)


def at(page: Page, number: int) -> None:
    """The address, the title and the slider all say the same."""
    expect(page).to_have_url(re.compile(rf"/turn/{number}\?as=public$"))
    expect(page).to_have_title(re.compile(rf", move {number}$"))
    expect(page.locator("#turn-move")).to_have_value(str(number))
    expect(page.locator("#log [aria-current]").first).to_be_visible()


def test_turns_are_reached_by_key_button_slider_and_phase_and_play_by_themselves(visitor, over):
    page = visitor().open(f"/table/{over}/turn/3?as=public")
    last = int(page.locator("#turn-move").get_attribute("max"))
    page.locator("#turn-next").click()
    at(page, 4)
    page.keyboard.press("ArrowRight")
    at(page, 5)
    page.keyboard.press("ArrowLeft")
    at(page, 4)
    expect(page.locator("#turn-next")).to_be_focused()
    page.keyboard.press("End")
    at(page, last)
    expect(page.locator("#turn-play")).to_be_disabled()
    page.keyboard.press("Home")
    at(page, 0)
    page.go_back()
    at(page, last)
    page.locator("#turn-move").focus()
    page.keyboard.press("ArrowLeft")
    at(page, last - 1)
    page.locator("#turn-jump summary").click()
    page.get_by_role("link", name="Demand").first.click()
    expect(page).to_have_title(re.compile("round 1, Demand, move"))
    number = int(page.locator("#turn-move").get_attribute("value"))
    page.get_by_role("button", name="Play").click()
    at(page, number + 2)  # It goes on by itself,
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    shown = page.locator("#turn-move").get_attribute("value")
    page.go_back()  # and back leads to where it began.
    at(page, number)
    assert int(shown) >= number + 2


def test_on_a_phone_without_scripts_the_slider_is_a_form_and_everything_open_is_a_link(
    visitor, over
):
    phone = {"viewport": {"width": 390, "height": 844}, "java_script_enabled": False}
    page = visitor(**phone).open(f"/table/{over}/turn/3?as=public")
    expect(page.locator("#turn-play")).to_be_hidden()
    page.locator("#turn-move").press("ArrowRight")
    page.get_by_role("button", name="Go").click()
    at(page, 4)
    for control in page.locator(".turns a, .turns button:visible, .turns input:visible").all():
        box = control.bounding_box()
        assert box["height"] >= 44
        assert abs(box["y"] - page.locator("#turn-prev").bounding_box()["y"]) < 3  # One line.
    page.get_by_role("link", name="Everything open").click()
    expect(page.locator("#sides section")).to_have_count(2)
    assert page.locator("body").evaluate("body => body.scrollWidth") <= 390
