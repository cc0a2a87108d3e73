"""Friends and blocks: my own lists, and what they change for others without telling them."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Block, Friend, Match, Member, Message, Notice, User
from stockpile_web.storage.transactions import writing
from stockpile_web.web import friends
from tests.conftest import PASSWORD
from tests.support.people import close, seated, table


def change(client, do, name, **form):
    return client.post("/friends", data={"do": do, "name": name, **form}, follow_redirects=True)


@pytest.fixture
def bob(app, sign_up):
    client = app.test_client()
    sign_up(client, "bob")
    client.get("/tables")  # His welcome is said there, once.
    return client


def test_a_list_of_friends_is_made_by_name_or_of_those_with_whom_one_has_played(app, sign_up):
    _, (ann, _, carol) = seated(app, sign_up, 3)
    page = ann.get("/friends").text
    assert "Nobody is on it yet" in page
    assert 0 < page.index("People you have played with") < page.index('aria-label="Add bob"')
    assert "is among your friends" in change(ann, "add", "Bob").text  # However it is written.
    page = change(ann, "add", "@bob").text
    assert 'aria-label="Add bob"' not in page and 'aria-label="Remove bob"' in page
    for name, words in (("nobody", "Nobody here has this name"), ("ann", "That is you")):
        assert words in change(ann, "add", name).text
    # It is nobody else's business.
    assert 'aria-label="Add ann"' in carol.get("/friends").text
    assert "Remove bob" not in change(ann, "remove", "bob").text
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Friend)) == 0


def test_lists_have_limits(app, sign_up, bob, monkeypatch, steady_minute):
    ann = app.test_client()
    sign_up(ann, "ann")
    monkeypatch.setattr("stockpile_web.people.friends.MOST_FRIENDS", 0)
    monkeypatch.setattr("stockpile_web.people.blocks.MOST_BLOCKED", 0)
    assert "take somebody off it first" in change(ann, "add", "bob").text
    assert "unblock somebody first" in change(ann, "block", "bob").text
    monkeypatch.setattr(friends, "NAMES", replace(friends.NAMES, most=2))
    assert "many names" in change(ann, "add", "bob").text


def test_whoever_is_blocked_cannot_sit_down_where_i_host_and_is_not_told_why(app, sign_up, bob):
    match_id, ann = table(app, sign_up, 3, listed="on")
    page = change(ann, "block", "bob", next=f"/table/{match_id}").text
    assert "They are not told" in page
    assert "Unblock bob" in ann.get("/account/blocked").text
    refused = bob.post(
        f"/table/{match_id}/seating", data={"do": "join"}, follow_redirects=True
    ).text
    assert re.findall(r'role="status">(.*)</p>', refused) == ["You cannot sit down at this table."]
    change(ann, "unblock", "bob")
    bob.post(f"/table/{match_id}/seating", data={"do": "join"})
    # Bob's own table says who sits there before Ann sits down.
    change(ann, "block", "bob")
    form = {"game": "stockpile", "size": "3", "pace": "day", "listed": "on"}
    bobs = bob.post("/tables/new", data=form).location
    assert "whom you have blocked, sits at this table" in ann.get(bobs).text
    link = re.search(r'value="http://localhost(/join/[^"]+)"', bob.get(bobs).text)
    assert link and "whom you have blocked, sits at this table" in ann.get(link[1]).text
    assert "whom you have blocked" not in app.test_client().get(bobs).text


def test_what_the_blocked_say_is_folded_for_me_alone_and_calls_nobody(app, sign_up):
    match_id, (ann, bob, carol) = seated(app, sign_up, 3, open_chat="on")
    change(ann, "block", "bob", next=f"/table/{match_id}")
    for player in (ann, carol):
        player.get(f"/table/{match_id}")  # What is cached for one is not shown to the other.
    bob.post(f"/table/{match_id}/chat", data={"text": "@ann @carol wake up"})
    folded = "<summary>A line of somebody whom you have blocked</summary><bdi>@ann"
    assert folded in ann.get(f"/table/{match_id}").text
    assert "Mark as read" not in ann.get(f"/table/{match_id}").text
    assert folded not in carol.get(f"/table/{match_id}").text
    assert "Mark as read" in carol.get(f"/table/{match_id}").text
    with app.app_context():
        called = select(func.count()).where(Notice.event == "mention")
        assert db.session.scalar(called) == 1
        assert db.session.scalar(select(func.count()).select_from(Message)) == 1
    change(ann, "unblock", "bob")
    assert folded not in ann.get(f"/table/{match_id}").text


def test_nobody_is_asked_for_a_rematch_by_whom_they_have_blocked_who_does_not_learn_it(
    app, sign_up
):
    match_id, (ann, bob, carol) = seated(app, sign_up, 3)
    close(match_id, ann, bob, carol)
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).listed = False
    change(carol, "block", "ann")
    again = ann.post(f"/table/{match_id}/seating", data={"do": "rematch"}).location
    page = ann.get(again).text.partition("Block somebody")[0]
    assert page.replace("carol", "bob").count("bob") == 2 * page.count("carol") > 0
    with app.app_context():
        told = select(User.name).join(Notice).where(Notice.event == "rematch")
        assert db.session.scalars(told).all() == ["bob"]
    refused = carol.post(f"/table/{match_id}/seating", data={"do": "rematch"})
    assert refused.location == f"/table/{match_id}"
    assert "no seat for you" in carol.get(refused.location).text


def test_whoever_deletes_their_account_is_on_no_list_and_in_no_group(app, sign_up):
    _, (ann, bob, carol) = seated(app, sign_up, 3)
    change(ann, "add", "bob")
    change(bob, "block", "carol")
    change(carol, "block", "bob")
    for player in (bob, ann):
        form = {"name": "Club", "entry": "open", "do": "join"}
        player.post("/groups/new" if player is bob else "/groups/1", data=form)
    with app.app_context():
        (group_id,) = set(db.session.scalars(select(Member.group_id)))
    ann.post(f"/groups/{group_id}", data={"do": "join"})
    assert bob.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    with app.app_context():
        for kind in (Friend, Block):
            assert db.session.scalar(select(func.count()).select_from(kind)) == 0
        assert db.session.scalars(select(Member.role)).all() == ["owner"]
