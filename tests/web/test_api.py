"""The API: who is let in, what there is to be found, errors of one shape, and limits."""

import pytest
from flask import Blueprint
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.storage.database import Busy, db
from stockpile_web.storage.models import Attempt
from stockpile_web.web.api import limits
from stockpile_web.web.api.finding import PAGE
from stockpile_web.web.api.operations import OPERATIONS
from stockpile_web.web.rate_limits import Limit
from tests.conftest import is_signed_in
from tests.support.people import seated, table
from tests.support.programs import Program, make_token, program_of


@pytest.fixture
def ann(client, sign_up):
    """Somebody with an account, in a browser."""
    sign_up(client, "ann")
    return client


def error_of(answer):
    """Return the error in an answer, which has the one shape that errors have."""
    assert answer.content_type == "application/json"
    assert answer.headers["Cache-Control"] == "no-store"
    error = answer.get_json()["error"]
    assert {"code", "message"} <= error.keys() <= {"code", "message", "where"}
    return error


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer spw_",
        f"Bearer {'x' * 5000}",
        "Basic YW5uOnB3",
        "spw_x",
        "\xff",
    ],
)
def test_without_a_good_token_nothing_is_told(client, sent):
    for path in ("/me", "/games", "/tables", "/tables/1", "/me/turns"):
        answer = client.get(f"/api/v1{path}", headers={"Authorization": sent})
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert error_of(answer)["code"] == "no_token"


def test_every_operation_but_the_description_needs_a_token(client):
    for each in OPERATIONS:
        path = each.path.replace("<int:match_id>", "1").replace("<", "").replace(">", "")
        answer = client.open(path, method=each.method)
        assert answer.status_code == (200 if each.is_open else 401), each.path


def test_the_session_of_a_browser_counts_for_nothing(ann):
    assert is_signed_in(ann)
    assert ann.get("/api/v1/me").status_code == 401
    assert ann.post("/api/v1/tables", json={}).status_code == 401


def test_a_token_opens_no_page(app, ann):
    program = program_of(app, ann)
    answer = program.client.get("/account", headers=program.headers)
    assert answer.status_code == 302 and "/sign-in" in answer.location


def test_a_token_in_an_address_counts_for_nothing(app, ann):
    token = make_token(ann)
    for name in ("token", "access_token", "authorization"):
        assert app.test_client().get(f"/api/v1/me?{name}={token}").status_code == 401


def test_an_answer_sets_no_cookie_and_is_kept_by_no_cache(app, ann):
    program = program_of(app, ann)
    for path in ("/me", "/games", "/me/tables", "/tables"):
        answer = program.get(path)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Authorization" in answer.headers["Vary"]


def test_programs_need_no_token_of_a_form(make_app, sign_up, app, ann):
    token = make_token(ann)
    guarded = make_app(WTF_CSRF_ENABLED=True)
    body = {"game": "stockpile", "size": 2, "pace": "day"}
    assert Program(guarded, token).post("/tables", body).status_code == 201


def test_a_program_is_told_who_it_plays_for(app, ann):
    program = Program(app, make_token(ann, "Looker", "read", "30"))
    told = program.get("/me").get_json()
    assert told.pop("ends_at").endswith("Z")
    assert told == {"name": "ann", "time_zone": "UTC", "token": "Looker", "may_play": False}


def test_a_token_to_look_changes_nothing(app, sign_up):
    match_id, (ann, _) = seated(app, sign_up, 2)
    program = program_of(app, ann, "read")
    assert program.get(f"/tables/{match_id}").status_code == 200
    for each in OPERATIONS:
        if each.method == "POST":
            path = each.path.removeprefix("/api/v1").replace("<int:match_id>", str(match_id))
            answer = program.post(path, {})
            assert answer.status_code == 403 and error_of(answer)["code"] == "read_only"


def test_the_games_are_told_with_all_that_a_new_table_needs(app, ann):
    told = program_of(app, ann).get("/games").get_json()
    assert [game["key"] for game in told["games"]] == list(GAMES)
    for game in told["games"]:
        rules = GAMES[game["key"]]
        assert game["seats"] == list(rules.SEATS)
        assert [option["key"] for option in game["options"]] == [o.key for o in rules.OPTIONS]
        assert [bot["key"] for bot in game["bots"]] == list(rules.BOTS)
    assert "day" in [pace["key"] for pace in told["paces"]]


