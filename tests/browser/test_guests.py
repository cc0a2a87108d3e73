"""A stranger's first minutes in a browser, with scripts and without."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.account import PASSWORD
from tests.support.known import FIRST


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_stranger_plays_at_once_and_keeps_the_game(visitor, scripts):
    stranger = visitor(java_script_enabled=scripts)
    page = stranger.open("/")
    page.locator(f'button[formaction="/try/{FIRST}"]').click()
    expect(page.locator("#board")).to_be_visible()
    address = page.url
    stranger.decide(Random(1))
    page.get_by_role("link", name="Keep this game").first.click()
    page.get_by_label("Name").fill("Gina" if scripts else "Nora")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Keep this game").click()
    expect(page.get_by_role("status")).to_contain_text("All your tables are here")
    expect(page.get_by_role("link", name="Settings")).to_be_visible()
    page.goto(address)
    expect(page.locator("#board")).to_be_visible()
