"""Standing orders in a browser: a few taps on a phone, no JavaScript needed, nothing lost."""

from random import Random

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.scenes import seat, table_at
from tests.browser.test_axe import AXE, CHECK, RULES
from tests.browser.test_phone import THUMB, TOO_WIDE, WIDE, on_a_phone

TOO_SMALL = """(least) => [...document.querySelectorAll(
    "#order-form :is(label:has(input), select, summary, button, a)")]
  .filter((element) => element.getClientRects().length)
  .map((element) => [element.getBoundingClientRect().height, element.outerHTML.slice(0, 160)])
  .filter(([height]) => height < least)"""


def waits_for_bob(bob: Person, ann: Person, bots: int = 2) -> int:
    """Return a table at which Bob is to bid, and Ann after him."""
    match_id = table_at("demand", bob, ann, bots=bots)
    assert bob.house.on_turn(match_id) == [bob.name]
    return match_id


def test_on_a_phone_an_order_takes_four_taps_and_then_acts(player):
    bob, ann = player("bob"), player("ann", **on_a_phone(WIDE))
    match_id = waits_for_bob(bob, ann)
    page = ann.open_table(match_id)
    made = ann.house.moves_made(match_id, ann.name)
    ann.show("orders")
    page.get_by_role("link", name="Change your orders").tap()
    page.locator("label:has(#wish-0-1)").tap()
    page.locator("label:has(#most-0-7)").tap()
    page.get_by_role("button", name="Save orders").tap()
    expect(page.locator("#orders")).to_contain_text("Bid on pile 2 up to $25K, then ask me.")
    expect(page.locator("#order-form")).to_have_count(0)
    bob.open_table(match_id)
    bob.decide(Random(1))
    expect(page.locator("#log")).to_contain_text("By standing order.")
    assert ann.house.moves_made(match_id, ann.name) > made
    assert "By standing order." not in bob.page.content()


def test_the_form_fits_a_thumb_and_axe_finds_nothing_in_it(player):
    bob, ann = player("bob"), player("ann", color_scheme="light", **on_a_phone(WIDE))
    page = ann.open_table(waits_for_bob(bob, ann))
    ann.show("orders")
    page.get_by_role("link", name="Change your orders").tap()
    for summary in page.locator("#order-form details:not([open]) > summary").all()[::-1]:
        summary.tap()
    page.locator("label:has(#wish-0-1)").tap()
    assert page.evaluate(TOO_SMALL, THUMB) == []
    assert page.evaluate(TOO_WIDE) == []
    page.evaluate(AXE)
    assert page.evaluate(CHECK, {"runOnly": RULES}) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(CHECK, {"runOnly": ["color-contrast"]}) == []


def test_what_was_chosen_stays_when_the_table_moves_on(player):
    bob, ann = player("bob"), player("ann")
    match_id = waits_for_bob(bob, ann, bots=0)
    page = ann.open_table(match_id)
    ann.show("orders")
    page.get_by_role("link", name="Change your orders").click()
    page.locator("label:has(#wish-0-1)").click()
    page.locator("label:has(#dividends-never)").click()
    bob.open_table(match_id)
    bob.decide(Random(1))
    ann.expect_version(match_id)
    expect(page.locator("#wish-0-1")).to_be_checked()
    expect(page.locator("#dividends-never")).to_be_checked()
    page.get_by_role("button", name="Save orders").click()
    expect(page.locator("#orders")).to_contain_text("Collect dividends on split cards alone")


def test_orders_are_left_changed_and_cleared_without_javascript(player):
    bob, ann = player("bob"), player("ann", java_script_enabled=False)
    match_id = waits_for_bob(bob, ann)
    page = ann.open(f"/table/{match_id}")
    ann.show("orders")
    page.get_by_role("link", name="Change your orders").click()
    page.get_by_text("Selling", exact=True).click()
    page.get_by_label("Cosmic Computers 0 shares").select_option("8")
    page.get_by_role("button", name="Save orders").click()
    expect(page.locator("#orders")).to_contain_text("Sell all Cosmic Computers at $8K or more.")
    ann.show("orders")
    page.get_by_role("link", name="Change your orders").click()
    expect(page.get_by_label("Cosmic Computers 0 shares")).to_have_value("8")
    page.get_by_role("button", name="Clear all").click()
    ann.show("orders")
    expect(page.get_by_role("link", name="Change your orders")).to_be_visible()
    expect(page.locator("#orders")).not_to_contain_text("Cosmic")


def test_an_old_form_is_answered_beside_the_board(player):
    bob, ann = player("bob"), player("ann")
    match_id = waits_for_bob(bob, ann)
    page = bob.open_table(match_id)
    bob.foresees(409)
    bob.show("orders")
    page.get_by_role("link", name="Change your orders").click()
    page.locator("label:has(#then-cheapest)").click()
    elsewhere = bob.context.new_page()
    bob.open(f"/table/{match_id}", elsewhere)
    elsewhere.locator("#board label:has(input[name=move])").first.click()
    elsewhere.locator("#bar button").click()
    bob.expect_version(match_id)
    page.get_by_role("button", name="Save orders").click()
    expect(page.locator("#order-slot").get_by_role("alert")).to_contain_text("as they stand now")
    expect(page.locator("form#board")).to_have_count(1)


def test_dividends_are_asked_about_and_collected_again_with_one_press_each(player):
    ann = player("ann")
    page = ann.open_table(seat(ann, bots=2))
    orders = page.locator("#orders")
    expect(orders).to_contain_text("Collect every dividend in full.")
    page.locator("#text").evaluate("field => (field.value = 'half typed')")
    for press, words in (
        ("Ask me about dividends", "You are asked about every dividend."),
        ("Collect them all", "Collect every dividend in full."),
    ):
        ann.show("orders")
        orders.get_by_role("button", name=press).focus()
        page.keyboard.press("Enter")
        expect(orders).to_contain_text(words)
    expect(page.locator("#text")).to_have_value("half typed")  # The page was not loaded anew.
