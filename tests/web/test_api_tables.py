"""The API at the table: looking, the log, moving by counter, steps, chat and seats."""

from random import Random

import pytest
from sqlalchemy import select, update

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import table_view
from stockpile_web.match.glance import glance
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Message
from stockpile_web.storage.transactions import writing
from stockpile_web.web.api import limits
from stockpile_web.web.api.tables import LOG_PAGE
from stockpile_web.web.rate_limits import Limit
from tests.support.people import seated, table
from tests.support.playing import play
from tests.support.programs import program_of
from tests.support.toy.table import deal

NEW = {"game": "stockpile", "size": 2, "pace": "day"}


@pytest.fixture
def begun(app, sign_up):
    """A match of two that has begun: its number and a program of each player."""
    match_id, players = seated(app, sign_up, 2)
    return match_id, [program_of(app, player) for player in players]


def asked(match_id, programs):
    """Return the program that is to move, and its table."""
    for program in programs:
        told = program.table(match_id)
        if told["is_my_turn"]:
            return program, told
    raise AssertionError("nobody is asked")


def first_move(told):
    return {"moves_made": told["moves_made"], "move": told["moves"][0]}


def look_after(program, match_id, *steps):
    """Look at a table with these steps taken."""
    query = {"step": [codec.dump(step) for step in steps]}
    address = f"/api/v1/tables/{match_id}"
    return program.client.get(address, query_string=query, headers=program.headers)


def test_a_table_is_told_just_as_the_page_gets_it(app, begun):
    match_id, (ann, bob) = begun
    for program, user_id in ((ann, 1), (bob, 2)):
        told = program.table(match_id)
        with app.app_context(), db.engine.connect() as connection:
            seen = glance(connection, match_id, user_id)
            assert seen is not None
            opened = table_view.open_table(connection, seen)
        assert told["view"] == codec.load(dict, codec.dump(opened.view))
        assert told["moves"] == codec.load(list, codec.dump(opened.moves))
        assert (told["my_seat"], told["version"]) == (seen.viewer, opened.version)
        assert told["side"] == str(seen.viewer)


def test_the_time_for_a_turn_is_told(begun):
    match_id, programs = begun
    _, told = asked(match_id, programs)
    mine = told["seats"][told["my_seat"]]
    assert mine["on_turn"] and mine["deadline_at"] > mine["waiting_since"]
    assert told["bank"] == 2 * 24 * 3600


def test_a_move_is_made_and_the_table_told_as_it_stands_then(begun):
    match_id, programs = begun
    program, told = asked(match_id, programs)
    answer = program.post(f"/tables/{match_id}/moves", first_move(told))
    assert answer.status_code == 200
    after = answer.get_json()
    assert after["moves_made"] == told["moves_made"] + 1
    assert after == program.table(match_id)


