"""Being away: a bot plays for me, others vote about me, and I come back, all by keyboard."""

from playwright.sync_api import expect

from tests.browser.scenes import seat
from tests.support.hourglass import miss_turns, seats


def press(page, name):
    """Go to a button by the keyboard alone, and press it."""
    button = page.get_by_role("button", name=name)
    button.focus()
    page.keyboard.press("Enter")


def test_a_seat_is_given_to_a_bot_and_taken_back_under_the_eyes_of_the_others(player):
    ann, bob = player("ann"), player("bob")
    match_id = seat(ann, bob)
    ann.open_table(match_id)
    bob.open_table(match_id)
    ann.show("about")
    ann.page.get_by_text("Let a bot play for me").focus()
    ann.page.keyboard.press("Enter")
    press(ann.page, "Play for me until I am back")
    expect(ann.page.get_by_text("A bot plays for you.")).to_be_visible()
    expect(bob.page.get_by_text(f"A bot plays for {ann.name}.")).to_be_visible()
    press(ann.page, "Take my seat back")
    expect(ann.page.get_by_text("A bot plays for you.")).to_be_hidden()
    expect(bob.page.get_by_text(f"A bot plays for {ann.name}.")).to_be_hidden()


def test_the_others_vote_and_whoever_was_away_comes_back(player):
    ann, bob, carol = player("ann"), player("bob"), player("carol")
    match_id = seat(ann, bob, carol)
    miss_turns(ann.house.app, match_id, carol.name)
    for person in (ann, bob):
        page = person.open_table(match_id)
        page.get_by_text(f"were played for {carol.name}: you may vote").click()
        press(page, "Leave the seat to a bot")
        expect(page.locator("#time")).to_contain_text(carol.name)
    expect(bob.page.get_by_text(f"A bot plays for {carol.name}.")).to_be_visible()
    page = carol.open_table(match_id)
    press(page, "Take my seat back")
    expect(bob.page.get_by_text(f"A bot plays for {carol.name}.")).to_be_hidden()
    assert seats(ann.house.app, match_id)[carol.name].missed == 0


def test_a_substitute_sits_down_without_javascript(player):
    ann, bob, carol = player("ann"), player("bob"), player("carol")
    match_id = seat(ann, bob, carol)
    miss_turns(ann.house.app, match_id, carol.name)
    number = seats(ann.house.app, match_id)[carol.name].number
    for person in (ann, bob):
        person.send(f"/table/{match_id}/seating", do=f"vote {number} open")
    dave = player("dave", java_script_enabled=False)
    page = dave.open(f"/table/{match_id}")
    page.get_by_text("the seat is open").click()
    page.get_by_role("button", name=f"Take the seat of {carol.name}").click()
    dave.show("notes")
    expect(page.get_by_label("My notes")).to_be_visible()
    assert dave.name in seats(ann.house.app, match_id)
