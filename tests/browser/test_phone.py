"""The site on a phone: nothing to scroll sideways, and every control large enough for a thumb."""

from random import Random

import pytest
from playwright.sync_api import expect

from stockpile_web.games import GAMES
from tests.browser.catalogue import DECISIONS, FEWEST, NAMES
from tests.browser.scenes import table_at
from tests.browser.shifting import MOST, PHONE, shift_of

WIDE, NARROW = PHONE, {"width": 360, "height": 740}
THUMB = 44  # Pixels.

TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.scrollingElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .map((element) => element.outerHTML.slice(0, 120));
}"""

TOO_SMALL = """(least) => [...document.querySelectorAll("#board label, #board button")]
  .filter((element) => element.getClientRects().length)
  .map((element) => [element.getBoundingClientRect().height, element.outerHTML.slice(0, 160)])
  .filter(([height]) => height < least)"""

# With each control scrolled to the middle, as by a thumb that is about to choose it.
OUT_OF_REACH = """() => {
  const button = document.querySelector("#board button");
  const found = [];
  const look = (where) => {
    const box = button.getBoundingClientRect();
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const isInView = box.top >= 0 && box.bottom <= innerHeight;
    if (!isInView || !button.contains(document.elementFromPoint(x, y)))
      found.push(`${where}: the button is at ${Math.round(box.top)} of ${innerHeight}`);
  };
  look("at the top");
  for (const label of document.querySelectorAll("#board label")) {
    label.scrollIntoView({block: "center"});
    look(label.textContent.trim());
  }
  return found;
}"""


def on_a_phone(size):
    return {"viewport": size, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["390", "360"])
def test_no_page_is_wider_than_a_phone_or_shifts_while_it_loads(visitor, catalogue, size):
    wide, shifts = {}, {}
    stranger, ann = visitor(**on_a_phone(size)), visitor(**on_a_phone(size))
    for name in NAMES:
        person = stranger if catalogue.stops[name].by_stranger else ann
        page = catalogue.visit(person, name)
        wide[name], shifts[name] = page.evaluate(TOO_WIDE), shift_of(page)
    assert {name: found for name, found in wide.items() if found} == {}
    assert {name: shift for name, shift in shifts.items() if shift >= MOST} == {}


@pytest.mark.parametrize("name", [*DECISIONS, *FEWEST])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["390", "360"])
def test_a_decision_is_made_with_a_thumb(visitor, catalogue, size, name):
    page = catalogue.visit(visitor(**on_a_phone(size)), name)
    assert page.evaluate(OUT_OF_REACH) == []
    assert page.evaluate(TOO_SMALL, THUMB) == []


@pytest.mark.parametrize(("game", "phase"), DECISIONS.values(), ids=DECISIONS)
def test_after_a_move_what_is_asked_next_is_in_view_and_has_the_focus(player, game, phase):
    ann = player("ann", **on_a_phone(WIDE))
    ann.open_table(table_at(phase, ann, bots=GAMES[game].SEATS[0] - 1, game=game))
    ann.choose_something(Random(2))
    ann.page.evaluate("scrollTo(0, 900)")
    version = ann.board.get_attribute("data-version") or ""
    ann.main_button.tap()
    expect(ann.board).not_to_have_attribute("data-version", version)
    say = ann.page.locator("#say")
    expect(say).to_be_in_viewport(ratio=1)
    expect(say).to_be_focused()


def test_a_phase_that_begins_with_me_shows_what_is_asked_and_any_other_stays_put(player, house):
    ann, bob = player("ann", **on_a_phone(WIDE)), player("bob", **on_a_phone(WIDE))
    people = {person.name: person for person in (ann, bob)}
    match_id = table_at("supply", ann, bob)
    for person in people.values():
        person.open_table(match_id)
    chooser = Random(3)
    begun: set[bool] = set()
    while begun != {True, False}:
        mover = people[house.on_turn(match_id)[0]]
        watcher = bob if mover is ann else ann
        mover.expect_version(match_id)
        watcher.expect_version(match_id)
        before = watcher.page.locator(".dateline").inner_text()
        watcher.page.evaluate("scrollTo(0, 120)")
        mover.decide(chooser)
        watcher.expect_version(match_id)
        if watcher.page.locator(".dateline").inner_text() == before:
            continue
        is_mine = watcher.main_button.count() == 1
        begun.add(is_mine)
        if is_mine:
            expect(watcher.page.locator("#say")).to_be_in_viewport(ratio=1)
        else:
            assert watcher.page.evaluate("scrollY") == 120


def test_a_thumb_anywhere_on_a_row_opens_its_table(visitor, catalogue):
    page = catalogue.visit(visitor(**on_a_phone(WIDE)), "my tables")
    row = page.locator(".rows > li").first
    link = row.get_by_role("link").get_attribute("href")
    box = row.bounding_box()
    assert box is not None and box["height"] >= THUMB
    page.touchscreen.tap(box["x"] + box["width"] - 10, box["y"] + box["height"] - 10)
    expect(page).to_have_url(f"{catalogue.ann.house.url}{link}")
