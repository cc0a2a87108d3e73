"""At the table: fresh and stale moves, double clicks, chat, notes, spectators, earlier turns."""

import re
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import past
from stockpile_web.match.glance import glance
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Chapter, Match, Message, Move
from tests.support.clicking import Board, make_any_move
from tests.support.people import HX, close, on_turn, seated

UNREAD = '<span class="badge turn">1<'


def version(app: Flask) -> int:
    with app.app_context():
        return db.session.query(Match).one().version


@pytest.fixture
def three(app, sign_up):
    """A table of three: its number, the browser on turn, and the other two."""
    match_id, players = seated(app, sign_up, 3)
    (first,) = on_turn(app, match_id, players)
    return match_id, first, [player for player in players if player is not first]


def form_of(client: FlaskClient, match_id: int, seed: int = 1) -> dict[str, str]:
    return Board(client.get(f"/table/{match_id}").text).fill_in(Random(seed))


def test_a_move_without_htmx_leads_back_to_the_table(three):
    match_id, ann, _ = three
    answer = ann.post(f"/table/{match_id}/move", data=form_of(ann, match_id))
    assert (answer.status_code, answer.location) == (303, f"/table/{match_id}")


def test_a_move_by_htmx_is_answered_with_the_new_board_alone(three):
    match_id, ann, _ = three
    answer = ann.post(f"/table/{match_id}/move", data=form_of(ann, match_id), headers=HX)
    assert answer.status_code == 200
    # The title comes first: that is where htmx looks for one.
    assert re.match(
        r'\s*<title>[^<]+</title>\s*<form id="board"',
        answer.text,
    )
    assert "<html" not in answer.text
    assert "Waiting for" in answer.text


def test_a_double_click_counts_once_and_is_answered_alike(app, three):
    match_id, ann, _ = three
    form = form_of(ann, match_id)
    first = ann.post(f"/table/{match_id}/move", data=form, headers=HX)
    before = version(app)
    second = ann.post(f"/table/{match_id}/move", data=form, headers=HX)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.text == second.text
    assert version(app) == before


def test_another_move_from_an_old_page_is_stale_and_changes_nothing(app, three):
    match_id, ann, _ = three
    form, other = form_of(ann, match_id), form_of(ann, match_id, seed=2)
    assert form != other
    ann.post(f"/table/{match_id}/move", data=form)
    before = version(app)
    answer = ann.post(f"/table/{match_id}/move", data=other, headers=HX)
    assert answer.status_code == 409
    assert "moved on" in answer.text and 'id="board"' in answer.text
    plain = ann.post(f"/table/{match_id}/move", data=other)
    assert plain.status_code == 409 and "<html" in plain.text
    assert version(app) == before


def test_a_move_out_of_turn_is_refused(app, three):
    match_id, ann, (bob, _) = three
    form = form_of(ann, match_id)
    before = version(app)
    answer = bob.post(f"/table/{match_id}/move", data=form, headers=HX)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert version(app) == before


@pytest.mark.parametrize(
    "move",
    ["", "x", "[]", "null", "{}", '{"move":"Bid"}', '{"move":"Fly"}', "[" * 5000, '{"move":1}'],
)
def test_what_is_no_move_is_refused_in_words(app, three, move):
    match_id, ann, _ = three
    answer = ann.post(f"/table/{match_id}/move", data={"moves_made": "0", "move": move}, headers=HX)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert version(app) == 1


@pytest.mark.parametrize("moves_made", ["", "x", "-1", "99", "9" * 30, "²"])
def test_a_form_that_does_not_know_its_turn_is_stale(three, moves_made):
    match_id, ann, _ = three
    form = {**form_of(ann, match_id), "moves_made": moves_made}
    assert ann.post(f"/table/{match_id}/move", data=form).status_code == 409


def test_several_moves_of_one_form_count_all_or_none(app, three):
    match_id, ann, _ = three
    form = {**form_of(ann, match_id), "before.CC": '{"move":"Sell","company":"CC","cards":9}'}
    assert ann.post(f"/table/{match_id}/move", data=form).status_code == 422
    assert version(app) == 1


def test_a_spectator_sees_a_listed_table_but_cannot_move_there(app, three, sign_up):
    match_id, ann, _ = three
    form = form_of(ann, match_id)
    stranger = app.test_client()
    assert "You are watching" in stranger.get(f"/table/{match_id}").text
    assert stranger.post(f"/table/{match_id}/move", data=form).status_code == 302
    eve = app.test_client()
    sign_up(eve, "eve")
    assert eve.post(f"/table/{match_id}/move", data=form).status_code == 403
    assert eve.post(f"/table/{match_id}/chat", data={"text": "hi"}).status_code == 403
    assert eve.post("/table/999/move", data=form).status_code == 404