def test_the_same_move_sent_twice_counts_once(begun):
    match_id, programs = begun
    program, told = asked(match_id, programs)
    first, second = (program.post(f"/tables/{match_id}/moves", first_move(told)) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert second.get_json()["moves_made"] == told["moves_made"] + 1


def test_another_move_with_an_old_counter_is_stale_and_the_table_is_told(begun):
    match_id, programs = begun
    program, told = asked(match_id, programs)
    program.post(f"/tables/{match_id}/moves", first_move(told))
    other = {"moves_made": told["moves_made"], "move": told["moves"][1]}
    answer = program.post(f"/tables/{match_id}/moves", other)
    assert answer.status_code == 409
    assert answer.get_json()["error"]["code"] == "stale"
    assert answer.get_json()["table"] == program.table(match_id)


def test_an_illegal_move_is_refused_with_the_games_own_reason(begun):
    match_id, programs = begun
    program, told = asked(match_id, programs)
    waiting = next(each for each in programs if each is not program)
    path, body = f"/tables/{match_id}/moves", {"moves_made": 0, "move": told["moves"][0]}
    answer = waiting.post(path, body)
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["error"] == {"code": "illegal_move", "message": "It is not your turn."}
    assert problem["table"] == waiting.table(match_id)
    for move in ({}, {"move": "Fly"}, {"move": ["Bid"]}, {"x": "y" * 900}):
        answer = program.post(path, {"moves_made": told["moves_made"], "move": move})
        assert answer.status_code == 422
        assert "not a whole move" in answer.get_json()["error"]["message"]
    assert program.table(match_id) == told


def test_json_nested_without_end_is_refused(begun):
    match_id, (ann, _) = begun
    body = '{"moves_made": 0, "move": ' + '{"a":' * 2500
    answer = ann.client.post(
        f"/api/v1/tables/{match_id}/moves",
        data=body,
        content_type="application/json",
        headers=ann.headers,
    )
    assert answer.status_code == 400


def test_whoever_watches_sees_what_all_see_and_cannot_move(app, sign_up, begun):
    match_id, (ann, _) = begun
    browser = app.test_client()
    sign_up(browser, "carol")
    carol = program_of(app, browser)
    told = carol.table(match_id)
    assert (told["my_seat"], told["side"], told["moves"]) == (None, "public", [])
    assert told["invitation"] is None and told["bank"] is None
    public = ann.get(f"/tables/{match_id}?as=public").get_json()
    assert told["view"] == public["view"] and public["moves"] == []
    answer = carol.post(f"/tables/{match_id}/moves", first_move({**told, "moves": [{}]}))
    assert answer.status_code == 403
    assert carol.post(f"/tables/{match_id}/chat", {"text": "Hi"}).status_code == 403
    assert carol.get(f"/tables/{match_id}/chat").status_code == 403


def test_a_private_table_is_not_there_for_programs_of_others(app, sign_up):
    match_id, ann = table(app, sign_up, 2)
    browser = app.test_client()
    sign_up(browser, "bob")
    bob = program_of(app, browser)
    for path in ("", "/log", "/chat"):
        assert bob.get(f"/tables/{match_id}{path}").status_code == 404
    for path in ("/moves", "/chat", "/sit-down", "/begin", "/leave"):
        body = {"moves_made": 0, "move": {}} if path == "/moves" else {"text": "Hi"}
        body = {} if path in ("/sit-down", "/begin", "/leave") else body
        assert bob.post(f"/tables/{match_id}{path}", body).status_code == 404


def test_the_log_is_told_since_a_number_and_a_page_at_a_time(app, begun, monkeypatch):
    monkeypatch.setattr("stockpile_web.web.api.tables.LOG_PAGE", 5)
    assert LOG_PAGE > 5
    match_id, (ann, _) = begun
    play(app, match_id, 12)
    version, since, told = ann.table(match_id)["version"], 0, []
    while True:
        page = ann.get(f"/tables/{match_id}/log?since={since}").get_json()
        told += page["moves"]
        since = page["next"]
        if not page["has_more"]:
            break
    assert since == version
    assert [move["number"] for move in told] == sorted({move["number"] for move in told})
    assert told[0]["number"] == 0 and told[0]["events"][0]["kind"]
    later = ann.get(f"/tables/{match_id}/log?since={version}").get_json()
    assert later == {"moves": [], "next": version, "has_more": False}


def test_a_match_that_runs_shows_nobody_the_side_of_another_seat(begun):
    match_id, (ann, _) = begun
    other = 1 - ann.table(match_id)["my_seat"]
    for path in ("", "/log"):
        for side in (other, "all"):
            answer = ann.get(f"/tables/{match_id}{path}?as={side}")
            assert answer.status_code == 403
            assert answer.get_json()["error"]["code"] == "still_secret"
        assert ann.get(f"/tables/{match_id}{path}?as=7").status_code == 404


def test_a_match_that_is_over_is_open_to_all_who_may_see_it(app, begun):
    match_id, (ann, bob) = begun
    play(app, match_id)
    told = ann.table(match_id)
    assert told["status"] == "over" and told["moves"] == [] and told["invitation"] is None
    assert sorted(told["result"]["places"])[0] == 1
    assert [seat["place"] for seat in told["seats"]] == told["result"]["places"]
    theirs = bob.table(match_id)
    as_bob = ann.get(f"/tables/{match_id}?as={theirs['my_seat']}").get_json()
    assert as_bob["view"] == theirs["view"]
    assert ann.get(f"/tables/{match_id}?as=all").status_code == 200
    assert ann.get(f"/tables/{match_id}/log?as=all").status_code == 200
    answer = ann.post(f"/tables/{match_id}/moves", {"moves_made": 0, "move": {"move": "Done"}})
    assert answer.status_code == 409


def test_a_held_match_says_so(app, begun):
    match_id, (ann, _) = begun
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).values(rules_version=99))
    answer = ann.get(f"/tables/{match_id}")
    assert answer.status_code == 409 and answer.get_json()["error"]["code"] == "held"


