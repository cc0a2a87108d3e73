"""Taking a move back in a browser, with scripts and without."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import table_at


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_slip_is_taken_back_under_the_eyes_of_whoever_was_asked(player, house, scripts):
    ann, bob = player("ann", java_script_enabled=scripts), player("bob")
    match_id = table_at("selling", ann, bob)
    page, other = ann.open(f"/table/{match_id}"), bob.open_table(match_id)
    back = page.get_by_role("button", name="Take back")
    for seed in range(20):  # Until it is Bob who is asked next, and nothing was shown.
        if house.on_turn(match_id) == [bob.name] and back.count():
            break
        mover = ann if ann.name in house.on_turn(match_id) else bob
        mover.open(f"/table/{match_id}")
        mover.decide(Random(seed))
        ann.open(f"/table/{match_id}")
    expect(back).to_have_count(1)
    expect(page.locator("#say")).to_contain_text("Waiting for")
    back.click()
    expect(back).to_have_count(0)
    expect(page.locator("#say")).not_to_contain_text("Waiting for")
    for log in (page.locator("#log"), other.locator("#log")):
        expect(log).to_contain_text(f"{ann.name} takes back move")
    expect(other.locator("#say")).to_contain_text("Waiting for")
    assert house.on_turn(match_id) == [ann.name]
