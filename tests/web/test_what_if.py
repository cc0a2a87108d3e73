"""What if: any turn of a finished match can be played on at a practice table, as anybody."""

import pytest
from sqlalchemy import func, select

from stockpile_web.games import GAMES
from stockpile_web.match.rows import read_past
from stockpile_web.match.what_if import MOST_TABLES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.storage.models.matches import OVER, PLAYING
from stockpile_web.storage.transactions import reading
from tests.support.people import seated
from tests.support.playing import play
from tests.support.toy.site import SLUG, add_toy


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_a_turn_is_played_on_among_bots_as_any_seat(app, sign_up, monkeypatch, slug):
    add_toy(app, monkeypatch)
    match_id, (ann, bob) = seated(app, sign_up, 2, game=slug, name="Friday")
    address = f"/table/{match_id}"
    form = {"seat": "1"}
    refused = ann.post(f"{address}/turn/0/play-on", data=form, follow_redirects=True)
    assert "This match is not over yet" in refused.text
    assert "What if?" not in ann.get(f"{address}/turn/0").text
    play(app, match_id)
    with app.app_context():
        last = db.session.get_one(Match, match_id).version - 1
    number = min(2, last - 1)  # The toy can be over as soon as that.
    stranger, carol = app.test_client(), app.test_client()
    sign_up(carol, "carol")
    assert "Play on from here" in carol.get(f"{address}/turn/{number}").text
    assert "Sign in</a> to play on" in stranger.get(f"{address}/turn/{number}").text

    answer = carol.post(f"{address}/turn/{number}/play-on", data=form)
    assert answer.status_code == 303
    new = int(answer.location.rsplit("/", 1)[1])
    assert new != match_id
    with app.app_context():
        match = db.session.get_one(Match, new)
        assert (match.practice, match.listed) == (True, False)
        assert match.status == PLAYING or slug == SLUG  # There bots may have ended it at once.
        assert [seat.name for seat in match.seats] == ["Abacus", "carol"]
        began = read_past(reading(), new, 0, 0)[0]
        assert began == read_past(reading(), match_id, number, number)[number]
        assert match.seed != db.session.get_one(Match, match_id).seed
    page = carol.get(f"/table/{new}").text
    assert "Practice: this table counts for nothing." in page
    assert f'href="{address}/turn/{number}">move {number} of' in page
    assert f"Played on from move {number} of" in carol.get(f"/table/{new}/log").text
    for other in (ann, stranger):
        assert other.get(f"/table/{new}").status_code == 404
        assert f"/table/{new}" not in other.get("/tables/listed").text
    assert "practice</span>" in carol.get("/tables").text

    # It goes on like any other, to its end, and can be saved but not checked.
    play(app, new)
    with app.app_context():
        assert db.session.get_one(Match, new).status == OVER
    file = carol.get(f"/table/{new}/export.json").json
    assert file["match"]["is_practice"]
    assert "check that one" in carol.get(f"/table/{new}/check").text
    end = carol.post(f"{address}/turn/{last}/play-on", data=form, follow_redirects=True)
    assert "Here the match is over" in end.text
    assert "What if?" not in carol.get(f"{address}/turn/{last}").text


def test_what_cannot_be_played_on_is_refused_kindly(app, sign_up, monkeypatch):
    match_id, (ann, bob) = seated(app, sign_up, 2, game="stonks")
    play(app, match_id)
    address = f"/table/{match_id}/turn"
    assert app.test_client().post(f"{address}/3/play-on", data={"seat": "0"}).status_code == 302
    for seat in ("2", "-1", "x"):
        assert ann.post(f"{address}/3/play-on", data={"seat": seat}).status_code == 422
    for _ in range(MOST_TABLES):
        assert "/turn/" not in ann.post(f"{address}/3/play-on", data={"seat": "0"}).location
    more = ann.post(f"{address}/3/play-on", data={"seat": "0"}, follow_redirects=True)
    assert f"You have {MOST_TABLES} practice tables already" in more.text
    with app.app_context():
        assert db.session.scalar(select(func.count(Match.id))) == 1 + MOST_TABLES
    # Others are not kept from it; but rules that this server does not have are.
    monkeypatch.setattr(GAMES["stonks"], "VERSION", 99)
    answer = bob.post(f"{address}/3/play-on", data={"seat": "0"})
    assert answer.status_code == 409 and "rules" in answer.text
