"""What others do shows on an open page by itself, and takes nothing out of anybody's hands."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import set_up_table, table_at


@pytest.fixture
def two_open_pages(player):
    """A table of two people and a bot: its number, who is to lay cards, and who waits."""
    ann, bob = player("ann"), player("bob")
    match_id = table_at("supply", ann, bob, bots=1)
    for person in (ann, bob):
        person.open_table(match_id)
        person.page.evaluate("window.neverReloaded = true")
    yield match_id, ann, bob
    assert all(person.page.evaluate("window.neverReloaded") for person in (ann, bob))


def say(person, text):
    person.show("talk")
    person.page.get_by_label("Say something to the table").fill(text)
    person.page.get_by_role("button", name="Say it").click()


def test_a_move_shows_on_the_page_of_another(two_open_pages):
    match_id, ann, bob = two_open_pages
    ann.decide(Random(1))
    bob.expect_version(match_id)
    expect(bob.page.locator("#log")).to_contain_text(ann.name)


def test_a_spectator_sees_a_move_too(two_open_pages, visitor):
    match_id, ann, _ = two_open_pages
    stranger = visitor()
    stranger.open_table(match_id)
    expect(stranger.page.locator("#say")).to_contain_text("You are watching")
    ann.decide(Random(1))
    stranger.expect_version(match_id)
    expect(stranger.main_button).to_have_count(0)


def test_a_move_of_another_is_announced_by_an_element_that_stays(two_open_pages):
    match_id, ann, bob = two_open_pages
    status = bob.page.locator("#say")
    expect(status).to_contain_text(ann.name)
    before = status.inner_text()
    # Screen readers announce a change of an element they know, not a new element.
    status.evaluate("element => { window.announcer = element; }")
    ann.decide(Random(1))
    bob.expect_version(match_id)
    expect(status).not_to_have_text(before)
    assert status.evaluate("element => element === window.announcer")


def test_a_line_of_chat_shows_on_the_page_of_another(two_open_pages):
    _, ann, bob = two_open_pages
    say(ann, "Steel <b>falls</b>!")
    expect(bob.page.locator("#chat")).to_contain_text("Steel <b>falls</b>!")
    expect(bob.page.get_by_role("radio", name="Talk 1 new")).to_be_visible()


def test_what_was_said_is_no_longer_in_the_field(two_open_pages):
    _, ann, _ = two_open_pages
    say(ann, "Steel falls!")
    expect(ann.page.locator("#chat")).to_contain_text("Steel falls!")
    ann.show("talk")
    expect(ann.page.get_by_label("Say something to the table")).to_have_value("")


def test_marking_the_chat_as_read_says_nothing_that_is_half_typed(two_open_pages):
    match_id, ann, bob = two_open_pages
    say(ann, "Steel falls!")
    bob.show("talk")
    field = bob.page.get_by_label("Say something to the table")
    field.fill("Shall I tell them that")
    bob.page.get_by_role("button", name="Mark as read").click()
    expect(bob.page.get_by_role("radio", name="Talk", exact=True)).to_be_visible()
    expect(bob.page.locator("#chat")).not_to_contain_text("Shall I")
    expect(field).to_have_value("Shall I tell them that")


def test_half_typed_words_the_focus_and_the_caret_stay_when_news_comes(two_open_pages):
    match_id, ann, bob = two_open_pages
    bob.show("talk")
    field = bob.page.get_by_label("Say something to the table")
    field.press_sequentially("I would nevr")
    field.press("ArrowLeft")
    ann.decide(Random(1))
    bob.expect_version(match_id)
    expect(field).to_be_focused()
    field.press("e")
    expect(field).to_have_value("I would never")


def test_what_is_chosen_and_the_focus_stay_when_news_comes(two_open_pages):
    match_id, ann, bob = two_open_pages
    chosen = ann.choose_something(Random(2))
    effect = ann.page.locator("#effect").inner_text()
    ann.page.locator(f"#{chosen[-1]}").focus()
    say(bob, "Hurry up")
    ann.expect_version(match_id)
    expect(ann.page.locator("#chat")).to_contain_text("Hurry up")
    for id_ in chosen:
        expect(ann.page.locator(f"#{id_}")).to_be_checked()
    expect(ann.page.locator(f"#{chosen[-1]}")).to_be_focused()
    expect(ann.page.locator("#effect")).to_have_text(effect)
    assert len(effect) > 20


def test_nothing_moves_under_the_mouse_of_whoever_is_choosing_when_news_comes(player):
    """What a chosen card brings must not be gone for one frame: its place would be empty."""
    ann = player("ann")
    match_id = table_at("trick", ann, bots=2, game="stonks", options="rounds_1")
    page = ann.open_table(match_id)
    while not page.locator("input.i1, input.i2").count():
        ann.decide(Random(1))
    card = page.locator("input.i1, input.i2").first
    ann.choose(card.get_attribute("id"))
    arrows = page.locator(".tile .pick:visible")
    ann.choose(arrows.first.locator("input").get_attribute("id"))
    arrows.last.evaluate(BOXES)
    burst_of_news(page)
    boxes = page.evaluate("window.boxes")
    assert boxes["frames"] > 20 and boxes["swaps"] > 5
    assert len(boxes["seen"]) == 1, boxes
    expect(card).to_be_checked()
    expect(arrows.first.locator("input")).to_be_checked()


# Notes every place that an element has in any frame, and in the first task after any swap.
BOXES = """element => {
  const boxes = (window.boxes = { seen: [], frames: 0, swaps: 0 });
  const note = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const box = [x, y + scrollY, width, height].join(" ");
    if (!boxes.seen.includes(box)) boxes.seen.push(box);
  };
  const frame = () => { note(); boxes.frames++; requestAnimationFrame(frame); };
  frame();
  document.addEventListener("htmx:afterSwap", () => setTimeout(() => { note(); boxes.swaps++; }));
}"""


def burst_of_news(page):
    """Let news come as fast as it can, for a second."""
    page.evaluate(
        """() => new Promise((done) => {
          const news = setInterval(() => document.body.dispatchEvent(new Event("live")), 5);
          setTimeout(() => { clearInterval(news); setTimeout(done, 200); }, 1000);
        })"""
    )


def test_what_is_chosen_in_the_moment_in_which_news_comes_stays_chosen(two_open_pages):
    match_id, ann, bob = two_open_pages
    first, second = [id_ for id_, one in ann.radios().items() if one.name == "part.up"][:2]
    ann.choose(first)
    ann.page.evaluate(
        """id => {
          const choose = () => setTimeout(() => document.getElementById(id).click());
          document.addEventListener("htmx:afterSwap", choose, { once: true });
        }""",
        second,
    )
    say(bob, "Hurry up")
    expect(ann.page.locator("#chat")).to_contain_text("Hurry up")
    expect(ann.page.locator(f"#{second}")).to_be_checked()
    burst_of_news(ann.page)
    expect(ann.page.locator(f"#{second}")).to_be_checked()


def test_after_my_move_nothing_of_it_is_chosen_for_the_next_one(player):
    ann = player("ann")
    match_id = table_at("supply", ann, bots=1)  # With two players, cards are laid twice.
    ann.open_table(match_id)
    ann.decide(Random(3))
    expect(ann.page.locator("#hand")).to_be_visible()
    piles = [radio for radio in ann.radios().values() if radio.name in ("part.up", "part.down")]
    assert piles and not any(radio.checked for radio in piles)


def test_the_host_who_waits_comes_to_the_table_when_the_last_one_sits_down(player):
    ann, bob = player("ann"), player("bob")
    match_id = set_up_table(ann, 2, listed="on")
    ann.open_table(match_id)
    expect(ann.page.get_by_text("1 seat is free")).to_be_visible()
    bob.open(f"/table/{match_id}")
    bob.page.get_by_role("button", name="Sit down").click()
    for person in (ann, bob):
        expect(person.board).to_be_visible()
        person.show("talk")
        expect(person.page.get_by_label("Say something to the table")).to_be_visible()
