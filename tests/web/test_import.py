"""A match is brought in as a file: to be read, by whoever brought it, and counting for nothing."""

import json

import pytest
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.match import importing, match_file
from stockpile_web.match.rows import read_past
from stockpile_web.settings import LARGEST_BODY, LARGEST_UPLOAD
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move
from stockpile_web.storage.transactions import reading
from tests.support.people import seated
from tests.support.playing import play
from tests.support.toy.site import SLUG, add_toy


def send(client, text):
    """Send a file as a browser does."""
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="table.json"\r\n\r\n'
    body, kind = head + text + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"
    return client.post("/import", data=body, content_type=kind)


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_a_file_becomes_a_match_to_read(app, sign_up, monkeypatch, slug):
    add_toy(app, monkeypatch)
    match_id, (ann, _) = seated(app, sign_up, 2, game=slug, name="Friday")
    turn = 0 if slug == SLUG else 2  # The toy can be over as soon as that.
    running = ann.get(f"/table/{match_id}/export.json").data
    play(app, match_id)
    text = ann.get(f"/table/{match_id}/export.json").data
    carol, stranger = app.test_client(), app.test_client()
    sign_up(carol, "carol")
    assert "Nothing yet." in carol.get("/import").text
    padded = text + b" " * LARGEST_BODY  # More than any other page takes.
    answer = send(carol, padded)
    assert answer.status_code == 303, answer.text
    new = int(answer.location.rsplit("/", 1)[1])
    assert send(carol, padded).location == answer.location  # Once is enough.

    with app.app_context():
        here, there = (db.session.get_one(Match, number) for number in (match_id, new))
        assert (there.practice, there.listed) == (True, False)
        same = ("version", "state", "seed", "top_score", "margin", "options", "ended_at", "name")
        for name in same:
            assert getattr(here, name) == getattr(there, name), name
        for name in ("name", "place", "score"):
            assert [getattr(s, name) for s in here.seats] == [getattr(s, name) for s in there.seats]
        assert {seat.user_id for seat in there.seats} == {None}
        moves = [
            db.session.execute(
                select(Move.number, Move.seat, Move.made_by, Move.move, Move.events, Move.made_at)
                .where(Move.match_id == number)
                .order_by(Move.number)
            ).all()
            for number in (match_id, new)
        ]
        assert moves[0] == moves[1]
        frames = [read_past(reading(), number, 0, here.version) for number in (match_id, new)]
        assert frames[0] == frames[1]

    page = carol.get(f"/table/{new}").text
    assert "imported from a file" in page and "Play again" not in page
    assert carol.get(f"/table/{new}/export.json").data == padded
    assert "Everything is as it should be" in carol.get(f"/table/{new}/check").text
    assert carol.get(f"/table/{new}/log").status_code == 200
    shown = carol.get(f"/table/{new}/turn/{turn}")
    assert shown.status_code == 200 and "Jump to a round" in shown.text
    assert f"/table/{new}" in carol.get("/import").text
    for other in (ann, stranger):
        for part in ("", "/log", "/turn/2", "/export.json", "/check"):
            assert other.get(f"/table/{new}{part}").status_code == 404
    played_on = carol.post(f"/table/{new}/turn/{turn}/play-on", data={"seat": "0"}).location
    assert f"/table/{new}/turn/{turn}" in carol.get(played_on).text

    assert "was not over" in send(carol, running).text
    with app.app_context():
        assert len(db.session.scalars(select(Match)).all()) == 3


def test_what_cannot_be_brought_in_is_told_why(app, sign_up, monkeypatch):
    match_id, (ann, bob) = seated(app, sign_up, 2, game="stonks")
    play(app, match_id)
    honest = ann.get(f"/table/{match_id}/export.json").data

    def said(text):
        answer = send(ann, text)
        assert answer.status_code == 422
        return answer.text

    def changed(change):
        file = json.loads(honest)
        change(file)
        return said(json.dumps(file).encode())

    assert app.test_client().get("/import").status_code == 302
    assert "Choose a file first" in ann.post("/import", data={}).text
    assert "not JSON" in said(b"PK\x03\x04")
    assert "too large" in said(b" " * (match_file.LARGEST + 1))
    assert send(ann, b" " * LARGEST_UPLOAD).status_code == 413
    assert "found honest" in changed(lambda file: file["result"]["places"].reverse())
    names = "names in this file"
    assert names in changed(lambda file: file["seats"][0].update(name="\u202eann"))
    assert names in changed(lambda file: file["seats"][0].update(name="a" * 21))
    assert names in changed(lambda file: file["match"].update(name="http://x.example"))
    assert "dates" in changed(lambda file: file["match"].update(ended_at="0001-01-01T00:00:00Z"))
    monkeypatch.setattr(importing, "MOST_MOVES", 3)
    assert "too long" in said(honest)
    monkeypatch.undo()
    monkeypatch.setattr(importing, "MOST_FILES", 1)
    assert send(ann, honest).status_code == 303
    assert "all there is room for" in said(honest + b" ")
    assert send(bob, honest).status_code == 303
    monkeypatch.setattr(GAMES["stonks"], "VERSION", 99)
    assert "this server has 99" in said(honest + b"  ")
