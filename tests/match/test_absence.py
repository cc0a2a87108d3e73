"""Seats without their players: bots that play for them, votes, and substitutes."""

from random import Random

import pytest
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Notice, User
from stockpile_web.storage.transactions import writing
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, change_seat, miss_turns, seats, thinker
from tests.support.people import NAMES, seated, table


def seating(player, match_id, what, **fields):
    """Send a change of seats and return the page that answers."""
    data = {"do": what, **fields}
    return player.post(f"/table/{match_id}/seating", data=data, follow_redirects=True)


def page(player, match_id):
    return player.get(f"/table/{match_id}").text


def seat_of(app, match_id, name):
    return seats(app, match_id)[name].number


@pytest.fixture
def absent(app, sign_up):
    """A table of three at which three turns in a row were played for Carol."""
    match_id, players = seated(app, sign_up, 3)
    miss_turns(app, match_id, "carol")
    return match_id, players


def vote(app, match_id, player, wanted, about="carol"):
    return seating(player, match_id, f"vote {seat_of(app, match_id, about)} {wanted}")


def test_a_bot_plays_for_me_until_i_take_my_seat_back(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    ann, bob = players
    answer = seating(ann, match_id, "away", bot="casual").text
    assert "A bot plays for you." in answer and "Take my seat back" in answer
    assert "A bot plays for ann." in page(bob, match_id)
    assert seats(app, match_id)["ann"].deadline_at is None
    for _ in range(3):
        make_any_move(bob, match_id, Random(2))
    assert asked(app, match_id) == ["bob"]
    assert "Take my seat back" not in seating(ann, match_id, "back").text
    assert seats(app, match_id)["ann"].bot is None
    assert "A bot plays for" not in page(bob, match_id)


def test_whose_seat_a_bot_plays_is_told_nothing_of_the_table(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    seating(ann, match_id, "away")
    with app.app_context():
        before = len(db.session.scalars(select(Notice)).all())
    for _ in range(4):
        make_any_move(bob, match_id, Random(2))
    with app.app_context():
        later = db.session.scalars(select(Notice).order_by(Notice.id)).all()[before:]
        names = {db.session.get_one(User, notice.user_id).name for notice in later}
    assert names <= {"bob"}


def test_a_seat_that_is_taken_back_on_turn_has_the_time_of_that_turn(app, sign_up, monkeypatch):
    monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker())
    match_id, players = seated(app, sign_up, 2)
    name = asked(app, match_id)[0]
    player = players[NAMES.index(name)]
    deadline = seats(app, match_id)[name].deadline_at
    seating(player, match_id, "away", bot="ponder")
    seat = seats(app, match_id)[name]
    assert (seat.bot, seat.deadline_at) == ("ponder", None) and seat.acts_at is not None
    for _ in range(2):  # To be back, and back again, gains no time.
        seating(player, match_id, "back")
        seat = seats(app, match_id)[name]
        assert (seat.acts_at, seat.deadline_at) == (None, deadline)


def test_whoever_moves_takes_the_seat_back(app, sign_up, monkeypatch):
    monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker())
    match_id, players = seated(app, sign_up, 2)
    name = asked(app, match_id)[0]
    player = players[NAMES.index(name)]
    seating(player, match_id, "away", bot="ponder")
    make_any_move(player, match_id, Random(1))
    seat = seats(app, match_id)[name]
    assert (seat.bot, seat.acts_at) == (None, None)


def test_a_bot_that_the_game_does_not_have_is_not_asked_to_play(app, sign_up):
    match_id, (ann, _) = seated(app, sign_up, 2)
    seating(ann, match_id, "away", bot="nobody")
    assert seats(app, match_id)["ann"].bot in GAMES["stockpile"].BOTS


def test_who_does_not_sit_at_a_table_gives_no_seat_away(app, sign_up, client):
    match_id, _ = seated(app, sign_up, 2)
    sign_up(client, "eve")
    for what in ("away", "back", "vote 0 bot", "vote 0 open"):
        answer = client.post(f"/table/{match_id}/seating", data={"do": what})
        assert answer.status_code == 403
    assert {seat.bot for seat in seats(app, match_id).values()} == {None}