def test_a_turn_in_steps_is_tried_by_looking_and_sent_as_a_whole(app, sign_up, monkeypatch):
    match_id, players = seated(app, sign_up, 3, **deal(monkeypatch, app))
    ann = program_of(app, players[0])
    first, last = {"move": "Pick", "number": 3}, {"move": "Pick", "number": 7}
    told = ann.table(match_id)
    assert told["steps"] == ["Pick"] and first in told["moves"]
    built = look_after(ann, match_id, first).get_json()
    assert built["moves"] == [last]
    assert look_after(ann, match_id, first, last).get_json()["moves"] == [{"move": "Lay"}]
    assert ann.table(match_id) == told  # To look records nothing.
    path, lay = f"/tables/{match_id}/moves", {"moves_made": 0, "move": {"move": "Lay"}}
    assert ann.post(path, {**lay, "steps": [first]}).status_code == 422
    assert ann.post(path, {"moves_made": 0, "move": first}).status_code == 422
    after = ann.post(path, {**lay, "steps": [first, last]})
    assert after.status_code == 200 and after.get_json()["version"] > told["version"]


@pytest.mark.parametrize(
    "step", [{"move": "Pick", "number": 99}, {"move": "Lay"}, {"move": "Fly"}, 7]
)
def test_steps_that_are_not_open_are_refused(app, sign_up, monkeypatch, step):
    match_id, players = seated(app, sign_up, 3, **deal(monkeypatch, app))
    answer = look_after(program_of(app, players[0]), match_id, step)
    assert answer.status_code == 422
    assert answer.get_json()["error"]["code"] == "illegal_move"


def test_something_is_said_and_read(app, begun):
    match_id, (ann, bob) = begun
    assert bob.get(f"/tables/{match_id}/chat").get_json() == {"messages": []}
    assert ann.post(f"/tables/{match_id}/chat", {"text": " Hello, @bob "}).status_code == 204
    (line,) = bob.get(f"/tables/{match_id}/chat").get_json()["messages"]
    assert (line["name"], line["text"], line["is_blocked"]) == ("ann", "Hello, @bob", False)


@pytest.mark.parametrize("text", ["", "  ", "x" * 501, "a\0b", 7])
def test_what_cannot_be_said_is_refused(app, begun, text):
    match_id, (ann, _) = begun
    answer = ann.post(f"/tables/{match_id}/chat", {"text": text})
    assert answer.status_code == 422 and answer.get_json()["error"]["where"] == "$.text"
    with app.app_context():
        assert db.session.scalars(select(Message)).all() == []


