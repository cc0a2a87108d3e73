"""Safety: forged forms, headers, limits, errors that tell nothing, and how answers travel."""

import gzip
import re
import time

import pytest
from flask import Blueprint, Response, abort, session, url_for
from itsdangerous import TimestampSigner
from sqlalchemy import select, text

from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Attempt
from stockpile_web.web import http_cache
from stockpile_web.web.security import ERRORS
from tests.conftest import PASSWORD

FORM = {"name": "Ann", "password": PASSWORD}
HTTPS = "https://localhost"
HTMX = {"HX-Request": "true"}
GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture
def guarded(make_app):
    """An application that checks where forms come from, as the real one does."""
    return make_app(WTF_CSRF_ENABLED=True)


@pytest.fixture
def odd(make_app):
    """An application with a few pages that misbehave."""
    bp = Blueprint("odd", __name__)
    bp.add_url_rule("/abort/<int:code>", view_func=lambda code: abort(code, "the real reason"))
    bp.add_url_rule("/crash", "crash", lambda: str(1 / 0))
    bp.add_url_rule("/broken", "broken", lambda: str(db.session.execute(text("select nonsense"))))
    bp.add_url_rule("/stream", "stream", lambda: Response(iter(["x" * 5000]), mimetype="text/html"))
    bp.add_url_rule("/tagged", "tagged", _tagged)
    bp.add_url_rule("/short", "short", lambda: "short")
    app = make_app(PROPAGATE_EXCEPTIONS=False)
    app.register_blueprint(bp)
    return app


def _tagged():
    answer = Response("y" * 5000, mimetype="text/html")
    answer.set_etag("version-7")
    answer.headers["Cache-Control"] = "private, max-age=1"
    return answer


def token_in(page):
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_form_without_our_token_is_refused(guarded):
    client = guarded.test_client()
    assert client.post("/sign-up", data=FORM).status_code == 400
    token = token_in(client.get("/sign-up").text)
    assert client.post("/sign-up", data={**FORM, "csrf_token": "forged"}).status_code == 400
    assert client.post("/sign-up", data={**FORM, "csrf_token": token}).status_code == 303


def test_a_token_of_somebody_else_is_refused(guarded):
    token = token_in(guarded.test_client().get("/sign-up").text)
    client = guarded.test_client()
    client.get("/sign-up")
    assert client.post("/sign-up", data={**FORM, "csrf_token": token}).status_code == 400


def test_htmx_may_send_the_token_as_a_header(guarded):
    client = guarded.test_client()
    token = token_in(client.get("/sign-up").text)
    answer = client.post("/sign-up", data=FORM, headers={**HTMX, "X-CSRFToken": token})
    assert answer.status_code == 303


def test_a_page_of_an_earlier_session_is_refreshed_by_htmx(guarded):
    answer = guarded.test_client().post("/sign-up", data=FORM, headers=HTMX)
    assert answer.status_code == 400
    assert answer.headers["HX-Refresh"] == "true"


def test_every_form_that_changes_something_carries_the_token():
    pages = {str(path): path.read_text() for path in (ROOT / "templates").rglob("*.html")}
    # A fragment that is the same for everybody has its token outside, tied to it by its id.
    outside = re.findall(r'name="csrf_token"[^>]* form="([^"]+)"', "".join(pages.values()))
    forms = [
        (name, form)
        for name, page in pages.items()
        for form in re.findall(r'<form[^>]*method="post".*?</form>', page, re.DOTALL)
        if not any(f'<form id="{each}"' in form for each in outside)
    ]
    assert len(forms) >= 10
    for name, form in forms:
        assert "csrf" in form, f"{name}: {form[:120]}"


