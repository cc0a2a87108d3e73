"""Two worlds that differ only in what a viewer cannot know tell programs of theirs the same."""

from random import Random

import pytest

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.web import board_cache
from stockpile_web.web.api import limits
from stockpile_web.web.rate_limits import Limit
from tests.support.option_sets import large
from tests.support.people import NAMES, seated
from tests.support.playing import play
from tests.support.programs import program_of
from tests.support.stored import put
from tests.support.worlds import worlds_of


def everything_told(program, match_id):
    """Return all that a program gets to see of a match: bodies, headers, and what is refused."""
    board_cache.clear()
    table = f"/tables/{match_id}"
    told = program.table(match_id)
    sides = (f"{table}?as=public", f"{table}?as=all", f"{table}?as={told['my_seat']}")
    looks = [table, *sides, f"{table}/log", f"{table}/log?as=public", f"{table}/chat"]
    answers = [program.get(path) for path in (*looks, "/me/turns", "/me/tables", "/tables")]
    answers.append(program.get("/tables?status=playing"))
    answers += [look_after(program, match_id, move) for move in told["moves"][:3]]
    for made in (told["moves_made"], told["moves_made"] + 1):
        for move in ({"move": "Done"}, {"move": "Fly"}):
            if move in told["moves"]:
                continue
            answers.append(program.post(f"{table}/moves", {"moves_made": made, "move": move}))
            assert answers[-1].status_code in (403, 409, 422)
    board_cache.clear()
    return [f"{answer.status}\n{answer.headers}\n{answer.text}" for answer in answers]


def look_after(program, match_id, move):
    """Look at a table after a step; what is none is refused."""
    query = {"step": codec.dump(move)}
    address = f"/api/v1/tables/{match_id}"
    return program.client.get(address, query_string=query, headers=program.headers)


def tables():
    """Yield each game with the fewest players, and once with all options."""
    for slug, game in GAMES.items():
        yield slug, game.SEATS[0], []
        yield slug, game.SEATS[1], sorted(large(game)[0])


@pytest.mark.long_on_postgres
@pytest.mark.parametrize(("slug", "seats", "options"), list(tables()))
def test_what_a_viewer_cannot_know_changes_no_byte_their_programs_are_told(
    app, sign_up, slug, seats, options, monkeypatch
):
    monkeypatch.setattr(limits, "OF_TOKEN", Limit("as many as it takes", 10**6, 1))
    monkeypatch.setattr(limits, "OF_PERSON", limits.OF_TOKEN)
    match_id, players = seated(app, sign_up, seats, game=slug, options=options, open_chat="on")
    stranger = app.test_client()
    sign_up(stranger, "zoe")
    programs = [program_of(app, browser) for browser in (*players, stranger)]
    for program in programs:
        program.get("/me")  # When a token was used is noted once in an hour.
    with app.app_context():
        seat_of = {NAMES.index(seat.name): seat.number for seat in db.session.query(Seat).all()}
        looks = 3 if db.engine.dialect.name == "sqlite" else 1
    game, worlds, random, compared = GAMES[slug], worlds_of(slug), Random(seats), 0
    for look in range(looks):
        play(app, match_id, 9, seed=look)
        with app.app_context():
            match = db.session.get_one(Match, match_id)
            text, is_over = match.state, match.status != "playing"
        if is_over:
            break
        for who, program in enumerate(programs):
            viewer = seat_of.get(who)
            state = codec.load(game.State, text)
            other = codec.dump(worlds.another_world(state, viewer, random))
            put(app, match_id, text)
            here = everything_told(program, match_id)
            put(app, match_id, other)
            there = everything_told(program, match_id)
            for one, two in zip(here, there, strict=True):
                assert one.splitlines() == two.splitlines()
            compared += other != text
        put(app, match_id, text)
    assert compared >= looks