def test_an_unchanged_table_is_answered_304_and_a_changed_one_anew(three):
    match_id, ann, (bob, _) = three
    tag = bob.get(f"/table/{match_id}", headers=HX).headers["ETag"]
    again = bob.get(f"/table/{match_id}", headers={**HX, "If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    make_any_move(ann, match_id, Random(1))
    changed = bob.get(f"/table/{match_id}", headers={**HX, "If-None-Match": tag})
    assert changed.status_code == 200


def test_page_and_fragment_of_one_address_are_kept_apart(three):
    match_id, ann, _ = three
    page = ann.get(f"/table/{match_id}")
    fragment = ann.get(f"/table/{match_id}", headers=HX)
    assert "HX-Request" in page.headers["Vary"] and "HX-Request" in fragment.headers["Vary"]
    assert page.headers["ETag"] != fragment.headers["ETag"]
    back = ann.get(f"/table/{match_id}", headers={**HX, "HX-History-Restore-Request": "true"})
    assert "<html" in back.text


def test_players_chat_and_what_is_new_is_marked_until_read(app, three):
    match_id, ann, (bob, _) = three
    assert ann.post(f"/table/{match_id}/chat", data={"text": "<b>Hello</b>"}).status_code == 303
    page = bob.get(f"/table/{match_id}").text
    assert "&lt;b&gt;Hello&lt;/b&gt;" in page and UNREAD in page
    assert UNREAD not in ann.get(f"/table/{match_id}").text
    bob.post(f"/table/{match_id}/chat", data={"text": ""})
    assert UNREAD not in bob.get(f"/table/{match_id}").text
    with app.app_context():
        assert db.session.query(Message).count() == 1


def test_a_message_that_is_too_long_is_refused(app, three):
    match_id, ann, _ = three
    answer = ann.post(f"/table/{match_id}/chat", data={"text": "x" * 501}, headers=HX)
    assert answer.status_code == 422 and "at most 500" in answer.text
    with app.app_context():
        assert db.session.query(Message).count() == 0


@pytest.mark.parametrize(("open_chat", "sees"), [({}, False), ({"open_chat": "on"}, True)])
def test_spectators_read_the_chat_only_if_the_host_lets_them(app, sign_up, open_chat, sees):
    match_id, (ann, _) = seated(app, sign_up, 2, **open_chat)
    ann.post(f"/table/{match_id}/chat", data={"text": "psst"})
    assert ("psst" in app.test_client().get(f"/table/{match_id}").text) is sees


def test_notes_are_mine_alone(three):
    match_id, ann, (bob, _) = three
    ann.post(f"/table/{match_id}/notes", data={"notes": "Bob bluffs </textarea>"})
    assert "Bob bluffs &lt;/textarea&gt;" in ann.get(f"/table/{match_id}").text
    assert "bluffs" not in bob.get(f"/table/{match_id}").text
    assert ann.post(f"/table/{match_id}/notes", data={"notes": "x" * 5001}).status_code == 422


def test_any_turn_can_be_shown_and_is_the_table_as_it_was(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    ann, seen, chooser = players[0], {}, Random(3)
    for _ in range(40):
        make_any_move(chooser.choice(on_turn(app, match_id, players)), match_id, chooser)
        with app.app_context():
            match = db.session.get_one(Match, match_id)
            seen[match.version - 1] = match.state
    with app.app_context():
        now = glance(db.session().connection(), match_id, None)
        assert now is not None
        turns = past.open_past(db.session().connection(), now, min(seen), max(seen))
        views = {table.version - 1: table.view for table in turns}
        for number, text in seen.items():
            state = codec.load(GAMES["stockpile"].State, text)
            assert views[number] == GAMES["stockpile"].view(state, None)
    for number in (0, 1, 17, 39):
        page = ann.get(f"/table/{match_id}/turn/{number}")
        assert page.status_code == 200
        assert "<button>" not in page.text
    assert ann.get(f"/table/{match_id}/turn/9999").status_code == 404


def test_the_whole_log_tells_every_move(app, three):
    match_id, ann, _ = three
    make_any_move(ann, match_id, Random(1))
    page = ann.get(f"/table/{match_id}/log").text
    assert f"/table/{match_id}/turn/0" in page and f"/table/{match_id}/turn/1" in page


def test_a_long_log_comes_in_parts_that_link_to_each_other(app, three, monkeypatch):
    monkeypatch.setattr("stockpile_web.web.past.LOG_PAGE", 1)
    match_id, ann, _ = three
    make_any_move(ann, match_id, Random(1))
    for asked, shown, other in (
        ("", 0, 1),
        ("?from=-3", 0, 1),
        ("?from=x", 0, 1),
        ("?from=99", 1, 0),
    ):
        page = ann.get(f"/table/{match_id}/log{asked}").text
        assert f'/turn/{shown}"' in page and f'/turn/{other}"' not in page
        assert '<nav class="toc" aria-label="Moves">' in page and "from=1" in page


def test_a_finished_match_takes_at_most_150_kilobytes(app, sign_up):
    match_id, players = seated(app, sign_up, 4)
    chooser = Random(4)
    while waiting := on_turn(app, match_id, players):
        make_any_move(waiting[0], match_id, chooser)
    with app.app_context():
        moves = db.session.query(Move).all()
        size = sum(len(move.frame) + len(move.events) + len(move.move) + 60 for move in moves)
        size += 60 * db.session.query(Chapter).count()
    assert size < 150_000


def test_a_closed_table_stays_readable_and_takes_no_more_moves(three, app):
    match_id, ann, others = three
    form = form_of(ann, match_id)
    everybody = [ann, *others]
    host = next(p for p in everybody if "Close this table" in p.get(f"/table/{match_id}").text)
    close(match_id, host, *(player for player in everybody if player is not host))
    assert "closed this table" in ann.get(f"/table/{match_id}").text
    assert ann.post(f"/table/{match_id}/move", data=form).status_code == 409


def test_a_closed_match_does_not_give_its_seed_away(app, three):
    match_id, ann, others = three
    with app.app_context():
        seed = db.session.get_one(Match, match_id).seed
    for player in [ann, *others]:
        player.post(f"/table/{match_id}/seating", data={"do": "close"})
        assert seed not in player.get(f"/table/{match_id}").text


def test_the_page_says_which_rules_a_table_has_added(app, sign_up):
    match_id, (ann, *_) = seated(app, sign_up, 2, options=["advanced_board", "bonds"])
    assert "Played with: Advanced board, Bonds" in ann.get(f"/table/{match_id}").text
