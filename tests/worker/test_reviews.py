"""Reviews are made slice by slice, by one worker at a time, and none is tried for ever."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from stockpile_web.engine import codec
from stockpile_web.match import review, review_queue
from stockpile_web.match.review import Findings
from stockpile_web.match.rows import read_match
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Match, Review
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.worker import reviews
from stockpile_web.worker.duties import DUTIES
from stockpile_web.worker.watch import seconds_until_due
from tests.support.people import seated
from tests.support.playing import play


@pytest.fixture
def match_id(app, sign_up, monkeypatch):
    """A match that is over, of which the first seat is to be reviewed."""
    found, _ = seated(app, sign_up, 2)
    play(app, found)
    ask(app, found)
    monkeypatch.setattr(reviews, "SLICE", 0)
    return found


def ask(app, match_id, seat=0):
    """Ask for a review."""
    with app.app_context():
        match = read_match(reading(), match_id)
        assert match is not None
        review_queue.ask(match, seat)


def row(app, match_id):
    """Return how far the review of the first seat is."""
    with app.app_context():
        return reading().execute(select(*Review.__table__.c).filter_by(match_id=match_id)).first()


def test_a_review_survives_its_worker_and_is_the_same_in_slices_and_at_once(
    app, match_id, monkeypatch
):
    duty = [each for each in DUTIES if each.name == "reviews"]
    assert seconds_until_due(app, duty) == [0.0]
    assert reviews.look_on(app)
    first = row(app, match_id)
    assert (first.judged, first.done_at, first.tries) == (1, None, 0)
    assert first.total > 1

    with monkeypatch.context() as dying:

        def killed(*_):
            raise SystemExit

        dying.setattr(review, "judge", killed)
        with pytest.raises(SystemExit):
            reviews.look_on(app)
    assert not reviews.look_on(app)  # Its lease runs on.
    with app.app_context(), writing() as tx:
        tx.get_one(Review, (match_id, 0)).due_at = now()
    with ThreadPoolExecutor(2) as workers:
        done = [*workers.map(lambda _: reviews.look_on(app), range(2))]
    assert any(done)
    while reviews.look_on(app):
        pass
    sliced = row(app, match_id)
    assert sliced.done_at and sliced.due_at is None
    assert sliced.judged == sliced.total
    assert seconds_until_due(app, duty) != [0.0]

    ask(app, match_id)  # It is kept.
    assert row(app, match_id) == sliced
    monkeypatch.setattr(reviews, "SLICE", 1000)
    monkeypatch.setattr(review, "VERSION", review.VERSION + 1)
    ask(app, match_id)
    assert reviews.look_on(app)
    whole = row(app, match_id)
    assert whole.done_at and whole.found == sliced.found
    found = codec.load(Findings, whole.found)
    assert found.decided and len(whole.found) < 100_000


def test_what_cannot_be_reviewed_is_given_up_and_can_be_asked_for_again(app, match_id, monkeypatch):
    with monkeypatch.context() as broken:

        def fails(*_):
            raise ValueError

        broken.setattr(review, "judge", fails)
        assert reviews.look_on(app)
        assert not reviews.look_on(app)
    assert (row(app, match_id).due_at, row(app, match_id).done_at) == (None, None)
    ask(app, match_id)
    # Nor what ends its worker again and again.
    with app.app_context(), writing() as tx:
        tx.get_one(Review, (match_id, 0)).tries = reviews.MOST_TRIES
    assert not reviews.look_on(app)
    assert row(app, match_id).due_at is None

    ask(app, match_id)
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).status = "playing"
    assert reviews.look_on(app)  # It is played on: nothing may be said now.
    assert row(app, match_id) is None
