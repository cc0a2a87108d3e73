"""The page with the story of a match: who may read what, and what it says."""

import re
from random import Random

import pytest
from flask import Flask

from stockpile_web.engine import Event, Viewer, codec
from stockpile_web.games import GAMES
from stockpile_web.match.bots import choose
from stockpile_web.match.turn import changing
from stockpile_web.storage import snapshots
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move, Seat
from stockpile_web.storage.transactions import writing
from stockpile_web.web import board_cache
from tests.support.people import close, fix_the_deal, seated
from tests.support.telling import unknown_to
from tests.support.toy.site import SLUG, add_toy
from tests.support.worlds import worlds_of

CSRF = re.compile(r'(name="csrf_token" value=|X-CSRFToken": )"[^"]*"')
NO_LIMIT = 5_000


def play(app: Flask, match_id: int, moves: int = NO_LIMIT) -> None:
    """Let the plainest bot make the moves of all, so many or to the end."""
    with app.app_context(), changing(match_id) as turn:
        bot, rng = next(iter(turn.game.BOTS.values())), Random(1)
        for _ in range(moves):
            if turn.game.result(turn.state):
                return
            seat = next(seat.number for seat in turn.seats if turn.legal(seat.number))
            *steps, move = choose(turn.game, bot, turn.state, seat, turn.legal(seat), rng)
            turn.play(seat, move, steps=steps)


def past_of(app: Flask, match_id: int) -> list[tuple[str, str]]:
    """Return the state after each move of a match, and its events."""
    with app.app_context():
        rows = db.session.query(Move).filter(Move.match_id == match_id).order_by(Move.number).all()
        states = snapshots.unpack((row.number, row.frame) for row in rows)
        return [(state, row.events) for state, row in zip(states, rows, strict=True)]


def rewrite(app: Flask, match_id: int, past: list[tuple[str, str]]) -> None:
    """Make `past` all that was recorded of a match."""
    board_cache.clear()
    with app.app_context(), writing() as session:
        before = ""
        for number, (state, events) in enumerate(past):
            row = session.get_one(Move, (match_id, number))
            row.frame, row.events = snapshots.pack(number, state, before), events
            before = state
        session.get_one(Match, match_id).state = before


def another(slug: str, past: list[tuple[str, str]], viewer: Viewer) -> list[tuple[str, str]]:
    """Return the past of a world in which all is different that `viewer` cannot know."""
    game, random = GAMES[slug], Random(1)
    changed = []
    for state, events in past:
        world = worlds_of(slug).another_world(codec.load(game.State, state), viewer, random)
        told = [unknown_to(viewer, event) for event in codec.load(list[Event], events)]
        changed.append((codec.dump(world), codec.dump(told)))
    return changed


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_what_a_reader_may_not_know_changes_no_byte_of_the_story(app, sign_up, monkeypatch, slug):
    add_toy(app, monkeypatch)
    fix_the_deal(monkeypatch)
    game = GAMES[slug]
    match_id, players = seated(app, sign_up, game.SEATS[1], game=slug)
    page = f"/table/{match_id}/story"
    assert "nothing to tell yet" in app.test_client().get(page).text
    play(app, match_id, 3 if slug == SLUG else 45)
    with app.app_context():
        rows = db.session.query(Seat).filter(Seat.match_id == match_id)
        mine = next(row.number for row in rows if row.name == "ann")
    past = past_of(app, match_id)
    for client, viewer in ((app.test_client(), None), (players[0], mine)):
        rewrite(app, match_id, past)
        here = client.get(page)
        rewrite(app, match_id, another(slug, past, viewer))
        there = client.get(page)
        assert here.status_code == there.status_code == 200
        assert "still going on" in here.text and "<table" in here.text
        assert CSRF.sub("", here.text).splitlines() == CSRF.sub("", there.text).splitlines()


def test_once_a_match_is_over_all_read_everything(app, sign_up, client, monkeypatch):
    fix_the_deal(monkeypatch)
    match_id, (ann, _) = seated(app, sign_up, 2)
    page = f"/table/{match_id}/story"
    play(app, match_id, 60)
    running = client.get(page).text
    assert "Net worth" not in running and "; face-down" not in running
    assert "Net worth" in ann.get(page).text  # Her own.
    play(app, match_id)
    board_cache.clear()
    over = client.get(page)
    assert "Net worth" in over.text and "; face-down" in over.text
    assert 'id="score"' in over.text
    main = over.text[over.text.index("<main") :]
    assert main == (whole := ann.get(page).text)[whole.index("<main") :]
    links = {int(number) for number in re.findall(rf"/table/{match_id}/turn/(\d+)", over.text)}
    assert len(links) > 10
    assert client.get(f"/table/{match_id}/turn/{max(links)}").status_code == 200
    for address in (f"/table/{match_id}", f"/table/{match_id}/log"):
        assert f'href="{page}"' in client.get(address).text
    assert f'href="{page}"' in ann.get("/tables").text


def test_the_story_is_for_those_who_may_see_the_match(app, sign_up, client):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    with app.app_context(), writing() as session:
        session.get_one(Match, match_id).listed = False
    page = f"/table/{match_id}/story"
    assert client.get(page).status_code == 404
    assert ann.get(page).status_code == 200
    assert client.get("/table/999/story").status_code == 404
    close(match_id, ann, bob)
    assert "closed before the end" in ann.get(page).text
