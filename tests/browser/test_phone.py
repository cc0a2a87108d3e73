"""The site on a phone: nothing to scroll sideways, and every control large enough for a thumb."""

import pytest

from tests.browser.catalogue import DECISIONS, NAMES, STONKS

WIDE, NARROW = {"width": 390, "height": 844}, {"width": 360, "height": 740}
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
def test_no_page_is_wider_than_a_phone(visitor, catalogue, size):
    wide = {}
    stranger, ann = visitor(**on_a_phone(size)), visitor(**on_a_phone(size))
    for name in NAMES:
        person = stranger if catalogue.stops[name].by_stranger else ann
        wide[name] = catalogue.visit(person, name).evaluate(TOO_WIDE)
    assert {name: found for name, found in wide.items() if found} == {}


@pytest.mark.parametrize("phase", [*DECISIONS, *STONKS, "five players", "two players"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["390", "360"])
def test_a_decision_is_made_with_a_thumb(visitor, catalogue, size, phase):
    page = catalogue.visit(visitor(**on_a_phone(size)), phase)
    assert page.evaluate(OUT_OF_REACH) == []
    assert page.evaluate(TOO_SMALL, THUMB) == []
