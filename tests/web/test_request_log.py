"""A line of the log for each request: what it tells, what it never tells, and the error page."""

import json
import logging
import re

import pytest
from flask import Blueprint

from stockpile_web.server import logs
from stockpile_web.web import request_log
from tests.conftest import PASSWORD
from tests.support.people import seated

FORGED = "x\n2026-01-01T00:00:00.000Z [1] INFO answered request=forged\r\u2028end"


class Lines(logging.Handler):
    """Keeps what was logged, as it would be written."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.written.append(self.format(record))


@pytest.fixture
def lines(request):
    """What is logged from now on, as JSON, or as text where the test says so."""
    formatter = getattr(request, "param", logs.Json)()
    handler, root = Lines(formatter), logging.getLogger()
    requests = logging.getLogger("stockpile_web.requests")
    before = requests.level
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    yield handler.written
    root.removeHandler(handler)
    requests.setLevel(before)


@pytest.fixture
def odd(make_app):
    """An application that logs each request, with a page that fails."""
    bp = Blueprint("odd", __name__)
    bp.add_url_rule("/crash/<secret>", "crash", lambda secret: str(1 / 0))
    bp.add_url_rule("/forge", "forge", lambda: str(int(FORGED)))
    app = make_app(PROPAGATE_EXCEPTIONS=False, LOG="json")
    app.register_blueprint(bp)
    return app


def test_a_line_names_the_route_the_match_and_the_user_by_number(make_app, sign_up, lines):
    app = make_app(LOG="json")
    match_id, (ann, *_) = seated(app, sign_up, 2)
    lines.clear()
    ann.get(f"/table/{match_id}")
    line = json.loads(lines[-1])
    assert (line["method"], line["route"], line["status"]) == ("GET", "table.show", 200)
    assert line["match"] == match_id and line["user"] > 0 and line["ms"] >= 0
    assert re.fullmatch("[0-9a-f]{16}", line["request"])


def test_an_answer_from_the_cache_is_logged_like_the_first_one(make_app, sign_up, lines):
    app = make_app(LOG="json")
    match_id, (ann, *_) = seated(app, sign_up, 2)
    lines.clear()
    for _ in range(2):
        ann.get(f"/table/{match_id}", headers={"HX-Request": "true"})
    first, second = (json.loads(line) for line in lines[-2:])
    assert first["request"] != second["request"]
    for name in ("route", "match", "user", "status"):
        assert first[name] == second[name]


SECRET = "s3cr3t-of-somebody"
SECRETS = (
    f"/reset/{SECRET}",
    f"/join/{SECRET}",
    f"/groups/join/{SECRET}",
    f"/calendar/{SECRET}.ics",
    f"/confirm/{SECRET}",
    f"/notices/stop/{SECRET}",
    f"/sign-in?next=/reset/{SECRET}",
    f"/nowhere/{SECRET}",
    f"/crash/{SECRET}",
)


@pytest.mark.parametrize("path", SECRETS)
def test_no_line_tells_a_secret_that_stands_in_an_address(odd, lines, path):
    odd.test_client().get(path)
    assert lines
    assert SECRET not in "".join(lines)


def test_no_line_tells_a_password_or_a_name(odd, lines):
    client = odd.test_client()
    client.post("/sign-up", data={"name": "Somebody Special", "password": PASSWORD})
    client.post("/sign-in", data={"name": "Somebody Special", "password": PASSWORD + "x"})
    assert len(lines) >= 2
    assert PASSWORD not in "".join(lines) and "Special" not in "".join(lines)


def test_the_error_page_shows_the_number_under_which_the_log_has_the_traceback(odd, lines):
    answer = odd.test_client().get("/crash/x")
    assert answer.status_code == 500
    failed, answered = (json.loads(line) for line in lines[-2:])
    assert f"<code>{failed['request']}</code>" in answer.text
    assert failed["request"] == answered["request"]
    assert "ZeroDivisionError" in failed["trace"][-1]
    assert answered["route"] == "odd.crash"


def test_pages_that_are_not_our_mistake_show_no_number(odd):
    assert "<code>" not in odd.test_client().get("/nowhere").text


@pytest.mark.parametrize("lines", [logs.Text, logs.Json], indirect=True)
def test_nobody_forges_a_line(odd, lines):
    odd.test_client().get("/forge")
    logging.getLogger("somebody").error("said %s", FORGED)
    for written in lines:
        first, *rest = written.split("\n")
        assert "\r" not in written and "\u2028" not in written
        assert "forged" not in first or "\\n" in first
        assert all(line.startswith("  ") for line in rest)


def test_the_id_of_a_proxy_is_taken_only_where_there_is_one(make_app, lines):
    own = make_app(LOG="json").test_client()
    own.get("/health", headers={"X-Request-ID": "abc-123"})
    assert json.loads(lines[-1])["request"] != "abc-123"
    behind = make_app(LOG="json", BEHIND_PROXY="1").test_client()
    behind.get("/health", headers={"X-Request-ID": "abc-123"})
    assert json.loads(lines[-1])["request"] == "abc-123"
    for given in ("x" * 65, "a b", "a=b", ""):
        behind.get("/health", headers={"X-Request-ID": given})
        assert re.fullmatch("[0-9a-f]{16}", json.loads(lines[-1])["request"])


def test_unless_told_only_errors_are_logged(app, lines):
    app.test_client().get("/health")
    assert not lines


def test_what_fails_outside_of_every_page_is_answered_and_logged_without_its_path(lines):
    def broken(environ, start_response):
        raise RuntimeError

    said = []
    logged = request_log.RequestLog(broken, trusts_proxy=False, is_logged=True)
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": f"/reset/{SECRET}"}

    def start(status, headers, *_):
        said.append(status)
        return said.append

    body = b"".join(logged(environ, start))
    assert said == ["500 INTERNAL SERVER ERROR"] and b"mistake" in body
    failed, answered = (json.loads(line) for line in lines)
    assert failed["request"] == answered["request"] and answered["status"] == 500
    assert SECRET not in "".join(lines)
