"""Who cannot see the table hears what others do, as it happens, and nothing of what they did."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import seat, table_at

# Each line without the number of its move, which is a link.
LINES = """(all) => all.map((line) => {
  const words = [...line.childNodes].slice(1).map((node) => node.textContent);
  return words.join("").replace(/\\s+/g, " ").trim();
})"""


def heard(page: Page) -> list[str]:
    """Return what the page last said of others."""
    return [line.strip() for line in page.locator("#news > p").all_inner_texts()]


@pytest.fixture
def match(player):
    """A table of two people: its number, who is to lay cards, and who waits."""
    ann, bob = player("ann"), player("bob")
    return table_at("supply", ann, bob), ann, bob


def test_moves_of_others_are_said_and_ones_own_are_not(match):
    match_id, ann, bob = match
    for person in (ann, bob):
        expect(person.open_table(match_id).locator("#news")).to_be_empty()
    ann.decide(Random(1))
    bob.expect_version(match_id)
    expect(bob.page.get_by_role("status").filter(has_text=f"{ann.name} ")).to_have_count(1)
    assert heard(bob.page)[0] in bob.page.locator("#log > li").evaluate_all(LINES)
    assert not any(line.startswith(ann.name) for line in heard(ann.page))


def test_whoever_watches_hears_every_move_once(match, visitor):
    match_id, ann, _ = match
    stranger = visitor()
    page = stranger.open_table(match_id)
    before = page.locator("#log > li").count()
    expect(page.locator("#news")).to_be_empty()
    ann.open_table(match_id)
    ann.decide(Random(1))
    stranger.expect_version(match_id)
    log = page.locator("#log > li").evaluate_all(LINES)
    new = log[: len(log) - before][::-1]
    assert new and heard(page) == new
    ann.send(f"/table/{match_id}/chat", text="Well?")
    stranger.expect_version(match_id)
    assert heard(page) == new  # Nothing was said anew: talk is no move.


def test_of_many_moves_the_last_five_are_said_in_their_order_and_how_many_came_before(player):
    ann = player("ann")
    page, chooser = ann.open_table(seat(ann, bots=4)), Random(2)
    since = page.locator("#since li")
    ann.decide(chooser)
    while since.count() <= 5:
        ann.decide(chooser)
    lines = since.evaluate_all(LINES)
    assert heard(page) == lines[-5:]
    expect(page.locator("#news")).to_contain_text(f"And {len(lines) - 5} more before.")
