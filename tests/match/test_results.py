"""How a match ended is noted beside it and in the archive: lists do not run the rules."""

from random import Random

from flask import Flask
from sqlalchemy import select, update

from stockpile_web.engine import Result, Score
from stockpile_web.games import GAMES
from stockpile_web.match import results
from stockpile_web.match.rows import SeatRow, read_match
from stockpile_web.match.rules_versions import load_state
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Archived, Match, Reckoning, Seat
from stockpile_web.storage.models.archive import EVERYBODY, list_of
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.worker.reckoning import reckon_next
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated


def test_places_and_scores_are_noted_when_a_match_is_over(app: Flask, sign_up) -> None:
    match_id, players = seated(app, sign_up, 2)
    chooser = Random(4)
    while waiting := on_turn(app, match_id, players):
        with app.app_context():
            match = db.session.get_one(Match, match_id)
            assert {seat.place for seat in match.seats} == {None}
            assert db.session.query(Archived).count() == 0
        make_any_move(chooser.choice(waiting), match_id, chooser)
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        game = GAMES[match.game]
        result = game.result(load_state(game, match.state, match.rules_version))
        assert result is not None
        totals = [score.total for score in result.scores]
        assert [seat.place for seat in match.seats] == result.places
        assert [seat.score for seat in match.seats] == totals
        noted = (max(totals), abs(totals[0] - totals[1]))
        assert (match.top_score, match.margin) == noted
    # As it was before results were noted: the worker reads it from the state.
    with app.app_context(), writing() as tx:
        tx.execute(update(Seat).values(place=None, score=None))
        tx.execute(update(Match).values(top_score=None, margin=None))
        tx.execute(update(Archived).values(top_score=None, closeness=None))
        tx.execute(update(Reckoning).values(due_at=now()))
    assert reckon_next(app)
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        assert [seat.place for seat in match.seats] == result.places
        assert (match.top_score, match.margin) == noted
        kept = db.session.get_one(Archived, (EVERYBODY, match_id))
        assert (kept.top_score, -(kept.closeness or 0)) == noted
        lists = db.session.scalars(select(Archived.whose).filter_by(match_id=match_id)).all()
        assert {list_of(seat.user_id) for seat in match.seats if seat.user_id} <= set(lists)


def test_a_shared_win_is_no_lead(app: Flask, sign_up) -> None:
    match_id, _ = seated(app, sign_up, 2)
    with app.app_context():
        match = read_match(reading(), match_id)
    assert match is not None
    seats = [SeatRow(number, number) for number in range(3)]
    results.note(match, seats, Result([1, 3, 1], [Score(9, []), Score(7, []), Score(9, [])]))
    assert (match.top_score, match.margin) == (9, 0)
    assert [(seat.place, seat.score) for seat in seats] == [(1, 9), (3, 7), (1, 9)]
