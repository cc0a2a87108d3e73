"""Inviting by name: whom it reaches, what whoever invites learns, and answering."""

import re

import pytest
from sqlalchemy import select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Invitation, Notice, User
from tests.support.people import close, seated
from tests.support.postbox import work

NEEDS_LINK = "send them the link instead"


def change(client, do, name):
    client.post("/friends", data={"do": do, "name": name})


def new_table(client):
    form = {"game": "stockpile", "size": "4", "pace": "day", "name": "Night shift"}
    return int(client.post("/tables/new", data=form).location.rsplit("/", 1)[1])


def invite(client, match_id, name):
    address = f"/table/{match_id}/invite"
    return client.post(address, data={"name": name}, follow_redirects=True).text


def asked(page):
    """Return the list of those who were invited."""
    return re.search(r'id="invite-title".*?</section>', page, re.S)[0]  # type: ignore[index]


def told(app, event="invited"):
    with app.app_context():
        names = select(User.name).join(Notice).where(Notice.event == event)
        return sorted(filter(None, db.session.scalars(names)))


@pytest.fixture
def known(app, sign_up):
    """Ann, who has played with Bob and Carol; Dave and Eve have never met her."""
    match_id, players = seated(app, sign_up, 3)
    close(match_id, *players)
    for name in ("dave", "eve"):
        players.append(app.test_client())
        sign_up(players[-1], name)
    return players


def test_whoever_invites_learns_nothing_of_other_peoples_lists(app, known):
    ann, bob, carol, dave, eve = known
    match_id = new_table(ann)
    assert "there is nobody to invite yet" in ann.get(f"/table/{match_id}").text
    for name in ("bob", "dave", "eve"):
        change(ann, "add", name)
    assert "Invite eve" in ann.get(f"/table/{match_id}").text
    change(carol, "block", "ann")  # Whom she has met,
    change(dave, "add", "ann")  # while Dave has not, but knows of her.
    pages = {name: asked(invite(ann, match_id, name)) for name in ("bob", "carol", "dave", "eve")}
    of = {name: pages["eve"].split(f">{name}", 1)[1].split("</li>")[0] for name in pages}
    assert of["bob"] == of["carol"] and NEEDS_LINK not in of["bob"]
    assert of["dave"] == of["eve"] and NEEDS_LINK in of["dave"]
    assert "Invite " not in pages["eve"]
    assert told(app) == ["bob", "dave"]
    shown = [
        player for player in (bob, carol, dave, eve) if "Night shift" in player.get("/tables").text
    ]
    assert shown == [bob, dave]
    # Nobody is invited twice, whoever asks.
    assert "invited already" in invite(ann, match_id, "bob")
    assert told(app) == ["bob", "dave"]
    # Whoever does not sit there can invite nobody.
    for number in (match_id, 4711):
        assert eve.post(f"/table/{number}/invite", data={"name": "bob"}).status_code == 404


def test_an_invitation_is_accepted_or_declined(app, known):
    ann, bob, carol, *_ = known
    match_id = new_table(ann)
    for name in ("bob", "carol"):
        invite(ann, match_id, name)
    link = re.search(r'href="(/join/[^"]+)"', bob.get("/notices").text)
    assert link and link[1] in bob.get("/tables").text
    assert bob.get(f"/table/{match_id}").status_code == 404
    page = bob.get(link[1]).text
    assert "ann has invited you by name" in page and "Decline" in page
    assert bob.post(f"{link[1]}/decline").location == "/tables"
    assert "Night shift" not in bob.get("/tables").text
    assert "Decline" not in bob.get(link[1]).text  # He may still sit down.
    assert "has declined" in asked(ann.get(f"/table/{match_id}").text)
    assert '<span class="vh"> new' in carol.get("/friends").text
    assert carol.post(link[1]).location == f"/table/{match_id}"
    assert '<span class="vh"> new' not in carol.get("/friends").text
    assert "carol" not in asked(ann.get(f"/table/{match_id}").text)
    assert "They sit here already" in invite(ann, match_id, "carol")


def test_blocking_somebody_voids_their_invitations(app, known):
    ann, bob, *_ = known
    match_id = new_table(ann)
    invite(ann, match_id, "bob")
    change(bob, "block", "ann")
    assert "Night shift" not in bob.get("/tables").text
    assert told(app) == []
    with app.app_context():
        assert db.session.scalars(select(Invitation)).all() == []
    invite(ann, match_id, "bob")
    assert told(app) == []


def test_an_invitation_is_told_by_mail_with_its_link_unless_it_is_answered(
    site, postbox, sign_up_with_mail
):
    match_id, (ann, bob, carol) = seated(site, sign_up_with_mail, 3)
    close(match_id, ann, bob, carol)
    work(site)
    postbox.mails.clear()
    match_id = new_table(ann)
    for name in ("bob", "carol"):
        invite(ann, match_id, name)
    link = re.search(r"/join/[\w-]+", ann.get(f"/table/{match_id}").text)
    assert link
    carol.post(f"{link[0]}/decline")
    work(site)
    (mail,) = postbox.mails
    assert mail["To"] == "bob@example.org"
    assert mail["Subject"] == "An invitation to “Night shift” (Stockpile)"
    assert f"{link[0]}\r\n" in mail.get_body(("plain",)).get_content()
