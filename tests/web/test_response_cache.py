"""The response cache: an answer is given again while nothing has changed, and never after."""

import re
import time

import pytest
from sqlalchemy import delete

from stockpile_web.server.forked_child import in_forked_child
from stockpile_web.storage.models import Device
from stockpile_web.storage.transactions import writing
from stockpile_web.web import response_cache
from tests.support.people import HX
from tests.web.test_table import form_of, three

# Headers that browsers and proxies send, and that no answer may depend on: the cache leaves them
# out of its key.
OTHERS = (
    "Accept",
    "Accept-Charset",
    "Accept-Language",
    "Authorization",
    "Cache-Control",
    "DNT",
    "Forwarded",
    "From",
    "HX-Boosted",
    "HX-Current-URL",
    "HX-Prompt",
    "HX-Trigger",
    "HX-Trigger-Name",
    "If-Match",
    "If-Modified-Since",
    "If-Range",
    "If-Unmodified-Since",
    "Origin",
    "Pragma",
    "Priority",
    "Purpose",
    "Range",
    "Referer",
    "Save-Data",
    "Sec-CH-UA",
    "Sec-CH-UA-Mobile",
    "Sec-Fetch-Dest",
    "Sec-Fetch-Mode",
    "Sec-Fetch-Site",
    "Sec-GPC",
    "TE",
    "Upgrade-Insecure-Requests",
    "User-Agent",
    "Via",
    "X-CSRFToken",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-HTTP-Method-Override",
    "X-Original-URL",
    "X-Real-IP",
    "X-Requested-With",
    "X-Rewrite-URL",
)
VALUES = ("", "1", "de, en;q=0.5", "bytes=0-9", "https://elsewhere.example/x", "Tue, 15 Nov 1994")

__all__ = ["three"]


@pytest.fixture
def asked(app, monkeypatch):
    """What Flask itself is asked from now on."""
    cache, addresses = app.extensions["response_cache"], []
    soon(lambda: app.extensions["versions"].now() is not None)  # On Postgres it has to listen.
    answer = cache._app

    def listen(environ, start_response):
        addresses.append(environ["PATH_INFO"])
        return answer(environ, start_response)

    monkeypatch.setattr(cache, "_app", listen)
    cache._answers.clear()
    return addresses


def test_the_same_question_is_answered_again_without_flask(three, asked):
    match_id, ann, _ = three
    first = ann.get(f"/table/{match_id}", headers=HX)
    again = ann.get(f"/table/{match_id}", headers=HX)
    assert (again.status_code, again.data) == (200, first.data)
    assert dict(again.headers) == dict(first.headers)
    known = {**HX, "If-None-Match": first.headers["ETag"]}
    assert [ann.get(f"/table/{match_id}", headers=known).status_code for _ in range(2)] == [304] * 2
    assert len(asked) == 2


def test_everybody_gets_an_answer_of_their_own(three):
    match_id, ann, (bob, carol) = three
    answers = {player.get(f"/table/{match_id}", headers=HX).text for player in (ann, bob, carol)}
    assert len(answers) == 3
    assert ann.get(f"/table/{match_id}").text != ann.get(f"/table/{match_id}", headers=HX).text


def test_after_a_move_nobody_gets_an_old_answer(three):
    match_id, ann, (bob, _) = three
    before = bob.get(f"/table/{match_id}", headers=HX)
    ann.post(f"/table/{match_id}/move", data=form_of(ann, match_id))
    after = bob.get(f"/table/{match_id}", headers=HX)
    assert after.text != before.text and after.headers["ETag"] != before.headers["ETag"]


def test_a_move_in_another_process_is_noticed_too(three, make_app):
    match_id, ann, (bob, _) = three
    before = bob.get(f"/table/{match_id}", headers=HX)
    elsewhere = make_app().test_client()
    elsewhere.set_cookie("session", ann.get_cookie("session").value)
    assert elsewhere.post(f"/table/{match_id}/move", data=form_of(ann, match_id)).status_code == 303
    # A note may take a while, if another server has sent it.
    soon(lambda: bob.get(f"/table/{match_id}", headers=HX).text != before.text)


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_a_process_that_is_forked_from_the_same_one_knows_a_commit_at_once(app):
    versions = app.extensions["versions"]
    soon(lambda: versions.now() is not None)
    before = versions.now()
    in_forked_child(lambda: versions.committed("f" * 16))
    assert versions.now() != before


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_a_commit_counts_once_though_its_note_comes_later(app):
    versions = app.extensions["versions"]
    soon(lambda: versions.now() is not None)
    versions.committed("a" * 16)
    versions._heard("a" * 16)
    assert versions.now() == b"a" * 16
    versions.committed("b" * 16)
    versions._heard("a" * 16)  # Late: what was cached in its time must not come back.
    assert versions.now() not in (b"a" * 16, b"b" * 16)


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_while_postgres_cannot_be_heard_nothing_is_cached_and_later_all_is_read_anew(
    three, app, asked, postgres
):
    match_id, ann, _ = three
    versions, address = app.extensions["versions"], f"/table/{match_id}"
    ann.get(address, headers=HX)
    before = versions.now()
    with postgres.connect() as other:
        listening = "application_name = 'stockpile-response-cache' and datname = 'test'"
        other.execute("alter database test allow_connections false")
        try:
            stop = f"select pg_terminate_backend(pid) from pg_stat_activity where {listening}"
            other.execute(stop.encode())
            soon(lambda: versions.now() is None)
            count = len(asked)
            assert [ann.get(address, headers=HX).status_code for _ in range(2)] == [200, 200]
            assert len(asked) == count + 2
        finally:
            other.execute("alter database test allow_connections true")
    soon(lambda: versions.now() is not None)
    assert versions.now() != before


