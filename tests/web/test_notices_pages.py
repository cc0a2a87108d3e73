"""The pages of notices: the badge, the list, the choices, and what a page of mine has shown."""

import re
from random import Random

import pytest
from sqlalchemy import select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Channel, Choice, Delivery, Notice, SendJob, User
from tests.conftest import PASSWORD
from tests.support.clicking import make_any_move
from tests.support.people import let_anybody_leave, on_turn, seated
from tests.support.postbox import work

BADGE = '<span class="badge turn">'


def header(client):
    return client.get("/tables").text.partition("</header>")[0]


def second_table(host, guest):
    """Let two people sit at one more table, so that a match begins there, too."""
    form = {"game": "stockpile", "size": "2", "pace": "day", "listed": "on"}
    place = host.post("/tables/new", data=form).location
    assert guest.post(f"{place}/seating", data={"do": "join"}).status_code == 303
    return int(place.rsplit("/", 1)[1])


def test_the_badge_counts_the_tables_with_news_that_i_have_not_seen(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    other = next(player for player in players if player is not mover)
    assert f"{BADGE}1<" in header(mover)  # It has begun, and is my turn: one table.
    assert f"{BADGE}1<" in header(other)
    second_table(mover, other)
    assert f"{BADGE}2<" in header(mover)
    mover.post(f"/table/{match_id}/seen", data={"version": "1"})
    assert f"{BADGE}1<" in header(mover)
    assert f"{BADGE}2<" in header(other)


def test_the_badge_does_not_count_the_table_that_i_look_at(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    for page in ("", "/log", "/turn/0"):
        assert BADGE not in ann.get(f"/table/{match_id}{page}").text.partition("</header>")[0]
    other = second_table(ann, bob)
    for looked_at in (match_id, other):
        assert f"{BADGE}1<" in ann.get(f"/table/{looked_at}").text.partition("</header>")[0]
    assert f"{BADGE}2<" in header(ann)


def rows_of(client):
    """Return the rows of somebody's notices, as a reader sees them."""
    rows = re.findall(r"<li\b.*?</li>", client.get("/notices").text, re.S)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def test_the_list_has_one_row_for_each_table_with_the_newest_of_it(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    other = next(player for player in players if player is not mover)
    (row,) = rows_of(mover)
    assert row.startswith("It is your turn at “ann’s table” (Stockpile).")
    assert "2 notices of this table 2 new Your turn" in row
    (row,) = rows_of(other)
    assert row.startswith("The match at “ann’s table” (Stockpile) has begun.")
    assert "One notice of this table 1 new" in row and "Your turn" not in row
    newer = second_table(mover, other)
    first, last = rows_of(other)
    assert f"/table/{newer}" != f"/table/{match_id}" and first != last
    assert f'href="/table/{match_id}"' in mover.get("/notices").text
    mover.post("/notices/seen")
    assert not any(" new" in row for row in rows_of(mover))
    stranger = app.test_client()
    sign_up(stranger, "zoe")
    assert "has begun" not in stranger.get("/notices").text


def test_a_turn_that_has_been_taken_is_not_told_as_if_it_waited(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    while mover in on_turn(app, match_id, players):
        make_any_move(mover, match_id, Random(1))
    (row,) = rows_of(mover)
    assert row.startswith("Your turn at “ann’s table” (Stockpile) has been taken.")


def test_nobody_can_mark_what_others_have_not_seen(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    stranger = app.test_client()
    assert stranger.post(f"/table/{match_id}/seen", data={"version": "9"}).status_code == 302
    sign_up(stranger, "zoe")
    stranger.post(f"/table/{match_id}/seen", data={"version": "9"})
    with app.app_context():
        assert set(db.session.scalars(select(Notice.seen_at))) == {None}


def test_a_seated_player_s_page_says_where_to_tell_that_it_was_seen(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    other = next(player for player in players if player is not mover)
    seen = f'data-seen="/table/{match_id}/seen"'
    assert f'{seen} data-asks="turn">' in mover.get(f"/table/{match_id}").text
    assert f"{seen}>" in other.get(f"/table/{match_id}").text
    assert "data-seen" not in app.test_client().get(f"/table/{match_id}").text


def test_choices_are_kept_and_shown_again(app, client, sign_up):
    sign_up(client, "ann", time_zone="Europe/Berlin")
    form = {"events": ["turn", "ended"], "delay": "15", "quiet_from": "22", "quiet_to": "7"}
    assert client.post("/notices/choices", data=form).status_code == 303
    page = client.get("/notices/choices").text
    for shown in (
        'value="turn" checked', 'value="ended" checked', '<option value="15" selected>',
        '<option value="22" selected>', '<option value="7" selected>', "Europe/Berlin",
    ):  # fmt: skip
        assert shown in page
    assert 'value="started" checked' not in page
    client.post("/notices/choices", data={"delay": "7", "quiet_from": "25"})
    with app.app_context():
        chosen = db.session.scalars(select(Choice)).one()
        assert (chosen.events, chosen.delay, chosen.quiet_from) == ("", 0, None)


@pytest.mark.parametrize("use", ["always", "spare", "off"])
def test_how_mail_is_used_can_be_chosen(app, client, sign_up, use):
    sign_up(client, "ann", email="ann@example.org")
    assert client.post("/notices/channels/mail", data={"use": use}).status_code == 303
    with app.app_context():
        assert db.session.scalars(select(Channel.use)).all() == [use]
    assert f'<option value="{use}" selected>' in client.get("/notices/choices").text


def test_a_use_that_there_is_not_is_refused(client, sign_up):
    sign_up(client, "ann", email="ann@example.org")
    assert client.post("/notices/channels/mail", data={"use": "never ever"}).status_code == 400
    assert client.post("/notices/channels/pigeon", data={}).status_code == 404


def test_a_test_by_mail_without_a_mail_server_says_so(app, client, sign_up):
    sign_up(client, "ann", email="ann@example.org")
    client.post("/notices/channels/mail/test")
    work(app)
    page = client.get("/notices/choices").text
    assert "kept for the administrator" in page and "ann@example.org: taken" in page


def test_pages_of_notices_are_for_their_owner_and_kept_by_no_browser(app, client, sign_up):
    for address in ("/notices", "/notices/choices"):
        assert client.get(address).status_code == 302
    sign_up(client, "ann")
    for address in ("/notices", "/notices/choices"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_deleted_account_leaves_no_notice_channel_or_log(app, sign_up):
    _, (ann, _) = seated(app, sign_up, 2)
    ann.post("/notices/choices", data={"delay": "15"})
    ann.post("/notices/channels/mail", data={"use": "always"})
    ann.post("/notices/channels/ntfy", data={"ntfy-address": "https://ntfy.example/x"})
    work(app)
    ann.post("/notices/channels/ntfy/test")
    let_anybody_leave(app)
    assert ann.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    with app.app_context():
        gone = db.session.scalars(select(User.id).where(User.deleted_at.is_not(None))).one()
        for kind in (SendJob, Notice, Channel, Choice, Delivery):
            assert db.session.scalars(select(kind).where(kind.user_id == gone)).all() == []


def test_a_table_page_is_sent_anew_when_the_number_in_its_badge_changes(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    second_table(ann, bob)
    page = ann.get(f"/table/{match_id}")
    assert BADGE in page.text
    known = {"If-None-Match": page.headers["ETag"]}
    assert ann.get(f"/table/{match_id}", headers=known).status_code == 304
    ann.post("/notices/seen")
    ann.get("/notices")
    again = ann.get(f"/table/{match_id}", headers=known)
    assert again.status_code == 200 and BADGE not in again.text