@pytest.mark.parametrize("slug", GAMES)
def test_moves_and_views_of_a_game_are_described(app, ann, slug):
    told = program_of(app, ann).get(f"/games/{slug}/schemas").get_json()
    names = {name for name, about in told["move"]["$defs"].items() if "move" in about["properties"]}
    assert names and "$defs" in told["view"]


def test_my_tables_are_listed_a_page_at_a_time(app, sign_up, monkeypatch):
    monkeypatch.setattr("stockpile_web.web.api.finding.PAGE", 2)
    assert PAGE > 2
    first, ann = table(app, sign_up, 3)
    program = program_of(app, ann)
    others = [
        program.post("/tables", {"game": "stockpile", "size": 2, "pace": "day"}).get_json()["id"]
        for _ in range(3)
    ]
    program.post(f"/tables/{others[0]}/begin", {"fill": True})
    mine = [*others[::-1], first]
    page = program.get("/me/tables").get_json()
    assert [each["id"] for each in page["tables"]] == mine[:2]
    rest = program.get(f"/me/tables?before={page['before']}").get_json()
    assert [each["id"] for each in rest["tables"]] == mine[2:] and rest["before"] is None
    playing = program.get("/me/tables?status=playing").get_json()["tables"]
    assert [each["id"] for each in playing] == [others[0]]
    assert program.get("/me/tables?status=over").get_json()["tables"] == []


def test_tables_open_to_all_are_listed_and_others_are_not(app, sign_up):
    match_id, ann = table(app, sign_up, 3, listed="on", name="Come in")
    program = program_of(app, ann)
    program.post("/tables", {"game": "stockpile", "size": 2, "pace": "day", "name": "Friends"})
    (listed,) = program.get("/tables").get_json()["tables"]
    assert (listed["id"], listed["name"], listed["status"]) == (match_id, "Come in", "open")
    assert [seat["name"] for seat in listed["seats"]] == ["ann"]
    assert program.get("/tables?status=playing").get_json()["tables"] == []


