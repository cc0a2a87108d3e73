"""No request, whoever sends it, ends in an error of ours."""

from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from tests.conftest import sign_in
from tests.support import fuzzing
from tests.support.people import seated

TABLES = [1, 2, 3]  # One is played, one was closed, and one has not begun.
# Files, and streams, which would stay open for the tests that come after.
# Of the last it depends on the worker whether the answer is an error.
LEFT_OUT = {"static", "table.events", "health.ready"}
NAMES = ("ann", "bob", "carol", "dave")  # An administrator, two players, and somebody else.


@pytest.fixture
def world(app, sign_up):
    """Tables of each kind, and a browser for each kind of person."""
    running, (ann, bob, _carol) = seated(app, sign_up, 3)
    form = {"game": "stockpile", "size": "3", "pace": "day", "listed": "on"}
    over = int(ann.post("/tables/new", data=form).location.rsplit("/", 1)[1])
    ann.post(f"/table/{over}/seating", data={"do": "fill"})
    ann.post(f"/table/{over}/seating", data={"do": "close"})
    bob.post("/tables/new", data={**form, "listed": ""})
    ann.post("/groups/new", data={"name": "Club", "entry": "open"})
    ann.post("/notices/calendar")
    dave, guest = app.test_client(), app.test_client()
    sign_up(dave, "dave")
    guest.post("/try/stockpile")
    with app.app_context():
        codes = list(db.session.scalars(select(Match.invitation)))
    return {
        "ann": ann,
        "bob": bob,
        "dave": dave,
        "guest": guest,
        "nobody": app.test_client(),
    }, codes


def failures(app: Flask, world: tuple[dict[str, FlaskClient], list[str]], rounds: int, seed: str):
    """Send `rounds` requests by each kind of person to each address; return what failed."""
    people, codes = world
    rng, found = Random(seed), []
    known = [*NAMES, *codes, "stockpile", "mail", "webhook", "guest"]
    rules = sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint))
    for rule in [rule for rule in rules if rule.endpoint not in LEFT_OUT] * rounds:
        for name, client in people.items():
            for asked in fuzzing.requests(app, rule, known, TABLES, rng):
                if (came := outcome(client, asked)) >= "5":
                    found.append(f"{name}: {asked} -> {came}"[:900])
            if "sign_out" in rule.endpoint and name in NAMES:
                sign_in(client, name)
    return found


def outcome(client: FlaskClient, asked: fuzzing.Asked) -> str:
    """Return the status of the answer, or what was raised."""
    try:
        with client.open(
            asked.address, method=asked.method, data=asked.body, headers=asked.headers
        ) as answer:
            return answer.status
    except Exception as error:  # noqa: BLE001 (all of them are told together)
        return repr(error)


@pytest.mark.long_on_postgres
def test_no_request_ends_in_an_error_of_ours(app, world):
    assert failures(app, world, 1, "short") == []


@pytest.mark.long
def test_not_one_of_many_requests_ends_in_an_error_of_ours(app, world):
    assert failures(app, world, 10, "long") == []
