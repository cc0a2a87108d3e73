"""axe-core finds nothing to complain about, on any page, in light and in dark; and none shifts."""

from pathlib import Path

import pytest

from tests.browser.catalogue import NAMES
from tests.browser.shifting import LARGE, MOST, shift_of

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

CHECK = """async (run) => {
  const { violations } = await axe.run(document, run);
  return violations.flatMap((rule) => rule.nodes.map(
    (node) => `${rule.id}: ${node.html.slice(0, 160)} (${node.failureSummary})`));
}"""


@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_and_nothing_shifts(visitor, catalogue, name):
    person = visitor(color_scheme="light", viewport=LARGE)
    page = catalogue.visit(person, name)
    assert shift_of(page) < MOST
    page.evaluate(AXE)
    assert page.evaluate(CHECK, {"runOnly": RULES}) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(CHECK, {"runOnly": ["color-contrast"]}) == []
