"""How did I play? Asked for by a press, made by the worker, told by what the seat could know."""

import re
from random import Random

import pytest
from sqlalchemy import delete, select

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import judging, review, review_queue
from stockpile_web.match.review import Findings
from stockpile_web.match.rules_versions import load_state
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Match, Review
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import review as pages
from stockpile_web.web.rate_limits import Limit
from stockpile_web.worker import reviews
from tests.support.people import HX, seated
from tests.support.playing import play
from tests.support.toy.site import SLUG, add_toy
from tests.support.worlds import worlds_of

CSRF = re.compile(r'(name="csrf_token" value=|X-CSRFToken": )"[^"]*"')
PART = {**HX, "HX-Target": "review"}
TO_TURN = re.compile(r'href="(/table/\d+/turn/\d+\?as=\d)"')


def look(client, address):
    """Return a page without what differs from one look to the next."""
    answer = client.get(address)
    assert answer.status_code == 200
    return CSRF.sub("", answer.text)


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_a_review_is_asked_for_thought_out_and_the_same_whatever_its_seat_could_not_know(
    app, client, sign_up, monkeypatch, slug
):
    add_toy(app, monkeypatch)
    match_id, (ann, bob) = seated(app, sign_up, 2, game=slug)
    address = f"/table/{match_id}/review"
    for browser in (ann, client):
        refused = browser.get(address)
        assert refused.status_code == 403 and "nobody is told how well they play" in refused.text
    assert ann.post(address).status_code == 403
    play(app, match_id)

    assert "Look at my play" in look(ann, address)
    assert "Sign in" in look(client, address) and client.post(address).status_code == 302
    with app.app_context():
        assert reading().scalars(select(Review.match_id)).all() == []
    for browser in (ann, bob):  # Both share what is found.
        assert browser.post(f"{address}?seat=0").status_code == 303
    monkeypatch.setattr(reviews, "SLICE", 0)
    assert "About to begin" in look(ann, f"{address}?seat=0")
    assert reviews.look_on(app)
    part = ann.get(f"{address}?seat=0", headers=PART).text
    assert "1 of " in part and 'hx-trigger="every 1s"' in part and "<html" not in part
    while reviews.look_on(app):
        pass

    page = look(ann, f"{address}?seat=0")
    if slug == SLUG:  # Its coach knows no figures.
        assert "puts no figures on the decisions" in page
        return
    assert "gave away" in page and "every 1s" not in page
    assert "The three dearest" in page and "The coach would have chosen" in page
    links = TO_TURN.findall(page)
    assert len(links) > 3 and all(link.endswith("as=0") for link in links)
    assert client.get(links[0]).status_code == 200
    assert "gave away" in look(client, address)
    assert ann.get(f"{address}?seat=7").status_code == 404

    def in_another_world(game, *past):
        state = load_state(game, *past)
        return worlds_of(slug).another_world(state, 0, Random(2))

    with app.app_context(), writing() as tx:
        tx.execute(delete(Review))
    monkeypatch.setattr(judging, "load_state", in_another_world)
    ann.post(f"{address}?seat=0")
    while reviews.look_on(app):
        pass
    assert look(ann, f"{address}?seat=0") == page


def test_whatever_comes_of_a_review_is_said(app, client, sign_up):
    match_id, (ann, _) = seated(app, sign_up, 2)
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).listed = False
    address = f"/table/{match_id}/review"
    assert client.get(address).status_code == 404
    play(app, match_id)
    assert client.get(address).status_code == 404
    ann.post(f"{address}?seat=1")

    def put(found, **values):
        with app.app_context(), writing() as tx:
            row = tx.get_one(Review, (match_id, 1))
            row.found, row.due_at, row.done_at = codec.dump(found), None, now()
            for name, value in values.items():
                setattr(row, name, value)
        return look(ann, f"{address}?seat=1")

    assert "Well played: in none of 12 decisions" in put(Findings(decided=12))
    assert "decided nothing here" in put(Findings())
    assert "older rules, which the coach cannot read" in put(Findings(unread=3))
    partly = put(Findings(decided=2, unread=1, unweighed=3))
    assert "Well played" in partly and "1 move was made under older rules" in partly
    assert "On 3 more decisions the coach puts no figures" in partly
    assert "could not get through this match" in put(Findings(), done_at=None)
    ann.post(f"{address}?seat=1")
    assert "The coach is looking" in look(ann, f"{address}?seat=1")
    # What another coach or older moves have brought is not shown, and looked for anew.
    assert "Look at this play" in put(Findings(), edition="0 0 0")

    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).status = "closed"
    refused = ann.get(address)
    assert refused.status_code == 403 and "was closed before the end" in refused.text
    assert ann.post(address).status_code == 403


def test_not_everybody_can_ask_for_everything_at_once(app, sign_up, monkeypatch, steady_minute):
    match_id, (ann, _) = seated(app, sign_up, 2)
    play(app, match_id)
    address = f"/table/{match_id}/review"
    monkeypatch.setattr(review_queue, "MOST_WAITING", 1)
    ann.post(f"{address}?seat=0")
    ann.post(f"{address}?seat=1")
    assert "Many reviews are waiting" in ann.get(f"{address}?seat=1").text
    monkeypatch.setattr(review_queue, "MOST_WAITING", 2)
    ann.post(f"{address}?seat=1")
    assert "1 other review comes first" in ann.get(f"{address}?seat=1").text
    monkeypatch.setattr(pages, "LIMIT", Limit("look at how a seat played", 3, 60))
    ann.post(address)
    assert "You have asked for many reviews" in ann.get(address).text


def test_a_finished_match_leads_to_its_reviews(app, client, sign_up):
    match_id, (ann, _) = seated(app, sign_up, 2)
    address = f"/table/{match_id}"
    for page in (address, f"{address}/story", f"{address}/turn/3"):
        assert "/review" not in ann.get(page).text
    play(app, match_id)
    for page in (address, f"{address}/turn/3"):
        assert f'href="{address}/review' in ann.get(page).text
        assert "How did I play?" in ann.get(page).text
        assert "How did they play?" in client.get(page).text
    assert f'href="{address}/review">How well was it played?' in client.get(f"{address}/story").text
    assert f'href="{address}/review?seat=1"' in client.get(f"{address}/turn/3?as=1").text


def test_a_game_whose_bots_give_no_reasons_has_no_reviews(app, sign_up, monkeypatch):
    add_toy(app, monkeypatch)
    monkeypatch.setattr(review, "coach_of", lambda _game: None)
    monkeypatch.setattr(pages, "coach_of", lambda _game: None)
    match_id, (ann, _) = seated(app, sign_up, 2, game=SLUG)
    play(app, match_id)
    page = ann.get(f"/table/{match_id}/review").text
    assert "there is nobody to ask" in page and "Look at my play" not in page
    assert ann.post(f"/table/{match_id}/review").status_code == 403
