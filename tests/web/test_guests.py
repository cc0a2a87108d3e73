"""Guests play before they have an account, and can keep what they have played."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select

from stockpile_web.games import GAMES
from stockpile_web.match.seating import MOST_OF_GUEST
from stockpile_web.people import guests
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Device, Match, User
from stockpile_web.storage.models.people import MEMBERS
from stockpile_web.storage.transactions import writing
from stockpile_web.web.auth import FOR_GUESTS, SEEN_EVERY
from stockpile_web.web.guests import coming
from tests.conftest import PASSWORD
from tests.support.known import FIRST
from tests.support.people import table
from tests.support.toy.site import SLUG, add_toy

ACCOUNT = {"name": "Gina", "password": PASSWORD}


def begin(browser: FlaskClient, slug: str = FIRST) -> str:
    """Let a stranger press the button of a game; return the address of their table."""
    answer = browser.post(f"/try/{slug}")
    assert answer.status_code == 303, answer.text
    return answer.location


def users(app):
    with app.app_context():
        return list(db.session.scalars(select(User).order_by(User.id)))


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_one_press_leads_to_the_first_decision_of_a_game(app, client, monkeypatch, slug):
    add_toy(app, monkeypatch)
    assert f'formaction="/try/{slug}"' in client.get("/").text
    assert slug == SLUG or f'action="/try/{slug}"' in client.get(f"/rules/{slug}").text
    address = begin(client, slug)
    with app.app_context():
        match = db.session.get_one(Match, int(address.rsplit("/", 1)[1]))
        guest = db.session.scalars(select(User)).one()
        assert (match.practice, match.listed, match.status) == (True, False, "playing")
        mine = [seat for seat in match.seats if seat.user_id == guest.id]
        assert [seat.on_turn for seat in mine] == [True]
        bots = {seat.bot for seat in match.seats if seat.user_id is None}
        assert len(match.seats) == min(4, GAMES[slug].SEATS[-1])
        assert not any(GAMES[slug].BOTS[bot or ""].thinks for bot in bots)
        assert guest.is_guest
        assert guest.password_hash is None
    page = client.get(address).text
    assert 'name="move"' in page or "step=" in page
    assert "Keep this game" in page
    assert "Settings" not in page
    assert "imported from a file" not in page
    assert app.test_client().get(address).status_code == 404
    assert client.post("/try/nothing").status_code == 404
    # Once more, it is the same guest.
    begin(client, slug)
    assert len(users(app)) == 1


@pytest.mark.usefixtures("steady_minute")
def test_a_guest_who_has_tried_to_keep_their_tables_too_often_is_told_to_wait(client):
    begin(client)
    wrong = {**ACCOUNT, "password": "short"}
    answers = [client.post("/keep", data=wrong) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [422] * 20 + [429]
    assert "Retry-After" in answers[-1].headers and "minutes" in answers[-1].text


def test_a_guest_keeps_all_tables_by_choosing_a_name_and_a_password(app, client, sign_up):
    sign_up(app.test_client(), "ann")
    address, thief = begin(client), app.test_client()
    cookie = client.get_cookie("session").value
    thief.set_cookie("session", cookie)
    assert thief.get(address).status_code == 200
    assert client.get("/sign-up").location == "/keep"
    taken = client.post("/keep", data={**ACCOUNT, "name": "ANN"})
    assert (taken.status_code, "This name is taken" in taken.text) == (422, True)
    assert client.post("/keep", data={**ACCOUNT, "password": "short"}).status_code == 422
    assert client.post("/keep", data=ACCOUNT).location == "/tables"
    page = client.get("/tables").text
    assert "All your tables are here" in page
    assert f'href="{address}"' in page
    assert "Settings" in page
    kept = users(app)[-1]
    assert (kept.name, kept.is_guest, kept.is_admin, kept.profile_for) == (
        "Gina", False, False, MEMBERS,
    )  # fmt: skip
    # What was a guest's cookie is not the key to an account.
    assert thief.get("/tables").status_code == 302
    assert client.get("/keep").location == "/tables"
    elsewhere = app.test_client()
    assert elsewhere.post("/sign-in", data=ACCOUNT).status_code == 303
    assert elsewhere.get(address).status_code == 200


def test_a_guest_is_no_administrator_and_nobody_before_the_first(app, client, sign_up):
    begin(client)
    sign_up(app.test_client(), "ann")
    assert [user.is_admin for user in users(app)] == [False, True]


def test_what_needs_an_account_says_so_to_guests(app, client, sign_up):
    address = begin(client)
    for path in ("/tables/new", "/account", "/friends", "/import", "/groups/new", "/notices",
                 f"{address}/turn/0/report"):  # fmt: skip
        answer = client.get(path)
        assert (answer.status_code, "Keep my games" in answer.text) == (403, True), path
    asked = client.get("/notices/log", headers={"HX-Request": "true"})
    assert asked.headers["HX-Redirect"] == "/keep"
    form = {"game": FIRST, "size": "2", "pace": "day", "listed": "on"}
    assert client.post("/tables/new", data=form).status_code == 403
    assert set(app.view_functions) >= FOR_GUESTS
    for path in ("/tables", "/next", "/archive?mine=1"):
        assert client.get(path, follow_redirects=True).status_code == 200
    # They see no more of people than strangers do, and nobody finds them.
    name = users(app)[0].name
    sign_up(ann := app.test_client(), "ann")
    assert client.get("/people/ann").status_code == 404
    assert ann.get(f"/people/{name}").status_code == 404
    ann.post("/friends", data={"do": "add", "name": name})
    assert "Nobody here has this name" in ann.get("/friends").text


def test_a_guest_sits_down_at_a_friends_table_by_a_name_of_their_choice(app, client, sign_up):
    match_id, ann = table(app, sign_up, 3)
    with app.app_context():
        invitation = f"/join/{db.session.get_one(Match, match_id).invitation}"
    assert "as a guest" in client.get(invitation).text
    for wrong, said in (("x", "use 2 to 12"), ("a" * 13, "use 2 to 12"), ("guest-7", "taken")):
        answer = client.post(f"{invitation}/guest", data={"name": wrong}, follow_redirects=True)
        assert said in answer.text, wrong
    begin(carl := app.test_client())
    assert "Your name at this table" in carl.get(invitation).text
    assert carl.post(f"{invitation}/guest", data={"name": "Carl"}).status_code == 303
    form = {"name": "CARL", "time_zone": "Europe/Rome"}
    assert client.post(f"{invitation}/guest", data=form).location == f"{invitation}?name=CARL"
    form["name"] = "Bob"
    assert client.post(f"{invitation}/guest", data=form).location == f"/table/{match_id}"
    page = ann.get(f"/table/{match_id}").text
    assert "Bob (guest)" in page
    assert "Carl (guest)" in page
    assert "/people/Bob" not in ann.get(f"/table/{match_id}").text
    assert users(app)[-1].time_zone == "Europe/Rome"
    client.post(f"/table/{match_id}/chat", data={"text": "Good morning"})
    assert "Good morning" in ann.get(f"/table/{match_id}").text
    assert 'value="Bob"' in client.get("/keep").text
    assert ann.get("/friends").text.count("Bob") == 0
    ann.post("/friends", data={"do": "block", "name": "Bob (guest)"})
    assert "Bob (guest)" in ann.get("/account/blocked").text


def test_guests_are_never_at_tables_that_anybody_may_watch(app, client, sign_up):
    match_id, ann = table(app, sign_up, 3, listed="on")
    with app.app_context():
        invitation = f"/join/{db.session.get_one(Match, match_id).invitation}"
    assert "as a guest" not in client.get(invitation).text
    assert client.post(f"{invitation}/guest", data={"name": "Bob"}).location == invitation
    begin(client)
    refused = client.post(invitation, follow_redirects=True)
    assert "guests are never shown" in refused.text
    assert "keep your games" in client.get(invitation).text
    client.post(f"/table/{match_id}/seating", data={"do": "join"})
    client.post(f"/table/{match_id}/chat", data={"text": "Good morning"})
    page = ann.get(f"/table/{match_id}").text
    assert "Guest" not in page
    assert "Good morning" not in page


def test_limits_are_told_kindly(app, client, sign_up, monkeypatch, steady_minute):
    match_id, _ = table(app, sign_up, 2, listed="on")
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).status = "playing"
    assert f'href="/table/{match_id}">Watch a match' in client.get("/").text
    monkeypatch.setattr(guests, "MOST_GUESTS", 1)
    for _ in range(MOST_OF_GUEST):
        begin(client)
    refused = client.post(f"/try/{FIRST}", follow_redirects=True)
    assert f"You host {MOST_OF_GUEST} tables already" in refused.text
    full = app.test_client().post(f"/try/{FIRST}")
    assert full.status_code == 503
    assert f'href="/table/{match_id}">Watch a match' in full.text
    assert "/sign-up" in full.text
    monkeypatch.setattr(guests, "MOST_GUESTS", 100)
    answers = [app.test_client().post(f"/try/{FIRST}") for _ in range(coming.NEW_GUESTS.most)]
    assert (answers[-1].status_code, "Retry-After" in answers[-1].headers) == (429, True)
    with app.app_context():
        count = db.session.scalar(select(func.count()).where(User.guest_until.is_not(None)))
        assert count == coming.NEW_GUESTS.most - 1


@pytest.mark.parametrize(
    ("sign_ups", "wanted", "are_welcome"),
    [("open", "auto", True), ("code", "auto", False), ("closed", "auto", False),
     ("closed", "on", True), ("open", "off", False)],
)  # fmt: skip
def test_a_host_decides_whether_there_are_guests(
    app, client, sign_up, sign_ups, wanted, are_welcome
):
    sign_up(app.test_client(), "ann")
    app.config.update(SIGN_UP=sign_ups, SIGN_UP_CODE="swordfish", GUESTS=wanted)
    assert ("/try/" in client.get("/").text) == are_welcome
    assert client.post(f"/try/{FIRST}").status_code == (303 if are_welcome else 404)
    if are_welcome and sign_ups == "closed":
        assert client.post("/keep", data=ACCOUNT).status_code == 403


def test_a_new_guest_has_a_new_cookie_and_a_form_that_cannot_be_forged(app, client):
    app.config["WTF_CSRF_ENABLED"] = True
    assert client.post(f"/try/{FIRST}").status_code == 400
    page = client.get("/").text
    token = page.split('name="csrf_token" value="')[1].split('"')[0]
    planted = client.get_cookie("session").value
    answer = client.post(f"/try/{FIRST}", data={"csrf_token": token})
    assert answer.status_code == 303
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    other = app.test_client()
    other.set_cookie("session", planted)
    assert other.get(answer.location).status_code == 404


def test_a_guest_who_is_seen_stays(app, client):
    begin(client)
    soon = now() + SEEN_EVERY
    with app.app_context(), writing() as tx:
        tx.scalars(select(User)).one().guest_until = soon
        tx.scalars(select(Device)).one().seen_at = now() - 2 * SEEN_EVERY
    client.get("/tables")
    assert users(app)[0].guest_until > soon


def test_an_account_cannot_be_called_as_a_guest_is():
    assert all(map(guests.looks_like_guest, ("Guest", "guest-4711", "GUEST4711", "guеst_1")))
    assert not any(map(guests.looks_like_guest, ("guestling", "gues", "Guestav1", "ann")))
