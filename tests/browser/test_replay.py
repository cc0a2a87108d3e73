"""What others did is shown on the board move by move, and no press slips into the next question."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import table_at

MOVING = {"reduced_motion": "no-preference"}


@pytest.fixture
def back(player):
    """Ann, who comes back to a table at which bots have laid and bid."""
    ann = player("ann", **MOVING)
    return ann, table_at("demand", ann, bots=3)


def words(page):
    return page.locator("#replay .words")


def news(page):
    """Return the lines that say what has happened since the last turn."""
    lines = page.locator("#since li").all_inner_texts()
    return [re.sub(r"\s+", " ", re.sub(r"^\d+\s*", "", line)).strip() for line in lines]


def test_it_is_stepped_through_by_key_and_says_all_that_the_list_says(player):
    ann = player("ann")  # With reduced motion it stands still between two keys.
    page = ann.open(f"/table/{table_at('demand', ann, bots=3)}")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("#bar")).to_have_count(0)
    told = words(page).locator("p").all_inner_texts()
    page.keyboard.press("ArrowRight")
    second = words(page).inner_text()
    page.keyboard.press("ArrowLeft")
    assert words(page).locator("p").all_inner_texts() == told
    page.keyboard.press("ArrowRight")
    assert words(page).inner_text() == second
    while page.locator("#replay").is_visible():
        told += words(page).locator("p").all_inner_texts()
        page.keyboard.press("ArrowRight")
    expect(page.locator("#bar")).to_be_visible()
    assert [re.sub(r"\s+", " ", line).strip() for line in told] == news(page)


def test_who_comes_back_sees_what_others_did_and_then_the_question(back):
    ann, match_id = back
    page = ann.open(f"/table/{match_id}")
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("#bar")).to_be_visible()
    expect(page.locator("#replay")).to_be_hidden()


def test_who_has_not_moved_yet_has_the_first_question_before_them_at_once(player):
    ann = player("ann", **MOVING)
    page = ann.open(f"/table/{table_at('supply', ann, bots=3)}")
    page.wait_for_load_state("networkidle")  # What it would show, it would have fetched.
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#bar")).to_be_visible()
    expect(page.get_by_role("button", name="Show it")).to_be_visible()


@pytest.mark.parametrize("how", ["key", "button", "board"])
def test_it_is_skipped_at_once_and_not_shown_again(back, how):
    ann, match_id = back
    page = ann.open(f"/table/{match_id}")
    expect(page.locator("#replay")).to_be_visible()
    page.locator("#replay button").first.click()  # Stop it, so that it cannot end by itself.
    if how == "key":
        page.keyboard.press("Escape")
    elif how == "button":
        page.get_by_role("button", name="Skip").click()
    else:
        page.locator("#strip").click(position={"x": 5, "y": 5})
    expect(page.locator("#bar")).to_be_visible()
    ann.open(f"/table/{match_id}")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#bar")).to_be_visible()
    expect(page.locator("#replay")).to_be_hidden()


def test_a_skip_counts_while_a_step_is_on_its_way(back):
    ann, match_id = back
    page = ann.open(f"/table/{match_id}")
    expect(page.locator("#replay")).to_be_visible()
    # In one breath: a step's glide begins later than the press that asked for it.
    page.evaluate("""() => {
      document.querySelector("#replay button[value='1']").click();
      document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
    }""")
    page.wait_for_timeout(300)
    expect(page.locator("#bar")).to_be_visible()
    expect(page.locator("#replay")).to_be_hidden(timeout=1)


def test_with_reduced_motion_it_waits_to_be_asked_for_and_what_was_chosen_stays(player):
    ann = player("ann")
    page = ann.open(f"/table/{table_at('demand', ann, bots=3)}")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#replay")).to_be_hidden()
    page.locator(".lad input").first.check()
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("#bar")).to_have_count(0)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".lad input").first).to_be_checked()


def test_what_others_answer_to_my_move_is_shown_before_the_next_question(back):
    ann, match_id = back
    page = ann.open(f"/table/{match_id}")
    page.keyboard.press("Escape")  # Before it has begun, too.
    expect(page.locator("#bar")).to_be_visible()
    shown = page.evaluate_handle("""() => {
      const shown = [];
      const words = document.querySelector("#replay .words");
      new MutationObserver(() => shown.push(words.innerText)).observe(words, {childList: true});
      return shown;
    }""")
    ann.decide(Random(1))
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#bar")).to_be_visible()
    page.wait_for_function("shown => shown.length > 0", arg=shown)
    expect(page.locator("#replay")).to_be_hidden()
    assert all("ann" not in step.split()[0] for step in shown.json_value() if step)


def test_the_bar_of_a_new_question_takes_no_press_for_a_moment(player):
    """And its button does not lie where the finger was for the last one."""
    ann = player("ann")
    # The moment passes when the test says so: a busy machine would miss it.
    ann.context.add_init_script("""
      const patient = window.setTimeout;
      window.setTimeout = (act, time, ...rest) =>
        act.name === "wake" ? (window.wake = act, 1) : patient(act, time, ...rest);
    """)
    match_id = table_at("supply", ann, bots=1)
    page = ann.open(f"/table/{match_id}")
    button = page.locator("#bar button")
    expect(button).to_be_enabled()
    before = button.bounding_box()
    ann.decide(Random(2))
    expect(page.locator("#bar.mirrored")).to_be_visible()
    expect(button).to_be_disabled()
    after = button.bounding_box()
    assert after["x"] + after["width"] <= before["x"]
    page.evaluate("window.wake()")
    expect(button).to_be_enabled()
