"""The coach at practice tables: it ranks what can be done, and never where others play."""

import re
from html import unescape
from random import Random

import pytest

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, User
from stockpile_web.web import board_cache
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated
from tests.support.playing import play
from tests.support.stored import put
from tests.support.toy.site import SLUG, add_toy
from tests.support.worlds import worlds_of

ASKS = "What would a steady player do?"
STEP = re.compile(r'href="/table/\d+\?(moves_made=[^"#]*step=[^"#]*)')
HELP = ("coach", "odds", "back")
FRAGMENT = {"HX-Request": "true"}
CSRF = re.compile(r'(name="csrf_token" value=|X-CSRFToken": )"[^"]*"')


def practice(app, sign_up, slug):
    """Play a match and begin it anew at a practice table: its number, its player, and another."""
    match_id, (ann, bob) = seated(app, sign_up, 2, game=slug)
    refused = ann.get(f"/table/{match_id}/coach")
    assert refused.status_code == 403 and "The coach speaks at practice tables only" in refused.text
    assert ASKS not in ann.get(f"/table/{match_id}").text
    play(app, match_id)
    answer = ann.post(f"/table/{match_id}/turn/0/play-on", data={"seat": "0"})
    return int(answer.location.rsplit("/", 1)[1]), ann, bob


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_the_coach_advises_at_a_practice_table_alone_and_by_what_the_seat_sees(
    app, sign_up, monkeypatch, slug
):
    add_toy(app, monkeypatch)
    match_id, ann, bob = practice(app, sign_up, slug)
    address, chooser, compared, steps = f"/table/{match_id}/coach", Random(1), 0, 0
    for step in range(20):
        if not on_turn(app, match_id, [ann]):
            break
        if step:
            make_any_move(ann, match_id, chooser)
        with app.app_context():
            text = db.session.get_one(Match, match_id).state
        if not on_turn(app, match_id, [ann]) or step % 4:
            continue
        here = sent(app, ann, match_id)
        if way := STEP.search(ann.get(f"/table/{match_id}").text):
            begun = ann.get(f"{address}?{unescape(way[1])}").text
            assert 'id="coach-h"' in begun and "step=" in begun and begun != here[0]
            steps += 1
        assert 'id="coach-h"' in here[0] and "Back to the table" in here[0]
        state = codec.load(GAMES[slug].State, text)
        other = codec.dump(worlds_of(slug).another_world(state, 0, chooser))
        compared += other != text
        put(app, match_id, other)
        assert sent(app, ann, match_id) == here
        put(app, match_id, text)
    assert compared and (steps or slug != SLUG)

    for stranger in (bob, app.test_client()):
        for what in HELP:
            assert stranger.get(f"/table/{match_id}/{what}").status_code == 404
    # As soon as somebody else belongs to the table, it is silent, whoever plays that seat now.
    with app.app_context():
        bobs = db.session.query(User).filter_by(name="bob").one().id
        with changing(match_id) as turn:
            turn.seats[1].user_id = bobs
    for what in HELP:
        assert ann.get(f"/table/{match_id}/{what}").status_code == 403
    assert ASKS not in ann.get(f"/table/{match_id}").text


def sent(app, client, match_id):
    """Return all help as pages and fragments with their headers; the table has a button for it."""
    board_cache.clear()
    answers = [
        client.get(f"/table/{match_id}/{what}", headers=head)
        for what in HELP
        for head in ({}, FRAGMENT)
    ]
    table = client.get(f"/table/{match_id}").text
    assert ASKS in table and f'hx-get="/table/{match_id}/coach"' in table
    assert f'hx-get="/table/{match_id}/odds"' in table and "<caption>" in answers[2].text
    assert {answer.status_code for answer in answers} == {200}
    assert all(answer.text.lstrip().startswith("<section") for answer in answers[1::2])
    headers = [
        line
        for answer in answers
        for line in str(answer.headers).splitlines()
        if "Set-Cookie" not in line
    ]
    return [*(CSRF.sub("", answer.text) for answer in answers), *headers]
