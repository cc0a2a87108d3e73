"""Matches that are over are reckoned once each, in the order in which they ended."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from flask import Flask
from sqlalchemy import select, update

from stockpile_web.games import GAMES
from stockpile_web.match.ratings import Belief, after_match, newcomer
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Match, Rating, RatingChange, Reckoning
from stockpile_web.storage.transactions import writing
from stockpile_web.worker.reckoning import reckon_next
from tests.support.finished import finished, person
from tests.support.known import FIRST


def ratings(app: Flask) -> dict[int | str | None, tuple[int, float]]:
    """Return how many matches were rated, and the strength, of each person and each bot."""
    with app.app_context():
        rows = db.session.scalars(select(Rating))
        return {row.user_id or row.bot: (row.matches, row.strength) for row in rows}


def want_ratings(app: Flask, people: Iterable[int]) -> None:
    with app.app_context(), writing() as tx:
        for user_id in people:
            rating = newcomer(FIRST, user_id=user_id)
            rating.on_since = now() - timedelta(days=900)
            tx.add(rating)


def test_those_who_want_it_and_bots_are_rated_by_their_places(app: Flask) -> None:
    ann, bob, carol = (person(app, name) for name in ("ann", "bob", "carol"))
    bot = next(iter(GAMES[FIRST].BOTS))
    want_ratings(app, [ann, bob])
    # Carol wants no rating, and Bob came later; a bot that sits there twice is rated once.
    first = finished(app, [ann, carol, bot, bot])
    second = finished(app, [ann, bob, bot], substitutes=[bob])
    with app.app_context(), writing() as tx:
        tx.execute(update(Reckoning).where(Reckoning.match_id == second).values(due_at=now()))
    finished(app, [carol, bot, bot])  # A bot is no match for itself.
    for _ in range(3):
        assert reckon_next(app)
    assert not reckon_next(app)
    found = ratings(app)
    assert found[bob] == (0, Belief().strength)
    assert found[ann][0] == found[bot][0] == 2
    assert found[ann][1] > Belief().strength > found[bot][1]
    assert carol not in found
    with app.app_context():
        kept = select(RatingChange).join(Rating).where(Rating.user_id == ann)
        changes = db.session.scalars(kept.order_by(RatingChange.number)).all()
        assert [(row.number, row.match_id, row.place) for row in changes] == [
            (1, first, 1),
            (2, second, 1),
        ]
        opening = after_match([Belief()] * 3, [1, 3, 4])[0]
        assert (changes[0].strength, changes[0].doubt) == opening


def test_neither_practice_counts_nor_a_match_that_began_before_a_rating_was_wanted(
    app: Flask,
) -> None:
    ann, bob, carol = (person(app, name) for name in ("ann", "bob", "carol"))
    want_ratings(app, [ann, bob, carol])
    with app.app_context(), writing() as tx:
        tx.execute(update(Rating).where(Rating.user_id == bob).values(on_since=now()))
    finished(app, [ann, bob])
    finished(app, [ann, carol], practice=True)
    while reckon_next(app):
        pass
    assert {matches for matches, _ in ratings(app).values()} == {0}


def test_two_workers_at_once_rate_a_match_once(app: Flask) -> None:
    ann, bob = person(app, "ann"), person(app, "bob")
    want_ratings(app, [ann, bob])
    for _ in range(4):
        finished(app, [ann, bob])

    def work(_: int) -> None:
        while reckon_next(app):
            pass

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(work, range(2)))
    assert [matches for matches, _ in ratings(app).values()] == [4, 4]


def test_a_result_that_cannot_be_read_is_tried_once(app: Flask) -> None:
    ann, bob = person(app, "ann"), person(app, "bob")
    broken = finished(app, [ann, bob], state="{}", top_score=None)
    assert reckon_next(app)
    assert not reckon_next(app)
    with app.app_context():
        assert db.session.get_one(Match, broken).top_score is None
