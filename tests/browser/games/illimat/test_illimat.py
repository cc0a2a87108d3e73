"""Illimat in Chromium: whole rounds with one browser for each player, and turns built in steps."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import seat, table_at
from tests.browser.test_one_screen import ACTED_ON, COVERED, LARGE, SMALL, decisions
from tests.browser.test_whole_game import cells, play_to_the_end

NAMES = ("ann", "bob", "carol", "dave")
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.mark.parametrize(
    ("size", "form"),
    [(2, {"options": "single"}), pytest.param(4, {"number.target": "17"}, marks=pytest.mark.long)],
)
def test_people_play_to_the_end(player, size, form):
    ann, *guests = [player(name) for name in NAMES[:size]]
    match_id = seat(ann, *guests, game="illimat", **form)
    people = {person.name: person for person in (ann, *guests)}
    for person in people.values():
        person.open_table(match_id)
    play_to_the_end(people, match_id, Random(size))
    for person in people.values():
        person.expect_version(match_id)
        expect_points_that_add_up(person)


def expect_points_that_add_up(person):
    """Check that what was counted comes to the points of its round, and these to the totals."""
    rows = [cells(row) for row in person.page.get_by_role("table").get_by_role("row").all()]
    points = [
        (name, [int(cell) if re.fullmatch(r"-?\d+", cell) else 0 for cell in row])
        for name, *row in rows
    ]
    *all_rows, (_, totals) = points[1:]
    rounds = [row for name, row in all_rows if name.startswith("Round")]
    counted = [row for name, row in all_rows if not name.startswith("Round")]
    for lines in (rounds, counted):
        assert [sum(column) for column in zip(*lines, strict=True)] == totals
    expect(person.page.locator("#say")).to_contain_text(f"{max(totals)} point")


def pick_a_card_that_can(page, words):
    """Pick the first card of the hand that offers something of this name; return it."""
    offered = page.locator(f":is(a[data-step], button[name=now]):visible:has-text('{words}')")
    for card in page.locator("#hand label.k").all():
        card.click()
        if offered.count():
            return offered.first
    return None


def reach(person, match_id, words):
    """Let a person sow until a card of their hand offers something of this name."""
    page, house = person.page, person.house
    while (link := pick_a_card_that_can(page, words)) is None:
        version = person.board.get_attribute("data-version")
        page.locator(".ways .pick:visible", has_text="Sow").first.click()
        while page.locator("#board input[required]:invalid:visible").count():
            page.locator("label:has(input[required]:invalid):visible").first.click()
        person.main_button.click()
        expect(person.board).not_to_have_attribute("data-version", version)
        assert house.on_turn(match_id) == [person.name]
    return link


def test_a_stockpile_is_built_on_a_phone(player, house):
    ann = player("ann", **PHONE)
    match_id = table_at("playing", ann, bots=1, game="illimat", options="single")
    page = ann.open_table(match_id)
    link = reach(ann, match_id, "Stockpile to")
    (value, *_) = re.findall(r"\d+", link.inner_text())
    made = house.moves_made(match_id, ann.name)
    link.click()
    expect(page.locator("#say")).to_contain_text(f"Stockpile to {value}")
    expect(page.locator("#say")).to_be_focused()
    page.get_by_role("link", name="Begin again").click()
    expect(page.locator("#say")).to_contain_text("Your turn")
    pick_a_card_that_can(page, f"Stockpile to {value}").click()
    steps, taken = page.locator("#steps [name=step]"), 1
    expect(steps).to_have_count(taken)
    while not ann.main_button.count():
        page.get_by_role("link", name=re.compile("^Add ")).first.click()
        taken += 1
        expect(steps).to_have_count(taken)
    expect(ann.main_button).to_contain_text(f"Stockpile to {value}")
    ann.choose_something(Random(1))
    ann.main_button.click()
    expect(page.locator("#ways-back")).to_have_count(0)
    assert house.moves_made(match_id, ann.name) == made + 1


def test_a_whole_field_is_taken_by_one_press(player, house):
    ann = player("ann", **PHONE)
    match_id = table_at("playing", ann, bots=1, game="illimat", options="single")
    ann.open_table(match_id)
    press = reach(ann, match_id, "Take all")
    made, version = house.moves_made(match_id, ann.name), ann.board.get_attribute("data-version")
    press.click()
    expect(ann.board).not_to_have_attribute("data-version", version)
    assert house.moves_made(match_id, ann.name) == made + 1
    expect(ann.page.locator("#told")).to_contain_text("harvest")


def test_a_turn_is_played_by_keyboard_alone(player, house):
    ann = player("ann")
    match_id = table_at("playing", ann, bots=2, game="illimat", options="beginner")
    page = ann.open_table(match_id)
    page.locator("#hand input[name=move]").first.focus()
    page.keyboard.press("Space")
    for _ in range(40):  # Tab goes through what this card can do, in each field.
        name = page.evaluate("document.activeElement.getAttribute('aria-label') || ''")
        if name.startswith("Sow the "):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#effect")).to_contain_text(re.compile("^Sow the .* in "))
    while page.locator("#board input[required]:invalid").count():
        page.locator("#board input[required]:invalid").first.focus()
        page.keyboard.press("Space")
    made = house.moves_made(match_id, ann.name)
    version = ann.board.get_attribute("data-version")
    ann.main_button.focus()
    page.keyboard.press("Enter")
    expect(ann.board).not_to_have_attribute("data-version", version)
    assert house.moves_made(match_id, ann.name) == made + 1


def test_what_was_chosen_for_another_card_does_not_count(player, house):
    ann = player("ann")
    match_id = table_at("playing", ann, bots=2, game="illimat")
    page = ann.open_table(match_id)
    first, second = page.locator("#hand label.k").all()[:2]
    first.click()
    page.locator(".ways label.pick:visible").first.click()
    expect(page.locator("#effect")).to_contain_text(re.compile("^(Sow|Take) "))
    second.click()
    expect(page.locator("#effect")).to_contain_text("Choose in a field what your")
    made = house.moves_made(match_id, ann.name)
    ann.main_button.click()  # The browser asks for what is missing, and sends nothing.
    assert house.moves_made(match_id, ann.name) == made


def test_the_illimat_turns_with_its_seasons(player, house):
    ann = player("ann")
    match_id = table_at("playing", ann, bots=1, game="illimat")
    page, chooser = ann.open_table(match_id), Random(1)
    sides: set[str] = set()
    while len(sides) < 3 and house.on_turn(match_id):
        ann.expect_version(match_id)
        (summer,) = page.locator(".quarter.Su").evaluate_all("all => all.map(one => one.id)")
        sides.add(summer)
        quarters = int(summer.removeprefix("field-"))
        expect(page.locator("#illimat")).to_have_css("rotate", f"{90 * quarters - 45}deg")
        ann.decide(chooser)
    assert len(sides) == 3


def test_all_that_a_picked_card_can_do_is_in_view_at_every_size(player):
    ann, laptop = player("ann", **PHONE), player("bob")
    laptop.bring_cookie(ann.cookie())
    match_id = seat(ann, bots=3, game="illimat")
    hidden: dict[tuple[int, tuple[int, int]], list[str]] = {}
    for number, _ in enumerate(decisions(ann, match_id, Random(1))):
        for person, sizes in ((ann, SMALL), (laptop, LARGE)):
            page = person.open(f"/table/{match_id}")
            for size in sizes:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                for card in page.locator("#hand label.k").all():
                    card.click()
                    if found := page.evaluate(COVERED, [*ACTED_ON, "#board a[data-step]"]):
                        hidden.setdefault((number, size), found[:6])
        if number == 3:
            break
    assert not hidden, "\n".join(f"{where} {what}" for where, what in hidden.items())
