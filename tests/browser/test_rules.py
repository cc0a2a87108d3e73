"""Rules in a browser: beside the table, and on paper."""

import re

import pytest
from playwright.sync_api import expect

from stockpile_web.games import GAMES
from tests.browser.scenes import table_at
from tests.support.known import FIRST, known

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_rule_opens_beside_the_table_and_closes_again(player, viewport):
    ann = player("ann", viewport=viewport)
    page = ann.open(f"/table/{table_at(next(iter(known(FIRST).DECISIONS)), ann, bots=2)}")
    question, beside = page.locator("#say"), page.locator("#beside")
    link = question.get_by_role("link", name="The rule")
    before = question.bounding_box()
    for close in (
        lambda: page.keyboard.press("Escape"),
        lambda: beside.get_by_text("Close").click(),
    ):
        link.press("Enter")
        expect(beside.get_by_role("heading", level=2)).to_be_focused()
        # Nothing has moved, what is asked can still be read, and the page is no wider for it.
        assert question.bounding_box() == before
        panel = beside.bounding_box()
        assert panel["y"] >= before["y"] + before["height"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        close()
        expect(beside).to_be_hidden()
        expect(link).to_be_focused()


def test_the_summary_of_each_game_is_one_page_of_paper(player):
    ann = player("ann")
    for game in GAMES:
        page = ann.open(f"/rules/{game}/summary")
        paper = page.pdf(
            format="A4", margin=dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
        )
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1, game
