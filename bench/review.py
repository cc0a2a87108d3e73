"""Reviews: how long the coach takes for all seats of a match, and whether its sums can be believed.

First matches of four of each game, played by the plainest bots as if by people, and reviewed by the
worker's own duty in one process on SQLite; time is of one core. Then games of one plainest bot
against three steady ones: what it gave away as the coach says, beside by how much it was behind.
"""

import argparse
import json
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import select

from bench._seed import Person, sign_in
from stockpile_web import create_app
from stockpile_web.engine import Dealer, codec
from stockpile_web.engine.simulation import ALL, options_for
from stockpile_web.engine.steps import as_recorded
from stockpile_web.games import GAMES
from stockpile_web.match import review_queue, seating
from stockpile_web.match.bots import choose
from stockpile_web.match.judging import Judge, Made
from stockpile_web.match.review import Findings, coach_of
from stockpile_web.match.rows import Past, read_match
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Review, User
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.worker import reviews

PLAYERS = 4
TARGET = 20.0  # Seconds for all seats.


class Taken(NamedTuple):
    """What the reviews of one match took."""

    game: str
    options: str
    seconds: float
    longest_slice: float
    decisions: int
    costly: int
    kilobytes: float


class Told(NamedTuple):
    """What the plainest bot gave away in a game, on average."""

    game: str
    decisions: float
    costly: float
    given_away: float
    behind: float


def main(words: list[str]) -> None:
    """Measure, print two tables in Markdown, and a line of JSON."""
    parser = argparse.ArgumentParser(prog="./run bench review")
    parser.add_argument("--games", type=int, default=60)
    games = parser.parse_args(words).games
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        app = create_app({"STOCKPILE_INSTANCE": folder, "DATABASE_URL": url, "SECRET_KEY": "bench"})
        migrate(app)
        people = sign_in(app, PLAYERS)
        _print_row(Taken._fields)
        _print_row(["---"] * len(Taken._fields))
        taken = []
        for slug, game in GAMES.items():
            for options in ("", *([ALL] if game.OPTIONS else [])):
                taken.append(measure(app, people, slug, options))
                _print_row(taken[-1])
    worst = max(row.seconds for row in taken)
    print(f"The slowest takes {worst:.1f} s for all seats; wanted: {TARGET:.0f} s.\n")
    _print_row(Told._fields)
    _print_row(["---"] * len(Told._fields))
    told = []
    for slug in GAMES:
        told.append(compare(slug, games))
        _print_row(told[-1])
    print(json.dumps({"taken": [row._asdict() for row in taken], "told": told}))


def measure(app: Flask, people: list[Person], slug: str, options: str) -> Taken:
    """Play a match, and have all its seats reviewed."""
    match_id = _play(app, people, slug, options)
    with app.app_context():
        match = read_match(reading(), match_id)
        assert match is not None
        for seat in range(PLAYERS):
            review_queue.ask(match, seat)
    slices: list[float] = []
    begun = process_time()
    while reviews.look_on(app):
        slices.append(process_time() - begun - sum(slices))
    with app.app_context():
        texts = reading().scalars(select(Review.found).where(Review.match_id == match_id)).all()
    found = [codec.load(Findings, text) for text in texts]
    return Taken(
        slug,
        options,
        round(sum(slices), 2),
        round(max(slices), 2),
        sum(each.decided for each in found),
        sum(len(each.costly) for each in found),
        round(sum(map(len, texts)) / 1024, 1),
    )


def compare(slug: str, games: int) -> Told:
    """Let the plainest bot play, and compare what the coach says of it with how it ended."""
    total, behind = Findings(), 0.0
    for number in range(games):
        behind += _one_game(slug, f"review:{number}", number % PLAYERS, total)
    figures = (total.decided, len(total.costly), total.cost, behind)
    return Told(slug, *(round(figure / games, 1) for figure in figures))


def _one_game(slug: str, seed: str, mine: int, total: Findings) -> float:
    """Play a game, judge the decisions of one seat, and return by how much it was behind."""
    game, rng = GAMES[slug], Random(seed)
    coach, plainest = coach_of(game), next(iter(game.BOTS.values()))
    assert coach is not None
    assert coach.explain is not None
    state = game.setup(PLAYERS, options_for(game, "", PLAYERS, seed), Dealer(seed, 0))
    past, made = [Past(codec.dump(state), game.VERSION)], list[Made]()
    while (result := game.result(state)) is None:
        seat, moves = next((s, m) for s in range(PLAYERS) if (m := game.legal(state, s)))
        turn = choose(game, plainest if seat == mine else coach, state, seat, moves, rng)
        if seat == mine:
            made.append(Made(len(past), codec.dump(as_recorded(turn))))
        for move in turn:
            game.play(state, seat, move, Dealer(seed, len(past)))
        past.append(Past(codec.dump(state), game.VERSION))
    judge = Judge(game, coach.explain, mine)
    for place, move in enumerate(made):
        following = [past[each.number - 1] for each in made[place + 1 : place + 2]]
        before, after = past[move.number - 1], past[move.number]
        total.note(judge.decision(move, before, after, *following), coach.clearly)
    scores = [score.total for score in result.scores]
    own = scores.pop(mine)
    return sum(scores) / len(scores) - own


def _play(app: Flask, people: list[Person], slug: str, options: str) -> int:
    game, rng = GAMES[slug], Random(slug)
    plainest = next(iter(game.BOTS.values()))
    with app.app_context():
        host, *others = (db.session.get_one(User, person.user_id) for person in people)
        with transaction() as connection:
            chosen = options_for(game, options, PLAYERS, slug)
            match_id = seating.create(
                connection, host, slug, PLAYERS, chosen, listed=True, pace="none", open_chat=False
            )
        for other in others:
            with changing(match_id) as turn:
                seating.join(turn, other)
        with changing(match_id) as turn:
            while waiting := [each.number for each in turn.seats if turn.legal(each.number)]:
                seat = waiting[0]
                *steps, move = choose(game, plainest, turn.state, seat, turn.legal(seat), rng)
                turn.play(seat, move, steps=steps)
    return match_id


def _print_row(cells: Any) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
