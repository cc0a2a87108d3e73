"""Requests that no browser sends: they are refused in words, and never end in an error of ours."""

import pytest
from werkzeug.test import create_environ, run_wsgi_app

from stockpile_web.web.security import is_host

HTMX = {"HX-Request": "true"}
NO_HOSTS = [
    "..", "a..b", ".a", "-a", "a-", f"{'a' * 64}.example", "xn--", "a.xn--99999", "\xfc.example",
    "[::1", "::1]", "[:::]", "a b", "a\tb", "a/b", "a@b", "a:b", "x." * 200,
]  # fmt: skip


def ask(app, path, **environ):
    """Ask as no client of ours would let us."""
    body, status, headers = run_wsgi_app(app, {**create_environ(path), **environ})
    return b"".join(body).decode(), status, headers


def test_a_host_that_cannot_be_one_is_refused_in_words(make_app):
    app = make_app(BEHIND_PROXY="1")
    for host in NO_HOSTS:
        for name in ("HTTP_HOST", "HTTP_X_FORWARDED_HOST"):
            text, status, headers = ask(app, "/sign-in", **{name: host})
            assert status == "400 BAD REQUEST", (name, host)
            assert "no address of a site" in text
            assert "default-src 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "a", "192.0.2.7:80", "[::1]:8000", "Games.example.org.",
     "my_pi.local", "xn--mnchen-3ya.example:443", ""],
)  # fmt: skip
def test_any_host_that_can_be_one_is_let_in(host):
    assert is_host(host)


def test_headers_that_are_no_addresses_count_as_not_sent(make_app):
    app = make_app(WTF_CSRF_ENABLED=True)
    for odd in ("http://[::1", "http://a:b:c", "http://a:99999999"):
        answer = app.test_client().get("/account", headers={**HTMX, "HX-Current-URL": odd})
        assert answer.headers["HX-Redirect"].endswith("/sign-in?next=/")
        answer = app.test_client().post(
            "/sign-in", base_url="https://localhost", headers={"Referer": odd}
        )
        assert answer.status_code == 400


def test_at_a_table_that_has_not_begun_what_cannot_be_done_is_said_in_the_room(client, sign_up):
    sign_up(client, "Ann")
    client.post("/tables/new", data={"game": "stockpile", "size": "3", "pace": "day"})
    wrong = {
        "move": {"move": '{"do": "x"}', "moves_made": "7"},
        "chat": {"text": "x" * 501},
        "notes": {"notes": "x" * 5001},
        "take-back": {},
    }
    for what, form in wrong.items():
        answer = client.post(f"/table/1/{what}", data=form, follow_redirects=True)
        assert answer.status_code == 200, what
        assert 'class="notice error"' in answer.text and 'id="room"' in answer.text
        answer = client.post(f"/table/1/{what}", data=form, headers=HTMX)
        assert answer.headers["HX-Refresh"] == "true", what
    assert client.post("/table/1/chat", data={"text": "hi"}, headers=HTMX).status_code == 200


def test_a_number_that_no_row_has_counts_as_not_sent(client, sign_up):
    sign_up(client, "Ann")  # The first one administers the site.
    client.post("/tables/new", data={"game": "stockpile", "size": "3", "pace": "day"})
    client.post("/table/1/seating", data={"do": "fill"})
    asked = ("/table/1/replay?after=", "/rules/stockpile?table=", "/admin/reports?before=")
    for address in asked:
        for number in (2**31, -(2**63) - 1, "9" * 20, "9" * 5000):
            assert client.get(f"{address}{number}").status_code == 200, address


def test_nobody_can_forge_a_line_of_the_log(make_app, caplog):
    app = make_app(PROPAGATE_EXCEPTIONS=False)
    app.add_url_rule("/crash/<rest>", "crash", lambda rest: str(1 / 0))
    answer = app.test_client().get("/crash/a%0a%0dERROR%20all%20is%20lost%1b%E2%80%A8%C3%BC")
    assert answer.status_code == 500
    [line] = [record.getMessage() for record in caplog.records]
    assert line == "A page has failed: crash"  # The name of its route, and nothing that was sent.
