"""Friends: one comes by an invitation, all decide whether to stop, and they play again."""

from playwright.sync_api import expect

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from tests.browser.account import PASSWORD
from tests.browser.scenes import OVER, seat, set_up_table, table_at
from tests.browser.test_away import press


def test_whoever_comes_by_an_invitation_signs_up_and_sits_there(visitor, player):
    ann, friend = player("ann"), visitor()
    match_id = set_up_table(ann, 3, name="Friday")
    with ann.house.app.app_context():
        invitation = db.session.get_one(Match, match_id).invitation
    page = friend.open(f"/join/{invitation}")
    page.get_by_role("link", name="Sign up and sit down").click()
    page.get_by_label("Name", exact=True).fill("Zoë-三国")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign up and sit down")
    expect(page.get_by_role("heading", name="Friday")).to_be_visible()
    expect(page.locator("#room")).to_contain_text("Zoë-三国")


def test_a_match_is_closed_under_the_eyes_of_all_once_they_agree(player):
    ann, bob = player("ann"), player("bob")
    match_id = seat(ann, bob)
    for person in (ann, bob):
        person.open_table(match_id)
    ann.show("about")
    ann.page.get_by_text("Close this table").click()
    press(ann.page, "Close the table")
    expect(bob.page.get_by_text(f"{ann.name} asks to close this table.")).to_be_visible()
    press(bob.page, "Play on")
    words = f"The table stays open: {bob.name} would rather play on."
    expect(ann.page.get_by_text(words)).to_be_visible()
    ann.show("about")
    ann.page.get_by_text("Close this table").click()
    press(ann.page, "Close the table")
    press(bob.page, "Close the table")
    for person in (ann, bob):
        button = person.page.get_by_role("button", name="Play again with the same people")
        expect(button).to_be_visible()


def test_a_rematch_appears_on_an_open_page_of_the_match_that_is_over(player):
    ann, bob = player("ann"), player("bob")
    match_id = table_at(OVER, ann, bob)
    for person in (ann, bob):
        person.open_table(match_id)
    press(ann.page, "Play again with the same people")
    expect(bob.page.get_by_text("A rematch with the same people is set up")).to_be_visible()
    press(bob.page, "Join the rematch")
    expect(bob.page.locator("#board")).to_be_visible()
    expect(ann.page.locator("#board")).to_be_visible()
    assert bob.page.url == ann.page.url
