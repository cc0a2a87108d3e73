"""A notice counts as seen when a visible page has shown what it tells of, and not before."""

from random import Random

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Notice, User
from tests.browser.scenes import table_at
from tests.browser.test_stale import HIDE
from tests.support.live_site import wait_until


@pytest.fixture
def match(player):
    """A table of two people: its number, who is to lay cards, and who waits."""
    ann, bob = player("ann"), player("bob")
    return table_at("supply", ann, bob, bots=0), ann, bob


def unseen(house, person, event="turn"):
    with house.app.app_context():
        theirs = select(Notice.version).join(User).where(User.name == person.name)
        waiting = theirs.where(Notice.seen_at.is_(None), Notice.event == event)
        return db.session.scalars(waiting).all()


def test_a_visible_page_that_shows_my_turn_has_told_me(match, house):
    match_id, ann, bob = match
    assert unseen(house, ann)
    ann.open_table(match_id)
    wait_until(lambda: not unseen(house, ann))
    bob.open_table(match_id)
    ann.decide(Random(1))
    bob.expect_version(match_id)
    wait_until(lambda: not unseen(house, bob))
    assert bob.name in house.on_turn(match_id)


def test_a_page_behind_another_tells_nobody_until_it_is_looked_at(match, house):
    match_id, ann, _ = match
    ann.page.add_init_script(HIDE.replace("{value: 'hidden'}", "{get: () => window.state}"))
    ann.page.add_init_script("window.state = 'hidden';")
    posted = []
    ann.page.on("request", lambda request: posted.append(request.url))
    page = ann.open(f"/table/{match_id}")
    page.wait_for_load_state("networkidle")
    assert unseen(house, ann)
    assert not [url for url in posted if url.endswith("/seen")]
    page.evaluate("window.state = 'visible'; document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(lambda: not unseen(house, ann))


def test_a_visible_page_that_shows_a_call_in_the_chat_has_told_me(match, house):
    match_id, ann, bob = match
    bob.open_table(match_id)
    bob.show("talk")
    ann.send(f"/table/{match_id}/chat", text=f"@{bob.name} your move soon")
    bob.expect_version(match_id)
    expect(bob.page.get_by_text("your move soon")).to_be_visible()
    wait_until(lambda: not unseen(house, bob, "mention"))
    with house.app.app_context():
        theirs = select(Notice.seen_at).join(User).where(User.name == bob.name)
        assert len(db.session.scalars(theirs.where(Notice.event == "mention")).all()) == 1