def soon(happens):
    """Wait until something happens, in another thread."""
    deadline = time.monotonic() + 10
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_whoever_was_signed_out_elsewhere_is_shown_no_more(three, app):
    match_id, ann, _ = three
    ann.get(f"/table/{match_id}")
    assert "Sign out" in ann.get(f"/table/{match_id}").text
    with app.app_context(), writing() as tx:  # As "sign out everywhere" on another device does.
        tx.execute(delete(Device))
    assert "Sign out" not in ann.get(f"/table/{match_id}").text


def test_an_answer_grows_old(three, asked, monkeypatch):
    match_id, ann, _ = three
    ann.get(f"/table/{match_id}", headers=HX)
    monkeypatch.setattr("stockpile_web.web.response_cache.time.monotonic", lambda: 10.0**9)
    ann.get(f"/table/{match_id}", headers=HX)
    assert len(asked) == 2


@pytest.mark.parametrize("headers", [{}, HX], ids=["page", "fragment"])
def test_an_answer_does_not_depend_on_what_the_cache_leaves_out(three, app, headers, monkeypatch):
    match_id, ann, _ = three
    monkeypatch.setattr(response_cache, "LONGEST_KEY", 0)  # No answer comes from the cache.
    address = f"/table/{match_id}"
    ann.get(address)  # A page said for the first time may say more.
    usual = ann.get(address, headers=headers)
    one_by_one = [{name: VALUES[count % len(VALUES)]} for count, name in enumerate(OTHERS)]
    all_at_once = [dict.fromkeys(OTHERS, value) for value in VALUES]
    for others in (*one_by_one, *all_at_once):
        answer = ann.get(address, headers={**headers, **others})
        assert (answer.status_code, plain(answer)) == (usual.status_code, plain(usual)), others
        assert dict(answer.headers) == dict(usual.headers), others


def test_the_key_holds_no_header_that_answers_do_not_depend_on():
    left_out = {f"HTTP_{name.upper().replace('-', '_')}" for name in OTHERS}
    assert not left_out.intersection(response_cache.DEPENDS_ON)


def plain(answer):
    """The body without its token, which differs from second to second."""
    return re.sub(r'"[\w.-]{80,}"', '"token"', answer.text)


def test_questions_about_tables_with_large_headers_are_not_kept(three, app, asked):
    match_id, ann, _ = three
    cache = app.extensions["response_cache"]
    for number in range(3):
        large = {**HX, "User-Agent": str(number) * 8000}
        assert ann.get(f"/table/{match_id}", headers=large).status_code == 200
    kept = cache._answers._entries
    assert len(asked) == len(kept) == 1  # What no answer depends on is not in the key.
    for number in range(3):
        query = str(number) * response_cache.LONGEST_KEY
        assert ann.get(f"/table/{match_id}?{query}", headers=HX).status_code == 200
    assert len(asked) == 4 and len(kept) == 1


def test_what_is_kept_is_bounded_in_bytes(three, app, asked, monkeypatch):
    match_id, ann, _ = three
    answers = app.extensions["response_cache"]._answers
    monkeypatch.setattr(answers, "_most", 60_000)
    for number in range(40):
        ann.get(f"/table/{match_id}?{number}", headers=HX)
    kept = [answer for answer, _ in answers._entries.values()]
    assert 0 < len(kept) < 40
    assert 0 < sum(len(answer.body) for answer in kept) < answers._bytes <= 60_000


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_database_that_cannot_tell_its_version_is_asked_for_every_page(three, app, asked):
    match_id, ann, _ = three
    versions = app.extensions["response_cache"]._versions
    with versions._lock:  # As if another thread waited for the database without end.
        assert versions.now() is None
        assert ann.get(f"/table/{match_id}", headers=HX).status_code == 200
    ann.get(f"/table/{match_id}", headers=HX)
    ann.get(f"/table/{match_id}", headers=HX)
    assert len(asked) == 2


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_after_a_failure_the_cache_waits_and_connects_anew(three, app, asked, monkeypatch):
    match_id, ann, _ = three
    versions = app.extensions["response_cache"]._versions
    monkeypatch.setattr(versions, "_read", lambda: 1 / 0)
    assert ann.get(f"/table/{match_id}", headers=HX).status_code == 200
    monkeypatch.undo()
    assert versions.now() is None
    versions._again_at = 0.0
    assert versions.now() is not None
