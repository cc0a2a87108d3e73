"""Tables have names: given by their hosts, or after them, and shown wherever a table is."""

import pytest
from sqlalchemy import select

from stockpile_web.match import naming
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from tests.support.people import let_anybody_leave, seated, table

FORM = {"game": "stockpile", "size": "3", "pace": "day", "listed": "on"}


def names(app):
    with app.app_context():
        return list(db.session.scalars(select(Match.name).order_by(Match.id)))


def test_a_table_is_called_as_its_host_likes(app, sign_up):
    match_id, ann = table(app, sign_up, 2, name="  Friday\n <night> & Söhne ", listed="on")
    assert names(app) == ["Friday <night> & Söhne"]
    shown = "Friday &lt;night&gt; &amp; Söhne"
    assert f"<h1>{shown}</h1>" in ann.get(f"/table/{match_id}").text
    for page in ("/tables", "/tables/listed", f"/table/{match_id}"):
        assert shown in ann.get(page).text
        assert "<night>" not in ann.get(page).text
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    address = f"/table/{match_id}"
    for page in ("", "/log", "/turn/0", "/orders"):
        assert shown in ann.get(address + page).text
    assert f"{shown} · Stockpile</title>" in ann.get(address).text


def test_tables_without_a_name_are_called_after_their_host_each_in_its_own_way(app, sign_up):
    _, ann = table(app, sign_up, 3)
    for _ in range(2):
        ann.post("/tables/new", data=FORM)
    assert names(app) == ["ann’s table", "ann’s table 2", "ann’s table 3"]
    assert 'placeholder="ann’s table"' in ann.get("/tables/new").text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 41, "at most 40"),
        ("evil\u202eeman", "letters, digits and signs"),
        ("http://x.example", "no address"),
        ("Z" + "\u0301" * 9, "letters, digits and signs"),
        ("\u200d", "one can see"),
        ("\x07bell", "letters, digits and signs"),
    ],
)
def test_a_name_that_would_confuse_people_is_refused_and_stays_in_the_form(
    app, sign_up, client, name, why
):
    sign_up(client, "ann")
    answer = client.post("/tables/new", data={**FORM, "name": name})
    assert answer.status_code == 422
    assert why in answer.text and 'role="alert"' in answer.text
    assert names(app) == []


@pytest.mark.parametrize(
    "name", ["日曜日", "Spieleabend 🎲", "👩‍👩‍👧 night", "नमस्ते", "שולחן", "x" * 40]
)
def test_a_name_may_be_in_any_script(name):
    assert naming.what_is_wrong_with(naming.tidy(name)) is None


def test_a_match_from_before_there_were_names_goes_by_its_number(app, sign_up):
    match_id, ann = table(app, sign_up, 3, listed="on")
    with app.app_context():
        db.session.execute(db.update(Match).values(name=""))
        db.session.commit()
    assert f"<h1>Table {match_id}</h1>" in ann.get(f"/table/{match_id}").text
    assert f"Table {match_id}</a>" in ann.get("/tables").text


def test_the_list_of_open_tables_tells_pace_rules_and_who_sits_there(app, sign_up):
    _, ann = table(app, sign_up, 4, listed="on", pace="live", options=["bonds", "advanced_board"])
    page = app.test_client().get("/tables/listed").text
    for words in (
        "ann’s table",
        "Stockpile: ann; 3 of 4 seats free",
        "Live",
        "Bonds",
        "Advanced board",
    ):
        assert words in page


def test_an_invitation_and_a_rematch_have_the_name_of_the_table(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, name="Friday")
    with app.app_context():
        link = f"/join/{db.session.get_one(Match, match_id).invitation}"
    assert "“Friday”" in app.test_client().get(link).text
    for player, what in ((ann, "close"), (bob, "closing close"), (bob, "rematch")):
        player.post(f"/table/{match_id}/seating", data={"do": what})
    assert names(app) == ["Friday", "Friday"]


def test_a_table_no_longer_tells_the_name_of_a_host_who_has_deleted_their_account(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    let_anybody_leave(app)
    ann.post("/account/delete", data={"password": "correct horse"})
    assert names(app) == [""]
    assert "ann" not in bob.get("/tables").text


def rename(client, match_id, name):
    form = {"do": "rename", "name": name}
    return client.post(f"/table/{match_id}/seating", data=form, follow_redirects=True)


def test_the_host_renames_a_table_in_the_room_and_while_it_is_played(app, sign_up):
    match_id, ann = table(app, sign_up, 2, listed="on")
    assert "Rename this table" in ann.get(f"/table/{match_id}").text
    assert "<h1>Friday</h1>" in rename(ann, match_id, " Friday ").text
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    assert 'value="Friday" maxlength="40"' in ann.get(f"/table/{match_id}").text
    page = app.test_client().get(f"/table/{match_id}")
    assert "Saturday · Stockpile</title>" in rename(ann, match_id, "Saturday").text
    # Open pages learn of it, and are shown it.
    known = {"HX-Request": "true", "If-None-Match": page.headers["ETag"]}
    fresh = app.test_client().get(f"/table/{match_id}", headers=known)
    assert "Saturday · Stockpile</title>" in fresh.text
    rename(ann, match_id, "")
    assert names(app) == ["ann’s table"]


def test_nobody_but_the_host_can_rename_a_table(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, name="Friday")
    assert "Rename this table" in ann.get(f"/table/{match_id}").text
    assert "Rename this table" not in bob.get(f"/table/{match_id}").text
    assert rename(bob, match_id, "Bob’s").status_code == 403
    stranger = app.test_client()
    sign_up(stranger, "eve")
    assert rename(stranger, match_id, "Eve’s").status_code == 403
    assert names(app) == ["Friday"]


def test_a_table_is_renamed_within_the_limits_of_a_new_one_and_not_once_it_is_over(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, name="Friday")
    assert "at most 40" in rename(ann, match_id, "x" * 41).text
    assert "no address" in rename(ann, match_id, "http://x.example").text
    for player, what in ((ann, "close"), (bob, "closing close")):
        player.post(f"/table/{match_id}/seating", data={"do": what})
    assert "it keeps its name" in rename(ann, match_id, "Sunday").text
    assert names(app) == ["Friday"]
