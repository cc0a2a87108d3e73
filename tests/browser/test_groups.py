"""A group is founded, joined by its link, and plays: all by its pages, as people press them."""

from playwright.sync_api import expect

from tests.browser.test_away import press


def test_a_club_is_founded_and_sits_down_together(player):
    ann, bob = player("ann"), player("bob")
    page = ann.open("/tables")
    page.get_by_role("link", name="Groups", exact=True).click()
    page.get_by_role("link", name="New group").click()
    page.get_by_label("Name of the group").fill(f"Club {ann.name}")
    press(page, "Found the group")
    link = page.get_by_label("Send this link to whom you want in the group").input_value()
    theirs = bob.page
    theirs.goto(link)
    press(theirs, "Join the group")
    expect(theirs.get_by_role("heading", name="Members")).to_be_visible()
    page.get_by_role("link", name="New table of this group").click()
    press(page, "Set up the table")
    press(page, f"Invite {bob.name}")
    expect(page.locator("#invite")).to_contain_text("is invited")
    bob.open("/tables")
    theirs.locator("section", has_text="You are invited").get_by_role("link").first.click()
    press(theirs, "Sit down")
    # Under Ann's eyes, and what was asked of Bob is answered.
    expect(page.locator("#room .rows").first).to_contain_text(bob.name)
    expect(page.locator("#invite")).not_to_contain_text("is invited")
