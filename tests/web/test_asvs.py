"""Items of OWASP ASVS 5, level 1, that no other test looks at; docs/asvs.md lists them all."""

import re

from stockpile_web.settings import ROOT
from tests.conftest import sign_in
from tests.support.people import seated

ASVS = (ROOT / "docs" / "asvs.md").read_text()
MOST = "p" * 100 + " " + "q" * 99


def test_a_password_is_taken_as_it_was_typed(app, client):
    client.post("/sign-up", data={"name": "Ann", "password": MOST})
    for wrong in (MOST + "x", MOST.upper(), MOST + " ", MOST[:-1]):
        assert sign_in(app.test_client(), "Ann", wrong).status_code == 422
        form = {"password": wrong, "new_password": "battery staple"}
        assert client.post("/account/password", data=form).status_code == 422
    assert sign_in(app.test_client(), "Ann", MOST).status_code == 303


def test_every_field_for_a_password_hides_it_and_lets_it_be_pasted_and_filled_in(client, sign_up):
    sign_up(client, "Ann")
    pages = [client.get(path).text for path in ("/account", "/account/delete")]
    fields = re.findall(r"<input[^>]*password[^>]*>", "".join(pages))
    assert len([field for field in fields if 'type="password"' in field]) == 5
    for field in fields:
        assert "onpaste" not in field and 'autocomplete="off"' not in field


def test_every_answer_says_what_it_is_and_no_other_site_may_read_it(app, sign_up):
    _, (ann, *_) = seated(app, sign_up, 2)
    for path in (
        "/", "/rules/stockpile", "/archive", "/archive.csv", "/feed.atom", "/app.webmanifest",
        "/service-worker.js", "/table/1", "/table/1/export.json", "/people/ann/results.csv",
        "/static/site.css", "/static/live.js", "/nowhere",
    ):  # fmt: skip
        with ann.get(path, headers={"Origin": "https://evil.example"}) as answer:
            kind = answer.headers["Content-Type"]
            assert "charset=utf-8" in kind or kind.startswith("application/"), (path, kind)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


def test_nothing_but_what_is_meant_to_be_read_is_served(client):
    for path in ("/.git/config", "/static/../.git/config", "/static/%2e%2e/wsgi.py"):
        assert client.get(path).status_code == 404


def test_every_test_and_file_that_the_list_names_is_there():
    tests = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)
    }
    pages = ASVS + (ROOT / "SECURITY.md").read_text()
    named = set(re.findall(r"`(test_\w+)`", pages))
    assert len(named) > 40
    assert named - tests == set()


def test_every_item_of_the_list_has_a_test_or_a_reason():
    rows = re.findall(r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \|$", ASVS, re.M)
    assert len(rows) == len({number for number, *_ in rows}) == 70
    assert all(len(why) >= 9 for _, _, why in rows)