def test_no_template_holds_inline_script_or_style():
    templates = list((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 30
    for path in templates:
        page = path.read_text()
        for mark in (r"<script(?![^>]*\ssrc=)", r"<style", r"\sstyle=", r"\son[a-z]+=", r"hx-on"):
            assert not re.search(mark, page), f"{path.relative_to(ROOT)}: {mark}"


@pytest.mark.parametrize("path", ["/sign-in", "/nowhere", "/static/icons/icon.svg"])
def test_every_answer_forbids_what_we_do_not_need(client, path):
    with client.get(path) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_cookies_are_kept_from_scripts_and_other_sites(client):
    cookie = client.post("/sign-up", data=FORM).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie


def test_behind_https_cookies_never_travel_in_the_clear(make_app):
    app = make_app(SITE_URL="https://games.example.org")
    answer = app.test_client().post("/sign-up", data=FORM)
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "Strict-Transport-Security" in answer.headers


def test_over_https_the_cookie_is_bound_to_its_host(make_app):
    app = make_app(SITE_URL=HTTPS)
    made = app.test_client().post("/sign-up", data=FORM, base_url=HTTPS).headers["Set-Cookie"]
    assert made.startswith("__Host-session=")
    assert "Secure" in made and "Path=/" in made and "Domain" not in made


def test_an_upgrade_to_bound_cookies_signs_nobody_out_and_their_old_cookie_goes(app, make_app):
    before = app.test_client()
    before.post("/sign-up", data=FORM)
    before.post("/try/stockpile")
    plain = before.get_cookie("session").value
    client = make_app(SITE_URL=HTTPS).test_client()
    client.set_cookie("session", plain)
    answer = client.get("/account", base_url=HTTPS)
    assert answer.status_code == 200
    bound, gone = answer.headers.getlist("Set-Cookie")
    assert bound.startswith("__Host-session=")
    assert gone.startswith("session=;") and "Max-Age=0" in gone
    assert client.get_cookie("session") is None
    again = client.get("/account", base_url=HTTPS)
    assert again.status_code == 200 and "Set-Cookie" not in again.headers


def test_what_is_in_a_bound_cookie_is_worth_nothing_in_a_plain_one(make_app):
    app = make_app(SITE_URL=HTTPS)
    client, other = app.test_client(), app.test_client()
    client.post("/sign-up", data=FORM, base_url=HTTPS)
    other.set_cookie("session", client.get_cookie("__Host-session").value)
    assert other.get("/account", base_url=HTTPS).status_code == 302
    assert other.get_cookie("session")  # It may be a neighbour's: what is not ours stays.


def test_a_plain_cookie_is_not_taken_beside_a_bound_one_nor_when_it_is_too_old(
    app, make_app, monkeypatch
):
    before = app.test_client()
    before.post("/sign-up", data=FORM)
    plain = before.get_cookie("session").value
    client = make_app(SITE_URL=HTTPS).test_client()
    client.get("/sign-in", base_url=HTTPS)  # A stranger's session, for the token in the form.
    client.set_cookie("session", plain)
    assert client.get("/account", base_url=HTTPS).status_code == 302
    later = time.time() + 61 * 24 * 3600
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda signer: int(later))
    client = make_app(SITE_URL=HTTPS).test_client()
    client.set_cookie("session", plain)
    assert client.get("/account", base_url=HTTPS).status_code == 302


def test_a_proxy_is_believed_only_when_there_is_one(make_app):
    headers = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
    seen = []
    for proxies in ("0", "1"):
        app = make_app(BEHIND_PROXY=proxies)
        app.add_url_rule("/me", "me", lambda: url_for("me", _external=True))
        seen.append(app.test_client().get("/me", headers=headers).text)
    assert seen == ["http://localhost/me", "https://localhost/me"]


def test_too_much_at_once_is_refused(client):
    answer = client.post("/sign-in", data={"name": "x" * 70_000})
    assert answer.status_code == 413
    assert "more than this site takes" in answer.text
    many = {f"field{number}": (None, "x") for number in range(500)}
    answer = client.post("/sign-in", data=many, content_type="multipart/form-data")
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/sign-in?next=%00", "/sign%00in"])
def test_zero_bytes_are_refused_in_addresses(client, path):
    assert client.get(path).status_code == 400


def test_zero_bytes_are_refused_in_forms(client):
    assert client.post("/sign-in", data={"name": ["ok", "a\0b"]}).status_code == 400


def test_a_number_too_large_for_any_row_leads_nowhere(client, sign_up):
    sign_up(client, "Ann")
    assert client.post(f"/account/devices/{2**31}/sign-out").status_code == 404
    assert client.post(f"/account/devices/{2**31 - 1}/sign-out").status_code == 303


@pytest.mark.parametrize("code", sorted(ERRORS))
def test_errors_say_what_to_do_and_nothing_else(odd, code):
    answer = odd.test_client().get(f"/abort/{code}")
    assert answer.status_code == code
    assert ERRORS[code][0] in answer.text
    assert "the real reason" not in answer.text


def test_a_crash_shows_a_page_and_no_reason(odd):
    answer = odd.test_client().get("/crash")
    assert answer.status_code == 500
    assert "<h1>Our mistake</h1>" in answer.text
    assert "Zero" not in answer.text


def test_a_crash_in_the_database_shows_a_page_even_to_the_signed_in(odd, sign_up):
    client = odd.test_client()
    sign_up(client, "Ann")
    answer = client.get("/broken")
    assert answer.status_code == 500
    assert "<h1>Our mistake</h1>" in answer.text
    assert "Sign out" in answer.text


def test_when_even_the_error_page_is_broken_there_is_a_plain_one(odd, monkeypatch):
    def broken(*_args, **_context):
        raise RuntimeError("the real reason")

    monkeypatch.setattr("stockpile_web.web.security.render_template", broken)
    answer = odd.test_client().get("/crash")
    assert (answer.status_code, answer.mimetype) == (500, "text/plain")
    assert answer.text.startswith("Our mistake.")


def test_a_wrong_method_says_which_are_right(client):
    answer = client.get("/sign-out")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


def test_text_travels_compressed_to_those_who_can_read_it(client):
    plain, packed = client.get("/sign-up"), client.get("/sign-up", headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert "<h1>Sign up</h1>" in gzip.decompress(packed.data).decode()
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_gzip_may_be_declined(client):
    answer = client.get("/sign-up", headers={"Accept-Encoding": "gzip;q=0, br"})
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/short", "/stream"])
def test_short_answers_and_streams_are_not_compressed(odd, path):
    assert "Content-Encoding" not in odd.test_client().get(path, headers=GZIP).headers


def test_a_compressed_answer_keeps_a_tag_by_which_it_is_known_again(odd):
    answer = odd.test_client().get("/tagged", headers=GZIP)
    assert answer.headers["ETag"] == 'W/"version-7"'
    assert answer.headers["Cache-Control"] == "private, max-age=1"


def test_pages_are_asked_for_again_and_account_pages_not_kept_at_all(odd, client, sign_up):
    assert odd.test_client().get("/short").headers["Cache-Control"] == "private, no-cache"
    sign_up(client, "Ann")
    assert client.get("/account").headers["Cache-Control"] == "no-store"


def test_static_files_are_kept_for_ever_under_the_name_of_their_content(app, client):
    with app.test_request_context():
        address = url_for("static", filename="site.css")
    assert re.fullmatch(r"/static/site\.css\?v=[0-9a-f]{12}", address)
    with client.get(address, headers=GZIP) as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        file = (ROOT / "static" / "site.css").read_bytes()
        assert gzip.decompress(answer.data) == http_cache.without_comments(file, "text/css")
        assert "Cookie" not in answer.headers["Vary"]
        assert "Set-Cookie" not in answer.headers
    for other in ("/static/site.css", "/static/site.css?v=000000000000"):
        with client.get(other) as answer:
            assert answer.headers["Cache-Control"] == "no-cache"


def test_an_unchanged_static_file_is_not_sent_again(client):
    with client.get("/static/site.css", headers=GZIP) as first:
        again = {**GZIP, "If-None-Match": first.headers["ETag"]}
    with client.get("/static/site.css", headers=again) as answer:
        assert answer.status_code == 304


def test_a_file_that_is_not_there_has_no_version(app, client):
    with app.test_request_context():
        assert url_for("static", filename="none.css") == "/static/none.css"
    answer = client.get("/static/none.css?v=1")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers["Cache-Control"]


def test_no_page_is_reached_by_a_get_that_changes_something(app):
    changing = re.compile(r"sign-out|/account/(password|email|time-zone|devices)")
    rules = [rule for rule in app.url_map.iter_rules() if changing.search(rule.rule)]
    assert len(rules) >= 5
    for rule in rules:
        assert rule.methods <= {"POST", "OPTIONS"}, rule.rule


@pytest.mark.parametrize("path", ["/sign-up", "/sign-in", "/reset", "/account/delete"])
def test_asking_for_the_head_of_a_page_is_only_looking(app, client, sign_up, path):
    if path == "/account/delete":
        sign_up(client, "Ann")
    with app.app_context():
        before = db.session.execute(select(Attempt.key, Attempt.count)).all()
    answer = client.head(path)
    assert (answer.status_code, answer.data) == (200, b"")
    with app.app_context():
        assert db.session.execute(select(Attempt.key, Attempt.count)).all() == before


def test_a_session_made_elsewhere_is_worth_nothing(app, client, make_app, sign_up):
    sign_up(app.test_client(), "Ann")
    forger = make_app(SECRET_KEY="another key")
    with forger.test_request_context():
        session["_user_id"] = "whatever"
        forged = forger.session_interface.get_signing_serializer(forger).dumps(dict(session))
    client.set_cookie("session", forged)
    assert client.get("/account").status_code == 302


def test_a_cookie_that_was_genuine_a_moment_ago_is_not_when_it_is_changed(app, client, sign_up):
    sign_up(client, "ann")
    assert client.get("/account").status_code == 200
    cookie = client.get_cookie("session").value
    middle = len(cookie) // 2  # The last character has bits that mean nothing.
    other = "A" if cookie[middle] != "A" else "B"
    for forged in (cookie[:middle] + other + cookie[middle + 1 :], "x" + cookie):
        client.set_cookie("session", forged)
        assert client.get("/account").status_code == 302
    client.set_cookie("session", cookie)
    assert client.get("/account").status_code == 200


def test_a_cookie_is_too_old_at_last(client, sign_up, monkeypatch):
    sign_up(client, "ann")
    assert client.get("/account").status_code == 200
    later = time.time() + 61 * 24 * 3600
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda signer: int(later))
    assert client.get("/account").status_code == 302


def test_another_secret_key_makes_all_cookies_worthless(app, client, sign_up, make_app):
    sign_up(client, "ann")
    assert client.get("/account").status_code == 200
    other = make_app(SECRET_KEY="another").test_client()
    other.set_cookie("session", client.get_cookie("session").value)
    assert other.get("/account").status_code == 302
