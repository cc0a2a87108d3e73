"""Three people who have never been here sign up, meet at a table, and play to the end."""

import re
from random import Random

from playwright.sync_api import Locator, expect

from tests.browser.person import Person

CARDS_SOLD = re.compile(r"\d+ × \$\d+K?")
MONEY = re.compile(r"(-?)\$(\d+)")


def test_three_strangers_sign_up_meet_by_a_link_and_play_a_whole_game(visitor, house):
    ann, bob, carol = visitor(), visitor(), visitor()
    ann.open("/")
    ann.page.get_by_role("link", name="Sign up", exact=True).click()
    ann.sign_up("Ann")
    match_id, link = set_up_table(ann, "3")
    for guest, name in ((bob, "Bob"), (carol, "Carol")):
        guest.page.goto(link)
        expect(guest.page.get_by_role("heading", level=1)).to_contain_text("Ann invites you")
        guest.page.get_by_role("link", name="Sign up and sit down").click()
        guest.sign_up(name)
    people = {person.name: person for person in (ann, bob, carol)}
    play_to_the_end(people, match_id, Random(5))
    for person in people.values():
        expect_a_score_that_adds_up(person, list(people))
        expect_only_what_can_be_done_after_the_end(person)
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.page).not_to_have_url(re.compile(rf"/table/{match_id}$"))
    expect(ann.page.get_by_role("main")).to_contain_text("Carol")


def set_up_table(host: Person, size: str) -> tuple[int, str]:
    """Set up a table by clicking; return its number and the link to send."""
    host.page.get_by_role("navigation").get_by_role("link", name="New table").click()
    host.page.get_by_role("radio", name=size, exact=True).check()
    host.page.get_by_role("button", name="Set up the table").click()
    link = host.page.get_by_label("Send this link to your friends").input_value()
    return int(host.page.url.rsplit("/", 1)[1]), link


def play_to_the_end(people: dict[str, Person], match_id: int, chooser: Random) -> None:
    """Let whoever is on turn decide, on a page that was never reloaded."""
    house = next(iter(people.values())).house
    while names := house.on_turn(match_id):
        person = people[chooser.choice(names)]
        person.expect_version(match_id)
        person.decide(chooser)


def expect_a_score_that_adds_up(person: Person, names: list[str]) -> None:
    """Check that each column of the account comes to its total, and the highest one has won."""
    account = person.page.get_by_role("table")
    expect(account).to_be_visible()
    rows = [cells(row) for row in account.get_by_role("row").all()]
    columns = [text.split("\n")[0] for text in rows[0][1:]]
    assert sorted(columns) == sorted(names)
    totals = [amount(cell) for cell in rows[-1][1:]]
    parts = [sum(amount(row[column]) for row in rows[1:-1]) for column in range(1, 4)]
    assert totals == parts
    assert min(totals) > 0
    winners = [name for name, total in zip(columns, totals, strict=True) if total == max(totals)]
    say = person.page.locator("#say")
    for name in winners:
        expect(say).to_contain_text(name)
    expect(say).to_contain_text(f"with ${max(totals)}K")


def expect_only_what_can_be_done_after_the_end(person: Person) -> None:
    """Check a page that was open all the time: play again, but nothing to close or to hand over."""
    expect(person.page.get_by_role("button", name="Play again")).to_be_visible()
    expect(person.page.get_by_text("Let a bot play for me")).to_be_hidden()
    expect(person.page.get_by_text("Close this table")).to_be_hidden()


def cells(row: Locator) -> list[str]:
    return row.locator("th, td").all_inner_texts()


def amount(cell: str) -> int:
    """Return the money in a cell, without the prices it was reckoned from."""
    found = MONEY.findall(CARDS_SOLD.sub("", cell))
    return sum(-int(number) if minus else int(number) for minus, number in found)