def test_a_program_learns_at_which_tables_it_is_asked(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    programs = [program_of(app, player) for player in players]
    waiting = {
        number: program.get("/me/turns").get_json()["tables"]
        for number, program in enumerate(programs)
    }
    asked = [number for number, tables in waiting.items() if tables]
    assert asked
    for number, program in enumerate(programs):
        told = program.table(match_id)
        assert told["is_my_turn"] == (number in asked) == bool(told["moves"])
        if number in asked:
            (turn,) = waiting[number]
            assert (turn["table"], turn["moves_made"]) == (match_id, told["moves_made"])


def test_whether_a_turn_has_come_is_asked_by_a_tag(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    program = next(
        each
        for each in (program_of(app, player) for player in players)
        if each.get("/me/turns").get_json()["tables"]
    )
    first = program.get("/me/turns")
    assert first.headers["Cache-Control"] == "private, no-cache" and first.headers["Retry-After"]
    again = program.get("/me/turns", **{"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and again.data == b""
    told = program.table(match_id)
    program.post(
        f"/tables/{match_id}/moves",
        {"moves_made": told["moves_made"], "move": told["moves"][0]},
    )
    later = program.get("/me/turns", **{"If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200 and later.headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("POST", "/nowhere", 404, "not_found"),
        ("GET", "/tables/99", 404, "not_found"),
        ("GET", "/tables/99999999999", 404, "not_found"),
        ("GET", "/games/chess/schemas", 404, "not_found"),
        ("DELETE", "/me", 405, "method_not_allowed"),
        ("GET", "/me/tables?status=lost", 422, "wrong_type"),
        ("GET", "/me/tables?before=x", 422, "wrong_type"),
        ("GET", "/me/tables?befor=1", 422, "wrong_type"),
        ("GET", "/tables?status=%00", 400, "bad_request"),
    ],
)
def test_whatever_goes_wrong_is_said_in_one_shape(app, ann, method, path, status, code):
    program = program_of(app, ann)
    answer = program.client.open(f"/api/v1{path}", method=method, headers=program.headers)
    assert (answer.status_code, error_of(answer)["code"]) == (status, code)


def test_unknown_addresses_below_the_api_are_answered_to_programs(client):
    assert error_of(client.get("/api/"))["code"] == "not_found"
    assert error_of(client.get("/api/v2/me"))["code"] == "not_found"


@pytest.mark.parametrize(
    ("body", "kind", "status", "where"),
    [
        (b"{", "application/json", 400, None),
        (b'{"game": "\xff"}', "application/json", 400, None),
        (b'{"game": "\\ud800"}', "application/json", 400, None),
        (b"game=stockpile", "application/x-www-form-urlencoded", 415, None),
        (b"{}", "text/plain", 415, None),
        (b"", "application/json", 400, None),
        (b"[]", "application/json", 422, ""),
        (b'{"game": "stockpile"}', "application/json", 422, ""),
        (b'{"game": 1, "size": 2, "pace": "day"}', "application/json", 422, "$.game"),
        (b'{"game": "stockpile", "size": "2", "pace": "day"}', "application/json", 422, "$.size"),
        (b'{"game": "chess", "size": 2, "pace": "day"}', "application/json", 422, "$.game"),
        (b'{"game": "stockpile", "size": 2, "pace": "x"}', "application/json", 422, "$.pace"),
        (b'{"game": "stockpile", "size": 2, "pace": "day", "x": 1}', "application/json", 422, ""),
        (b"x" * 20_000, "application/json", 413, None),
    ],
)
def test_a_body_that_cannot_be_used_is_refused_and_it_is_said_where(
    app, ann, body, kind, status, where
):
    program = program_of(app, ann)
    answer = program.client.post(
        "/api/v1/tables", data=body, content_type=kind, headers=program.headers
    )
    assert answer.status_code == status, answer.text
    error = error_of(answer)
    if where is not None:
        assert error.get("where", "") == where


@pytest.mark.parametrize(
    ("reason", "status", "code"), [(Busy, 503, "busy"), (ZeroDivisionError, 500, "our_mistake")]
)
def test_mistakes_of_ours_are_said_in_the_same_shape(make_app, ann, reason, status, code):
    def fail():
        raise reason

    site = make_app(PROPAGATE_EXCEPTIONS=False)
    odd = Blueprint("odd", __name__)
    odd.add_url_rule("/api/v1/odd", "odd", fail)
    site.register_blueprint(odd)
    answer = site.test_client().get("/api/v1/odd")
    assert (answer.status_code, error_of(answer)["code"]) == (status, code)


def test_a_program_that_asks_too_much_is_told_how_long_to_wait(
    app, ann, steady_minute, monkeypatch
):
    monkeypatch.setattr(limits, "OF_TOKEN", Limit("few", 60, 1))
    program, other = program_of(app, ann), program_of(app, ann, "read")
    answers = [program.get("/me") for _ in range(62)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429] * 2
    assert error_of(answers[-1])["code"] == "too_many"
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert other.get("/me").status_code == 200


def test_all_programs_of_a_person_share_a_limit(app, ann, sign_up, steady_minute, monkeypatch):
    monkeypatch.setattr(limits, "OF_PERSON", Limit("few of all", 60, 1))
    program, other = program_of(app, ann), program_of(app, ann, "read")
    assert {program.get("/me").status_code for _ in range(60)} == {200}
    assert other.get("/me").status_code == 429
    bob = app.test_client()
    sign_up(bob, "bob")
    assert program_of(app, bob).get("/me").status_code == 200


def test_requests_are_counted_in_batches_so_that_looking_seldom_writes(app, ann, steady_minute):
    program = program_of(app, ann)

    def counted():
        with app.app_context():
            return sorted(db.session.scalars(select(Attempt.count)))

    program.get("/me")
    before = counted()
    for _ in range(limits.BATCH - 1):
        program.get("/me")
    assert counted() == before
    program.get("/me")
    assert counted() != before
