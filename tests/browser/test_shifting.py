"""Nothing moves under the eyes of readers; test_axe.py and test_phone.py look at every page."""

from random import Random

import pytest

from tests.browser.account import Account
from tests.browser.scenes import seat
from tests.browser.shifting import LARGE, MOST, PHONE, shift_of
from tests.support.clicking import make_any_move

SIZES = pytest.mark.parametrize("size", [PHONE, LARGE], ids=["390", "1366"])


@SIZES
def test_a_slow_device_does_not_show_half_a_table(visitor, catalogue, size):
    person = visitor(viewport=size)
    throttle = person.context.new_cdp_session(person.page)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    for _ in range(3):
        assert shift_of(catalogue.visit(person, "absent player")) < MOST


@SIZES
@pytest.mark.parametrize("game", ["stockpile", "stonks"])
def test_moves_of_others_shift_nothing_where_they_bring_no_question(player, house, size, game):
    ann, others = player("ann", viewport=size), [Account(house) for _ in range(3)]
    for other in others:
        other.sign_up_quietly("bob")
    people = {person.name: person for person in (ann, *others)}
    match_id = seat(ann, *others, game=game)
    page, chooser = ann.open_table(match_id), Random(5)
    shifts: list[float] = []

    def lies() -> tuple[str, int]:
        """Return what decides how the page is laid out: the phase, and whether Ann is asked."""
        return page.locator(".dateline").inner_text(), ann.main_button.count()

    while len(shifts) < 8:
        mover = people[chooser.choice(house.on_turn(match_id))]
        before, sum_before = lies(), shift_of(page)
        make_any_move(mover.client, match_id, chooser)
        ann.expect_version(match_id)
        if mover is not ann and lies() == before:
            shifts.append(shift_of(page) - sum_before)
    assert max(shifts) < MOST
