"""Two worlds that differ only in what a viewer cannot know give that viewer the same bytes."""

import re
from random import Random

import pytest
from flask.testing import FlaskClient

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.web import board_cache, watching
from tests.support.clicking import make_any_move
from tests.support.option_sets import large
from tests.support.people import on_turn, seated
from tests.support.stored import put
from tests.support.watching import brought
from tests.support.worlds import worlds_of

CSRF = re.compile(r'(name="csrf_token" value=|X-CSRFToken": )"[^"]*"')


def everything_sent(client: FlaskClient, match_id: int, number: int) -> list[str]:
    """Return all that a browser gets to see of a match: bodies and headers."""
    board_cache.clear()
    sent = []
    table = f"/table/{match_id}"
    turn = f"{table}/turn/{number}"
    turns = (turn, f"{turn}?as=public", f"{turn}?as=all")
    others = (f"{table}/replay", f"{table}/story", "/tables/listed", "/people")
    for address in (table, *turns, *others):
        for headers in ({}, {"HX-Request": "true"}):
            answer = client.get(address, headers=headers)
            assert answer.status_code == (403 if "as=all" in address else 200)
            kept = [line for line in str(answer.headers).splitlines() if "Set-Cookie" not in line]
            sent += [CSRF.sub("", answer.text), "\n".join(kept)]
    board_cache.clear()
    return [*sent, brought(client.application, client, match_id)]


def tables():
    """Yield each game with the fewest and the most players, and once with all options."""
    for slug, game in GAMES.items():
        yield slug, game.SEATS[0], []
        yield slug, game.SEATS[-1], []
        yield slug, game.SEATS[1], sorted(large(game)[0])


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("every", [30, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize(("slug", "seats", "options"), list(tables()))
def test_what_a_viewer_cannot_know_changes_no_byte_they_are_sent(
    app, sign_up, slug, seats, options, every, monkeypatch
):
    monkeypatch.setattr(watching, "MOST_BYTES", 100_000)
    match_id, players = seated(app, sign_up, seats, game=slug, options=options)
    game, worlds, chooser = GAMES[slug], worlds_of(slug), Random(seats)
    with app.app_context():
        names = ("ann", "bob", "carol", "dave", "eve")
        seat_of = {names.index(seat.name): seat.number for seat in db.session.query(Seat).all()}
    looked = compared = 0
    # What is rendered does not hang on the database: one is looked at more often than the other.
    with app.app_context():
        most = 60 if db.engine.dialect.name == "sqlite" else 30
    for step in range(most):
        waiting = on_turn(app, match_id, players)
        if not waiting:
            break
        make_any_move(chooser.choice(waiting), match_id, chooser)
        # A match that is over has no secrets left to look for.
        if step % every or not on_turn(app, match_id, players):
            continue
        with app.app_context():
            text = db.session.get_one(Match, match_id).state
        for who, client in [*enumerate(players), (None, app.test_client())]:
            viewer = None if who is None else seat_of[who]
            state = codec.load(game.State, text)
            other = codec.dump(worlds.another_world(state, viewer, chooser))
            number = put(app, match_id, text)
            here = everything_sent(client, match_id, number)
            looked, compared = looked + 1, compared + (other != text)
            put(app, match_id, other)
            there = everything_sent(client, match_id, number)
            for one, two in zip(here, there, strict=True):
                assert one.splitlines() == two.splitlines()
        put(app, match_id, text)
    assert looked > 2 and compared > looked / 2
