"""A problem is reported at a turn, and administrators read of it without seeing more."""

from collections.abc import Callable

from flask import Flask
from sqlalchemy import update

from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Report
from stockpile_web.storage.transactions import writing
from stockpile_web.web import http_cache
from stockpile_web.web.reports import LONGEST_NOTE, REPORTS
from tests.support.known import FIRST
from tests.support.people import seated


def test_a_problem_is_reported_read_and_done_and_opens_nothing(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    admin, stranger, other = app.test_client(), app.test_client(), app.test_client()
    sign_up(admin, "zoe")  # Whoever comes first is the administrator.
    match_id, (ann, bob) = seated(app, sign_up, 2)
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).values(listed=False))
    sign_up(other, "mallory")
    turn = f"/table/{match_id}/turn/0"
    for page in (ann.get(f"/table/{match_id}").text, ann.get(turn).text):
        assert f'href="{turn}/report"' in page

    assert stranger.get(f"{turn}/report").status_code == 302  # To sign in.
    assert other.post(f"{turn}/report", data={"note": "Let me in"}).status_code == 404
    assert ann.post(f"/table/{match_id}/turn/99/report", data={"note": "x"}).status_code == 404
    assert "What is wrong?" in ann.get(f"{turn}/report").text
    for note, words in ((" ", "Please say what is wrong."), ("x" * 2001, "at most 2000")):
        refused = ann.post(f"{turn}/report", data={"note": note})
        assert refused.status_code == 422
        assert words in refused.text and note.strip() in refused.text

    sent = bob.post(f"{turn}/report", data={"note": "Two <b>cards</b> are missing"})
    assert (sent.status_code, sent.location) == (303, turn)
    assert "Thank you" in bob.get(turn).text
    with app.app_context():
        kept = db.session.query(Report).one()
        seat = kept.seat
        assert (kept.match_id, kept.number, kept.note) == (
            match_id, 0, "Two <b>cards</b> are missing",
        )  # fmt: skip
        assert (kept.rules_version, kept.build) == (GAMES[FIRST].VERSION, http_cache.build())
    assert seat in (0, 1)

    page = admin.get("/admin/reports").text
    for words in ("Two &lt;b&gt;cards&lt;/b&gt;", f'href="{turn}"', "bob", f"seat {seat + 1}"):
        assert words in page
    assert admin.get(turn).status_code == 404  # The table is not listed, and stays so.
    for client in (ann, stranger):
        assert client.get("/admin/reports").status_code == 404
        assert client.post("/admin/reports/1/done").status_code == 404
    number = page.partition('id="report-')[2].partition('"')[0]
    assert admin.post(f"/admin/reports/{number}/done").status_code == 303
    assert "There are none" in admin.get("/admin/reports").text


def test_reports_are_limited_and_what_was_typed_stays(
    app: Flask, sign_up: Callable[..., int], steady_minute: None
) -> None:
    match_id, (ann, _) = seated(app, sign_up, 2)
    page = f"/table/{match_id}/turn/0/report"
    for _ in range(REPORTS.most):
        assert ann.post(page, data={"note": "Again"}).status_code == 303
    refused = ann.post(page, data={"note": "z" * LONGEST_NOTE})
    assert refused.status_code == 429
    assert "please wait" in refused.text and "z" * LONGEST_NOTE in refused.text
