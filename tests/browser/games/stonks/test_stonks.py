"""$TONKS$ in Chromium: whole games with one browser for each player, and its own controls."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import seat, table_at
from tests.browser.test_whole_game import cells, play_to_the_end

NAMES = ("ann", "bob", "carol", "dave", "eve")


@pytest.mark.parametrize(
    ("size", "rounds"),
    [(2, "rounds_3"), pytest.param(4, "rounds_1", marks=pytest.mark.long), (5, "rounds_1")],
)
def test_people_play_a_whole_game(player, size, rounds):
    ann, *guests = [player(name) for name in NAMES[:size]]
    match_id = seat(ann, *guests, game="stonks", options=rounds)
    people = {person.name: person for person in (ann, *guests)}
    for person in people.values():
        person.open_table(match_id)
    play_to_the_end(people, match_id, Random(size))
    for person in people.values():
        person.expect_version(match_id)
        expect_points_that_add_up(person)


def expect_points_that_add_up(person):
    """Check that the companies of a round come to its points, and the rounds to the total."""
    account = person.page.get_by_role("table")
    rows = [
        [last_number(cell) for cell in cells(row)[1:]] for row in account.get_by_role("row").all()
    ]
    rounds = account.locator("tr.round")
    assert len(rows) > 3 and rounds.count()
    totals = rows[-1]
    sums = [[last_number(cell) for cell in cells(row)[1:]] for row in rounds.all()]
    assert [sum(column) for column in zip(*sums, strict=True)] == totals
    everything = [sum(column) for column in zip(*rows[1:-1], strict=True)]
    assert everything == [2 * total for total in totals]  # Each round, and what it is made of.
    expect(person.page.locator("#say")).to_contain_text(f"{max(totals)} points")


def last_number(cell: str) -> int:
    """Return the number at the end of a cell, after what it was reckoned from."""
    found = re.findall(r"\d+", cell)
    return int(found[-1]) if found else 0


@pytest.fixture
def ann(player):
    return player("ann")


def test_a_card_with_arrows_asks_on_the_tiles_what_it_moves(ann, house):
    match_id = table_at("trick", ann, bots=2, game="stonks", options="rounds_1")
    page = ann.open_table(match_id)
    arrows = page.locator(".tile .pick:visible")
    while not page.locator("input.i1, input.i2").count():
        ann.decide(Random(1))
    expect(arrows).to_have_count(0)
    ann.choose(page.locator("input.i1, input.i2").first.get_attribute("id"))
    expect(arrows.first).to_be_visible()

    made = house.moves_made(match_id, ann.name)
    ann.main_button.click()  # The browser asks for what is missing, and sends nothing.
    assert page.evaluate("document.activeElement.name").startswith("for.icons")
    assert house.moves_made(match_id, ann.name) == made

    arrows.first.click()
    expect(page.locator("#effect")).to_have_text(re.compile(r"Play .*: .*(rises|falls|stays)"))
    ann.main_button.click()
    expect(page.locator("#log")).to_contain_text("moves")
    assert house.moves_made(match_id, ann.name) == made + 1


def test_one_card_cannot_be_both_shown_and_hidden(ann, house):
    match_id = table_at("portfolio", ann, bots=2, game="stonks")
    page = ann.open_table(match_id)
    first = page.locator("[name='part.show']").first.get_attribute("id")
    ann.choose(first, first.replace("show-", "hide-"))
    ann.main_button.click()
    assert house.moves_made(match_id, ann.name) == 0
    ann.decide(Random(1))
    assert house.moves_made(match_id, ann.name) == 1


def test_a_trick_is_played_with_the_keyboard(ann, house):
    match_id = table_at("acquiring", ann, bots=2, game="stonks")
    page = ann.open_table(match_id)
    page.locator("#take-market").focus()
    page.keyboard.press("Space")
    expect(page.locator("#effect")).to_contain_text("Take ")
    version = ann.board.get_attribute("data-version")
    ann.main_button.focus()
    page.keyboard.press("Enter")
    expect(ann.board).not_to_have_attribute("data-version", version)


def test_two_players_are_not_asked_for_rules_that_are_for_more(ann):
    page = ann.open("/tables/new?game=stonks")
    more = page.locator("[data-seats]")
    expect(more).to_have_count(2)
    for size, are_asked in (("2", False), ("3", True), ("5", True), ("2", False)):
        page.get_by_role("radio", name=size, exact=True).check()
        for choice in more.all():
            expect(choice).to_be_visible(visible=are_asked)
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator("#room")).to_be_visible()
    expect(page.locator("#room")).not_to_contain_text("rounds")