def test_there_is_no_vote_before_three_turns_were_missed(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    miss_turns(app, match_id, "carol", turns=2)
    assert "Most of you decide" not in page(players[0], match_id)
    assert "they are back" in vote(app, match_id, players[0], "bot").text
    assert seats(app, match_id)["carol"].bot is None


def test_most_of_the_others_may_leave_a_seat_to_a_bot(app, absent):
    match_id, (ann, bob, carol) = absent
    assert "Most of you decide" in page(ann, match_id)
    assert "Most of you decide" not in page(carol, match_id)
    assert "ann wants to leave the seat to a bot" in vote(app, match_id, ann, "bot").text
    assert "ann wants to leave the seat to a bot" in page(bob, match_id)
    assert seats(app, match_id)["carol"].bot is None  # One of two is not most of them.
    vote(app, match_id, bob, "bot")
    assert seats(app, match_id)["carol"].bot is not None
    seating(carol, match_id, "back")
    seat = seats(app, match_id)["carol"]
    assert (seat.bot, seat.missed) == (None, 0)


def test_a_vote_can_be_changed(app, absent):
    match_id, (ann, bob, _) = absent
    vote(app, match_id, ann, "bot")
    vote(app, match_id, ann, "wait")
    vote(app, match_id, bob, "bot")
    assert seats(app, match_id)["carol"].bot is None


def test_votes_lapse_when_the_owner_returns(app, absent):
    match_id, (ann, bob, carol) = absent
    vote(app, match_id, ann, "bot")
    seating(carol, match_id, "back")
    assert "wants to" not in page(bob, match_id)
    assert "they are back" in vote(app, match_id, bob, "bot").text
    miss_turns(app, match_id, "carol")
    assert "wants to" not in page(bob, match_id)
    vote(app, match_id, bob, "bot")
    assert seats(app, match_id)["carol"].bot is None


@pytest.mark.parametrize("what", ["vote", "vote 9 bot", "vote x bot", "vote 0 x", "vote 0 bot 1"])
def test_a_vote_that_makes_no_sense_changes_nothing(app, absent, what):
    match_id, (ann, *_) = absent
    answer = ann.post(f"/table/{match_id}/seating", data={"do": what})
    assert answer.status_code in (303, 403)
    assert {seat.votes for seat in seats(app, match_id).values()} == {""}


def open_seat(app, match_id, *voters):
    for voter in voters:
        vote(app, match_id, voter, "open")


def test_a_substitute_takes_an_open_seat_and_sees_what_it_has_seen(app, absent, sign_up, client):
    match_id, (ann, bob, carol) = absent
    carol.post(f"/table/{match_id}/notes", data={"notes": "Bob bluffs."})
    change_seat(app, match_id, "carol", orders='{"rest":"Bob bluffs."}', order_note="{}")
    change_seat(app, match_id, "carol", thinking_seconds=90, turns_timed=3)
    seen_by_carol = carol.get(f"/table/{match_id}/log").text
    sign_up(client, "dave")
    assert "no seat is open" in seating(client, match_id, "join").text
    open_seat(app, match_id, ann, bob)
    assert seats(app, match_id)["carol"].bot  # Nobody waits for the substitute.
    assert "Take the seat of carol" in page(client, match_id)
    assert "a seat is open" in client.get("/tables/listed").text
    number = seat_of(app, match_id, "carol")
    answer = seating(client, match_id, "join").text
    assert "Bob bluffs." not in answer
    seat = seats(app, match_id)["dave"]
    assert (seat.number, seat.bot, seat.missed, seat.is_open) == (number, None, 0, False)
    assert (seat.notes, seat.orders, seat.order_note) == ("", '{"dividends":"always"}', "")
    assert (seat.thinking_seconds, seat.turns_timed, seat.substitute) == (0, 0, True)
    log = client.get(f"/table/{match_id}/log").text
    whispers = [line for line in seen_by_carol.splitlines() if "You " in line and "<li" in line]
    assert whispers and all(line in log for line in whispers)
    assert carol.post(f"/table/{match_id}/notes", data={"notes": "x"}).status_code == 403
    assert f"/table/{match_id}" not in carol.get("/tables").text


def test_a_private_table_is_open_to_a_substitute_by_its_link_alone(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    with app.app_context():
        link = f"/join/{db.session.get_one(Match, match_id).invitation}"
    miss_turns(app, match_id, "carol")
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).listed = False
    open_seat(app, match_id, *players[:2])
    assert link in page(players[0], match_id)
    dave = app.test_client()
    sign_up(dave, "dave")
    assert dave.get(f"/table/{match_id}").status_code == 404
    assert dave.post(f"/table/{match_id}/seating", data={"do": "join"}).status_code == 404
    assert "the seat of carol is open" in dave.get(link).text
    assert dave.post(link).status_code == 303
    assert dave.get(f"/table/{match_id}").status_code == 200
    assert players[2].get(f"/table/{match_id}").status_code == 404


def test_a_seat_is_open_only_until_its_owner_returns(app, absent, sign_up, client):
    match_id, (ann, bob, carol) = absent
    open_seat(app, match_id, ann, bob)
    assert "the seat is open" in page(ann, match_id)
    seating(carol, match_id, "back")
    sign_up(client, "dave")
    assert "no seat is open" in seating(client, match_id, "join").text


def test_a_table_whose_host_was_replaced_has_another_host(app, sign_up, client):
    match_id, (ann, bob, carol) = seated(app, sign_up, 3)
    miss_turns(app, match_id, "ann")
    for voter in (bob, carol):
        vote(app, match_id, voter, "open", about="ann")
    sign_up(client, "dave")
    seating(client, match_id, "join")
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        assert db.session.get_one(User, match.host_id).name in ("bob", "carol")
    change_seat(app, match_id, "dave", missed=0)
    assert ann.post(f"/table/{match_id}/seating", data={"do": "close"}).status_code == 403


def test_the_host_chooses_which_bot_sits_on_an_empty_seat(app, sign_up, monkeypatch):
    monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker())
    match_id, ann = table(app, sign_up, 4)
    assert "Thinks it over." in page(ann, match_id)
    seating(ann, match_id, "bot", bot="ponder")
    seating(ann, match_id, "bot", bot="nonsense")
    seating(ann, match_id, "fill", bot="casual")
    bots = sorted(seat.bot for seat in seats(app, match_id).values() if seat.bot)
    assert bots.count("ponder") == 1 and len(bots) == 3
