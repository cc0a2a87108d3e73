"""Whoever has a table open is told: title, icon, a chime, a countdown, the offer of a channel."""

import re
from itertools import product

import pytest
from sqlalchemy import select

from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Channel, Choice, User
from stockpile_web.storage.transactions import writing
from tests.support.hourglass import asked, change_seat
from tests.support.people import HX, on_turn, seated
from tests.support.push_service import Browser

OFFER = 'id="offer-form"'
PRESS = "Tell me when it is my turn"
COUNTDOWN = r'<time class="countdown" role="timer" datetime="[^"]+"></time>'


@pytest.fixture
def two(app, sign_up):
    """A table of two: its address, the browser on turn, and the other."""
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    return f"/table/{match_id}", mover, next(each for each in players if each is not mover)


def title_of(client, address, **headers):
    (title,) = re.findall("<title>(.*?)</title>", client.get(address, headers=headers).text)
    return title


def icon_of(client, address):
    (icon,) = re.findall(r'<link id="icon"[^>]*? href="([^"]+)"', client.get(address).text)
    return icon


def test_title_and_icon_say_that_it_is_my_turn(app, two):
    address, mover, other = two
    name = "ann’s table · Stockpile"
    assert title_of(mover, address) == title_of(mover, address, **HX) == f"Your turn – {name}"
    stranger = app.test_client()
    assert title_of(other, address) == title_of(stranger, address) == name
    assert title_of(other, address, **HX) == name
    assert icon_of(mover, address) != icon_of(other, address) == icon_of(stranger, address)
    assert icon_of(other, address) == icon_of(stranger, "/")


def test_a_turn_that_a_bot_takes_for_me_is_not_mine(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    (name,) = asked(app, match_id)
    (mover,) = on_turn(app, match_id, players)
    change_seat(app, match_id, name, bot="steady")
    page = mover.get(f"/table/{match_id}").text
    assert "<title>ann’s table" in page and "data-asks" not in page


def test_a_turn_at_a_closed_table_is_not_mine(two):
    address, mover, other = two
    host = mover if "Close this table" in mover.get(address).text else other
    host.post(f"{address}/seating", data={"do": "close"})
    (other if host is mover else mover).post(f"{address}/seating", data={"do": "closing close"})
    assert "Your turn" not in title_of(mover, address)
    assert 'data-asks="end"' in mover.get(address).text


def test_the_chime_is_offered_to_those_who_sit_here_while_the_match_is_played(app, two):
    address, mover, other = two
    for player in (mover, other):
        page = player.get(address).text
        assert 'type="checkbox" id="chime"' in page and "told.js" in page
    page = app.test_client().get(address).text
    assert 'id="chime"' not in page and "told.js" in page  # By which they hear what happens.


def test_only_clocks_of_less_than_a_day_count_down():
    assert [pace for pace, control in TIME_CONTROLS.items() if control.counts_down] == ["live"]


@pytest.mark.parametrize("pace", TIME_CONTROLS)
def test_a_live_table_counts_down_for_players_and_spectators_and_no_other_does(app, sign_up, pace):
    match_id, players = seated(app, sign_up, 2, pace=pace)
    for viewer in (*players, app.test_client()):
        page = viewer.get(f"/table/{match_id}").text
        assert len(re.findall(COUNTDOWN, page)) == (pace == "live")
        assert ("data-counts-down" in page) == (pace == "live")
    assert "told.js" in players[0].get(f"/table/{match_id}").text


def test_whoever_has_no_channel_is_offered_one_while_they_wait(app, two):
    address, mover, other = two
    page = other.get(address).text
    assert OFFER in page and PRESS in page and "data-push-key=" in page and "push.js" in page
    # It is there when their move is made, without a reload.
    page = mover.get(address).text
    assert OFFER in page and PRESS not in page
    page = app.test_client().get(address).text
    assert OFFER not in page and PRESS not in page
    # Alike for all devices of a viewer: what is swapped does not know it.
    assert OFFER not in other.get(address, headers=HX).text


def test_whoever_is_reached_is_offered_nothing(two):
    address, _, waits = two
    form = Browser().form("https://push.example/ann")
    assert waits.post("/notices/push", data=form).status_code == 204
    page = waits.get(address).text
    assert OFFER not in page and "push.js" not in page


def test_a_channel_that_fails_or_is_off_reaches_nobody(app, two):
    address, _, waits = two
    waits.post("/notices/channels/ntfy", data={"ntfy-address": "https://ntfy.example/x"})
    assert OFFER not in waits.get(address).text
    for broken in ({"failures": 3}, {"failures": 0, "use": "off"}):
        with app.app_context(), writing() as tx:
            channel = tx.scalars(select(Channel)).one()
            for name, value in broken.items():
                setattr(channel, name, value)
        assert OFFER in waits.get(address).text


@pytest.mark.parametrize("server", ["", "mail.example"])
def test_mail_reaches_people_only_where_there_is_a_mail_server(app, two, server):
    address, _, waits = two
    with app.app_context(), writing() as tx:
        for user in tx.scalars(select(User)):
            user.email, user.email_confirmed_at = "somebody@example.org", user.created_at
    app.config["SMTP_HOST"] = server
    assert (OFFER in waits.get(address).text) == (not server)


def test_whoever_does_not_want_to_hear_of_their_turns_is_offered_nothing(two):
    address, _, waits = two
    waits.post("/notices/choices", data={"events": ["ended"], "delay": "0"})
    assert OFFER not in waits.get(address).text


def test_where_the_host_wants_no_pushes_the_offer_leads_to_the_other_ways(app, two):
    address, _, waits = two
    app.config["WEBHOOKS"] = "off"
    page = waits.get(address).text
    assert OFFER in page and "data-push-key" not in page and "push.js" not in page
    assert f'href="/notices/choices" data-push>{PRESS}</a>' in page


@pytest.mark.parametrize("headers", [{}, HX])
def test_the_offer_can_be_put_away_for_good(app, two, headers):
    address, mover, waits = two
    before = waits.get(address)
    answer = waits.post(f"{address}/offer", headers=headers)
    if headers:
        assert (answer.status_code, answer.text) == (200, "")
    else:
        assert (answer.status_code, answer.location) == (303, address)
    known = {"If-None-Match": before.headers["ETag"]}
    again = waits.get(address, headers=known)
    assert again.status_code == 200 and OFFER not in again.text
    assert OFFER in mover.get(address).text
    with app.app_context():
        choice = db.session.scalars(select(Choice)).one()
        assert choice.no_offer and "turn" in choice.events  # They may still choose to be told.


def test_a_stranger_puts_nothing_away(app, two):
    assert app.test_client().post(f"{two[0]}/offer").status_code == 302
    with app.app_context():
        assert db.session.scalars(select(Choice)).all() == []


def test_a_match_that_is_over_offers_nothing(two):
    address, mover, waits = two
    for word, player in product(("close", "closing close"), (mover, waits)):
        player.post(f"{address}/seating", data={"do": word})
    page = waits.get(address).text
    assert OFFER not in page and PRESS not in page and "told.js" not in page
