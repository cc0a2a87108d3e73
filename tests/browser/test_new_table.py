"""The page of a new table with a number on it, in a browser: the toy has one."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, open_house
from tests.browser.person import Person
from tests.support.toy.table import deal


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The site with the toy on it."""
    with (
        open_house(tmp_path_factory.mktemp("toy"), "tests.support.toy.wsgi:app") as house,
        pytest.MonkeyPatch.context() as patch,
    ):
        deal(patch, house.app)
        yield house


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_number_is_typed_told_to_be_wrong_mended_and_played(
    player: Callable[..., Person], scripts: bool
) -> None:
    size = {"width": 390, "height": 844}
    ann = player("ann", viewport=size, java_script_enabled=scripts)
    page = ann.open("/tables/new?game=tens")
    number = page.get_by_label("Cards in a hand")
    box = number.bounding_box()
    assert box and box["height"] >= 44 and box["width"] >= 44
    number.fill("99")
    ann.foresees(422)
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("alert")).to_contain_text("a whole number from 4 to 8")
    expect(number).to_have_value("99")
    expect(number).to_have_css("border-top-width", "2px")
    expect(number).to_have_accessible_description(re.compile("^“Cards in a hand” is a whole"))
    number.fill("8")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_text("Cards in a hand 8")).to_be_visible()


def test_a_number_that_means_nothing_is_not_shown_and_stops_nobody(
    player: Callable[..., Person],
) -> None:
    page = player("ann").open("/tables/new?game=tens")
    number = page.get_by_label("Cards in a hand")
    number.fill("99")
    page.get_by_text("Rules to add").first.click()
    page.get_by_label("A short game").check()
    expect(number).to_be_hidden()
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_text("A short game")).to_be_visible()
