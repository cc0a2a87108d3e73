"""The description of the API is true: of every route, and of every answer to what anybody sends."""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from stockpile_web.games import GAMES
from stockpile_web.web.api import limits, openapi
from stockpile_web.web.api.operations import OPERATIONS
from stockpile_web.web.rate_limits import Limit
from tests.support.people import seated
from tests.support.playing import play
from tests.support.programs import Program, program_of

load_all_checks()
# A move may be just as it is described, and the rules still refuse it.
NOT_ASKED: list[Any] = [CHECKS.get_one("positive_data_acceptance")]
TABLES = 4  # One is played, one has not begun, one is over; the last is not there.


@pytest.fixture
def program(app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program of somebody who sits at tables of each kind, and may ask as often as it likes."""
    monkeypatch.setattr(limits, "OF_TOKEN", Limit("as many as it takes", 10**6, 1))
    monkeypatch.setattr(limits, "OF_PERSON", limits.OF_TOKEN)
    _, (ann, _) = seated(app, sign_up, 2)
    program = program_of(app, ann)
    table = {"game": "stockpile", "size": 3, "pace": "day"}
    for _ in range(2):
        assert program.post("/tables", table).status_code == 201
    program.post("/tables/3/begin", {"fill": True})
    play(app, 3)
    return program


def send_much(app: Flask, headers: dict[str, str], most: int) -> dict[int, int]:
    """Send what the description allows, and what it does not; return how often which status came.

    Every answer must be one that the description tells of.
    """
    document = deepcopy(openapi.document())
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["security"] = []  # Who sends a token, and who none, is ours to choose.
    schema: Any = schemathesis.openapi.from_dict(document)
    schema.app = app
    came: dict[int, int] = {}
    headers = {**headers, "Accept-Encoding": "identity"}  # It cannot read gzip.
    rules = settings(
        max_examples=most,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            def send(case: Case[Any]) -> None:
                number = case.path_parameters.get("match_id")
                if type(number) is int and 0 <= number < 2**31:  # Let it be one that is there.
                    case.path_parameters["match_id"] = 1 + number % TABLES
                answer = case.call_and_validate(headers=headers, excluded_checks=NOT_ASKED)
                came[answer.status_code] = came.get(answer.status_code, 0) + 1

            with suppress(Unsatisfiable):  # Where nothing is described, nothing can be wrong.
                rules(given(case=operation.as_strategy(generation_mode=mode))(send))()
    return came


def test_the_description_names_every_route_and_no_other(app):
    told = {
        (method.upper(), path)
        for path, methods in openapi.document()["paths"].items()
        for method in methods
    }
    routes = {
        (method, rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }
    assert told == routes and len(routes) == len(OPERATIONS)


def test_every_reference_in_the_description_leads_somewhere():
    document = openapi.document()
    text = json.dumps(document)
    names = {word.split('"')[0] for word in text.split("#/components/schemas/")[1:]}
    assert names and names <= document["components"]["schemas"].keys()
    assert "$defs" not in text


def test_the_description_is_for_all(client):
    answer = client.get("/api/v1/openapi.json")
    assert answer.status_code == 200 and answer.get_json()["openapi"] == "3.1.0"
    assert all(slug not in answer.text for slug in GAMES if slug != "stockpile")


@pytest.mark.long_on_postgres
def test_whatever_is_sent_is_answered_as_described(app, program):
    came = send_much(app, program.headers, 2)
    assert {200, 404, 422} <= came.keys()


@pytest.mark.long_on_postgres
def test_whatever_is_sent_without_a_token_is_answered_as_described(app, program):
    came = send_much(app, {}, 2)
    assert came[401] > 20


@pytest.mark.long
def test_whatever_is_sent_a_hundred_times_is_answered_as_described(app, program):
    came = send_much(app, program.headers, 100)
    assert {200, 404, 422} <= came.keys()
