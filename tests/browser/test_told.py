"""An open page tells whose turn it is, behind others too, counts down, and offers to tell me."""

import re
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import table_at
from tests.browser.test_seen import unseen
from tests.support.live_site import wait_until

# Playwright's tabs never hide by themselves.
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
COUNT_NOTES = """
window.notes = 0;
const { start } = AudioScheduledSourceNode.prototype;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.notes += 1;
  start.apply(this, when);
};
"""
ICON = "document.getElementById('icon').href"
A_CHIME = 2  # Notes.


@pytest.fixture
def match(player):
    """A table of two people: its number, who is to lay cards, and who waits."""
    ann, bob = player("ann"), player("bob")
    return table_at("supply", ann, bob, bots=0), ann, bob


def with_chime(person, match_id):
    """Open a table and turn the chime on."""
    person.page.add_init_script(COUNT_NOTES)
    page = person.open_table(match_id)
    page.get_by_text("Table", exact=True).click()
    page.get_by_label("A chime on this device").check()
    wait_until(lambda: page.evaluate("window.notes") == A_CHIME)  # So one knows how it sounds.
    return page


def test_title_and_icon_follow_the_table(match):
    match_id, ann, bob = match
    name = f"{ann.name}’s table · Stockpile"
    waits = bob.open_table(match_id)
    usual = waits.evaluate(ICON)
    page = ann.open_table(match_id)
    expect(page).to_have_title(f"Your turn – {name}")
    assert page.evaluate(ICON) != usual
    ann.decide(Random(1))
    expect(waits).to_have_title(f"Your turn – {name}")
    assert waits.evaluate(ICON) != usual
    expect(page).to_have_title(name)
    assert page.evaluate(ICON) == usual
    assert page.locator("title").count() == page.locator("link[rel=icon]").count() == 1


def test_a_page_behind_others_learns_of_its_turn_and_does_not_say_that_it_was_seen(match, house):
    match_id, ann, bob = match
    page = with_chime(bob, match_id)
    page.evaluate(HIDE)
    ann.open_table(match_id)
    ann.decide(Random(1))
    expect(page).to_have_title(f"Your turn – {ann.name}’s table · Stockpile")
    wait_until(lambda: page.evaluate("window.notes") == 2 * A_CHIME)
    assert unseen(house, bob)


def test_the_chime_is_off_at_first_and_remembered_in_this_browser(match):
    match_id, ann, bob = match
    bob.page.add_init_script(COUNT_NOTES)
    page = bob.open_table(match_id)
    box = page.locator("#chime")
    expect(box).not_to_be_checked()
    page.get_by_text("Table", exact=True).click()
    box.check()
    wait_until(lambda: page.evaluate("window.notes") == A_CHIME)
    other = bob.context.new_page()
    other.add_init_script(COUNT_NOTES)
    bob.open(f"/table/{match_id}", other)
    expect(other.locator("#chime")).to_be_checked()
    box.uncheck()
    ann.open_table(match_id)
    ann.decide(Random(1))
    expect(other).to_have_title(re.compile("Your turn"))
    expect(page).to_have_title(re.compile("Your turn"))
    assert (page.evaluate("window.notes"), other.evaluate("window.notes")) == (A_CHIME, 0)


def test_a_turn_that_is_there_already_and_my_own_moves_do_not_chime(player, house):
    ann = player("ann")
    match_id = table_at("supply", ann, bots=1)
    page = with_chime(ann, match_id)
    while ann.name in house.on_turn(match_id) and house.moves_made(match_id, ann.name) < 4:
        ann.decide(Random(1))
    assert page.evaluate("window.notes") == A_CHIME


def test_a_live_table_counts_down_and_speaks_of_it_seldom(player):
    ann = player("ann")
    match_id = table_at("supply", ann, bots=1, pace="live")
    page = ann.page
    page.clock.install()
    # Before the page knows the server's time, a leap of its clock would be taken for a wrong one.
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        ann.open_table(match_id)
    left = page.locator("#my-time .countdown")
    expect(left).to_have_text(re.compile(r"^(20:00|19:\d\d)$"))
    spoken = page.locator("#time-left")
    expect(spoken).to_be_empty()
    # As after a sleep: all of it passes at once.
    page.clock.fast_forward("15:00")
    expect(left).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    expect(spoken).to_have_text("Your time runs out in 5 minutes.")
    page.clock.fast_forward("02:00")
    expect(left).to_have_text(re.compile(r"^(3:00|2:\d\d)$"))
    expect(spoken).to_have_text("Your time runs out in 5 minutes.")
    page.clock.fast_forward("02:10")
    expect(left).to_have_text(re.compile(r"^0:\d\d$"))
    expect(spoken).to_have_text("Your time runs out in one minute.")
    page.clock.fast_forward("02:00")
    expect(left).to_have_text("0:00")


def test_a_clock_that_is_wrong_does_not_count_wrong(player):
    ann, bob = player("ann"), player("bob")
    match_id = table_at("supply", ann, bob, pace="live")
    bob.page.clock.install(time=datetime.now(UTC) + timedelta(hours=3))
    page = bob.open_table(match_id)
    expect(page.locator("#time .countdown")).to_have_text(re.compile(r"^(20:00|19:\d\d)$"))


def test_a_slow_table_does_not_count_down(match):
    match_id, ann, _ = match
    page = ann.open_table(match_id)
    expect(page.locator("#my-time")).to_contain_text("Your time runs out")
    expect(page.locator(".countdown")).to_have_count(0)


def test_the_offer_is_shown_to_whoever_waits_and_put_away_by_one_press(match):
    match_id, ann, bob = match
    page = ann.open_table(match_id)
    offer = page.get_by_role("link", name="Tell me when it is my turn")
    expect(offer).to_be_hidden()
    ann.decide(Random(1))
    expect(offer).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="No, thanks").click()
    expect(page.locator("#offer")).to_be_hidden()
    page.reload()
    expect(page.locator("#say")).to_be_visible()
    expect(page.locator("#offer")).to_be_hidden()
    # A table moves on without it coming back.
    bob.open_table(match_id)
    bob.decide(Random(1))
    ann.expect_version(match_id)
    expect(page.locator("#offer")).to_be_hidden()


def test_without_javascript_the_offer_is_a_link_and_a_form(player):
    ann, bob = player("ann"), player("bob", java_script_enabled=False)
    match_id = table_at("supply", ann, bob)
    page = bob.open(f"/table/{match_id}")
    expect(page).to_have_title(f"{ann.name}’s table · Stockpile")
    page.get_by_role("link", name="Tell me when it is my turn").click()
    expect(page.get_by_role("heading", name="How and when you are told")).to_be_visible()
    bob.open(f"/table/{match_id}")
    page.get_by_role("button", name="No, thanks").click()
    expect(page.locator("#say")).to_be_visible()
    expect(page.locator("#offer")).to_be_hidden()
    expect(page.locator("#chime")).to_be_hidden()
