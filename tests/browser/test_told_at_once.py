"""Whoever does something is told at once what it will do, or that it has not been done."""

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import set_up_table, table_at


@pytest.fixture
def ann(player):
    return player("ann")


def test_the_bar_says_which_card_goes_where(ann):
    ann.open_table(table_at("supply", ann, bots=1))
    ann.choose("down-on-1", "up-on-2")
    bar = ann.page.locator("#effect")
    expect(bar).to_have_text("face-down on pile 2 · face-up on pile 3")
    ann.choose("up-0")
    up, down = ann.page.locator("label:has(#up-0)").inner_text().split("\n")[-2:]
    expect(bar).to_have_text(f"{up} on pile 3, {down} on pile 2")


def test_a_move_that_did_not_arrive_is_said_and_can_be_sent_again(ann, house):
    match_id = table_at("selling", ann, bots=1)
    ann.open_table(match_id)
    made = house.moves_made(match_id, ann.name)
    trouble = ann.page.locator("#trouble")
    expect(trouble).to_be_hidden()
    ann.context.set_offline(True)
    ann.main_button.click()
    expect(trouble).to_contain_text("did not arrive")
    expect(trouble).to_be_in_viewport(ratio=1)
    ann.context.set_offline(False)
    version = ann.board.get_attribute("data-version") or ""
    ann.main_button.click()
    expect(ann.board).not_to_have_attribute("data-version", version)
    expect(trouble).to_be_hidden()
    assert house.moves_made(match_id, ann.name) > made
    ann.complaints.clear()  # The browser has remarked on being offline.


def test_the_link_to_a_table_is_copied_by_a_button(ann):
    ann.open(f"/table/{set_up_table(ann, 3)}")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.get_by_role("button", name="Copy the link").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    link = ann.page.get_by_label("Send this link to your friends").input_value()
    assert ann.page.evaluate("navigator.clipboard.readText()") == link


def test_without_a_script_there_is_no_button_that_copies(player):
    bob = player("bob", java_script_enabled=False)
    page = bob.open(f"/table/{set_up_table(bob, 3)}")
    expect(page.get_by_label("Send this link to your friends")).to_be_visible()
    expect(page.get_by_text("Copy the link")).to_be_hidden()


def test_notes_are_kept_without_letting_go_of_what_was_chosen(ann):
    match_id = table_at("demand", ann, bots=1)
    page = ann.open_table(match_id)
    page.locator("#board label.pick").first.click()
    ann.show("notes")
    page.get_by_label("My notes").fill("Bots bid high.")
    page.get_by_role("button", name="Keep notes").click()
    kept = page.locator("#notes-kept")
    expect(kept).to_have_text("Kept.")
    expect(page.locator("#board input[name=move]:checked")).to_have_count(1)
    ann.show("notes")
    page.get_by_label("My notes").fill("Bots bid low.")
    expect(kept).to_be_empty()
    ann.open_table(match_id)
    ann.show("notes")
    expect(page.get_by_label("My notes")).to_have_value("Bots bid high.")


def test_the_icon_in_the_tab_says_whether_it_is_my_turn(ann, player):
    bob = player("bob")
    match_id = table_at("selling", ann, bob)
    ann.open_table(match_id)
    bob.open_table(match_id)
    mine, waiting = (each.page.locator("#icon").get_attribute("href") for each in (ann, bob))
    assert mine != waiting
    ann.main_button.click()
    expect(ann.page.locator("#icon")).to_have_attribute("href", waiting or "")
    expect(bob.page.locator("#icon")).to_have_attribute("href", mine or "")  # News brings it, too.