def test_a_table_is_set_up_filled_and_begun(app, sign_up):
    programs = []
    for name in ("ann", "bob", "carol"):
        browser = app.test_client()
        sign_up(browser, name)
        programs.append(program_of(app, browser))
    ann, bob, carol = programs
    made = ann.post("/tables", {**NEW, "size": 4, "listed": True, "name": "Bots"})
    assert made.status_code == 201 and made.location == f"/api/v1/tables/{made.get_json()['id']}"
    told = made.get_json()
    assert (told["name"], told["host"], told["status"]) == ("Bots", "ann", "open")
    assert told["view"] is None and told["moves"] == []
    path = f"/tables/{told['id']}"
    assert [seat["name"] for seat in bob.post(f"{path}/sit-down").get_json()["seats"]] == [
        "ann",
        "bob",
    ]
    assert carol.post(f"{path}/sit-down", {"contribution": "a" * 64}).status_code == 200
    assert carol.post(f"{path}/leave").status_code == 204
    assert carol.post(f"{path}/leave").status_code == 403
    assert bob.post(f"{path}/begin").status_code == 403
    answer = ann.post(f"{path}/leave")
    assert answer.status_code == 409 and "close it" in answer.get_json()["error"]["message"]
    begun = ann.post(f"{path}/begin", {"fill": True}).get_json()
    assert begun["status"] == "playing" and len(begun["seats"]) == 4
    assert [seat["is_person"] for seat in begun["seats"]].count(False) == 2
    assert ann.post(f"{path}/begin").status_code == 409
    assert carol.post(f"{path}/sit-down").status_code == 409


def test_a_table_by_invitation_is_joined_by_its_code(app, sign_up):
    browser, other = app.test_client(), app.test_client()
    sign_up(browser, "ann")
    sign_up(other, "bob")
    ann, bob = program_of(app, browser), program_of(app, other)
    told = ann.post("/tables", NEW).get_json()
    assert bob.post("/invitations/nothing/sit-down").status_code == 404
    joined = bob.post(f"/invitations/{told['invitation']}/sit-down")
    assert joined.status_code == 200 and joined.get_json()["status"] == "playing"


@pytest.mark.parametrize(
    ("wish", "where"),
    [
        ({"size": 17}, ""),
        ({"options": {"nonsense": 1}}, "$.options"),
        ({"name": "x" * 41}, "$.name"),
        ({"name": "a\u202eb"}, ""),
    ],
)
def test_a_table_that_cannot_be_is_refused(app, sign_up, wish, where):
    browser = app.test_client()
    sign_up(browser, "ann")
    answer = program_of(app, browser).post("/tables", {**NEW, **wish})
    assert answer.status_code == 422
    assert answer.get_json()["error"].get("where", "") == where


@pytest.mark.parametrize("slug", GAMES)
def test_any_game_is_played_to_its_end_by_programs(app, sign_up, slug, monkeypatch):
    monkeypatch.setattr(limits, "OF_TOKEN", Limit("as many as it takes", 10**6, 1))
    monkeypatch.setattr(limits, "OF_PERSON", limits.OF_TOKEN)
    match_id, players = seated(app, sign_up, GAMES[slug].SEATS[0], game=slug, pace="none")
    programs, chooser, moves = [program_of(app, player) for player in players], Random(7), 0
    # What is told does not hang on the database: one is played to the end, the other for a while.
    with app.app_context():
        most = 1000 if db.engine.dialect.name == "sqlite" else 15
    while moves < most and programs[0].table(match_id)["status"] == "playing":
        program, told = asked(match_id, programs)
        moves += 1
        steps: list[dict[str, object]] = []
        while (move := chooser.choice(told["moves"]))["move"] in told["steps"]:
            steps.append(move)
            told = look_after(program, match_id, *steps).get_json()
        body = {"moves_made": told["moves_made"], "move": move, "steps": steps}
        answer = program.post(f"/tables/{match_id}/moves", body)
        assert answer.status_code == 200, answer.text
    told = programs[0].table(match_id)
    assert moves == 15 or (told["status"] == "over" and told["result"])
