"""A page that was only ever sent what it did not have shows what one loaded anew does."""

from random import Random

import pytest
from playwright.sync_api import expect

from stockpile_web.games import GAMES
from tests.browser.scenes import seat

# What the page shows, and what it would show if it were loaded now; but for what scripts write.
COMPARED = """async () => {
  const answer = await fetch(location.pathname, { cache: "no-store" });
  const anew = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [document, anew].map((page) => {
    const has = [...page.querySelectorAll("[data-fp]")];
    const parts = has.map((one) => `${one.id} ${one.dataset.fp}`);
    const board = page.getElementById("board").cloneNode(true);
    board.querySelectorAll("#bar, [data-replay], #coach").forEach((one) => one.remove());
    const words = board.textContent.replace(/\\s+/g, " ");
    const checked = [...board.querySelectorAll("input[checked]")].map((one) => one.id);
    const lines = [...page.querySelectorAll("#log li")].slice(0, 15).map((one) => one.textContent);
    return { parts, words, checked, lines };
  });
}"""


@pytest.mark.parametrize("game", GAMES)
def test_after_many_moves_a_page_is_as_if_it_were_loaded_anew(player, visitor, house, game):
    ann, bob, carol, stranger = player("ann"), player("bob"), player("carol"), visitor()
    chooser = Random(3)
    match_id = seat(ann, bob, carol, game=game)
    people = {person.name: person for person in (ann, bob, carol)}
    fetched: list[str] = []
    for person in (*people.values(), stranger):
        person.open_table(match_id)
        person.page.evaluate("window.neverReloaded = true")
    stranger.page.on("request", lambda one: fetched.append(one.url))
    for _ in range(12):
        mover = people[house.on_turn(match_id)[0]]
        mover.expect_version(match_id)
        mover.decide(chooser)
        for person in (*people.values(), stranger):
            person.expect_version(match_id)
            person.page.keyboard.press("Escape")  # What is shown of the move before is skipped.
            shown, anew = person.page.evaluate(COMPARED)
            assert shown == anew
            assert person.page.evaluate("window.neverReloaded")
    # Whoever fetches though nothing is new, as pages without a stream do, keeps what is there.
    for _ in range(2):
        with ann.page.expect_response(f"**/table/{match_id}"):
            ann.page.evaluate("document.body.dispatchEvent(new Event('live'))")
        expect(ann.page.locator(".htmx-request")).to_have_count(0)
    shown, anew = ann.page.evaluate(COMPARED)
    assert shown == anew
    # What the stream brings need not be fetched; of twelve moves one may be, or a few on a machine
    # that hardly gets to it. Each comparison above is a fetch of its own.
    assert len([url for url in fetched if "/replay" not in url]) <= 12 + 3
