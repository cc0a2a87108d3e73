"""Whoever has a table open is told: title, icon, a chime, a countdown, the offer of a channel."""

import re

import pytest

from stockpile_web.match.time_controls import TIME_CONTROLS
from tests.support.hourglass import asked, change_seat
from tests.support.people import on_turn, seated

HX = {"HX-Request": "true"}
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
    (icon,) = re.findall(r'<link id="icon"[^>]*>', client.get(address).text)
    return icon


def test_title_and_icon_say_that_it_is_my_turn(app, two):
    address, mover, other = two
    name = f"Stockpile, table {address.rsplit('/', 1)[1]}"
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
    assert "<title>Stockpile" in page and "data-asks" not in page


def test_a_turn_at_a_closed_table_is_not_mine(two):
    address, mover, other = two
    host = mover if "Close this table" in mover.get(address).text else other
    host.post(f"{address}/seating", data={"do": "close"})
    assert "Your turn" not in title_of(mover, address)
    assert 'data-asks="end"' in mover.get(address).text


def test_the_chime_is_offered_to_those_who_sit_here_while_the_match_is_played(app, two):
    address, mover, other = two
    for player in (mover, other):
        page = player.get(address).text
        assert 'type="checkbox" id="chime"' in page and "told.js" in page
    page = app.test_client().get(address).text
    assert 'id="chime"' not in page and "told.js" not in page


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
