"""What a player's browser adds to the seed: its own number, or without scripts the server's."""

import re

from playwright.sync_api import expect

from tests.browser.scenes import set_up_table
from tests.browser.test_away import press


def test_a_browser_sends_a_number_of_its_own_and_one_without_scripts_has_it_drawn(player):
    ann, bob = player("ann"), player("bob", java_script_enabled=False)
    page = ann.open("/tables/new")
    page.get_by_label("Listed").check()
    press(page, "Set up the table")
    room = page.locator("#room")
    expect(room.get_by_text("Random number from their browser")).to_have_count(1)
    page.get_by_text("How the deal is kept fair").click()
    mine = room.locator("code.seal").nth(1).inner_text()
    assert re.fullmatch("[0-9a-f]{64}", mine)

    bob.open(page.url.removeprefix(ann.house.url))
    press(bob.page, "Sit down")
    expect(room.get_by_text("Random number drawn by the server")).to_have_count(1)
    bob.page.get_by_text("How the deal is kept fair").click()
    expect(bob.page.locator("code.seal")).to_have_count(2)
    expect(bob.page.get_by_text(mine)).to_have_count(0)
    expect(bob.page.get_by_role("button", name="Send a number of my own")).to_have_count(0)


def test_a_number_drawn_by_the_server_is_replaced_with_one_press(player):
    ann = player("ann")
    match_id = set_up_table(ann, 3)
    page = ann.open(f"/table/{match_id}")
    page.get_by_text("How the deal is kept fair").click()
    press(page, "Send a number of my own")
    expect(page.get_by_text("Random number from their browser")).to_have_count(1)
