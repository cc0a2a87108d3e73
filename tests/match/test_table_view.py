"""The log of a table as it is kept: it never differs from the one that is read anew."""

from contextlib import contextmanager
from random import Random

import pytest
from sqlalchemy import select, update

from stockpile_web.match import table_view, turn
from stockpile_web.match.glance import glance
from stockpile_web.match.table_view import LOG_MOVES, happened, open_table
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.web import board_cache
from tests.support.people import HX, seated
from tests.web.test_table import form_of, three

__all__ = ["three"]


@pytest.fixture
def match_id(app, sign_up):
    number, _ = seated(app, sign_up, 3)
    with app.app_context(), db.session() as session:
        session.execute(update(Match).values(listed=True))
        session.commit()
    return number


def move_on(match_id, chooser):
    """Make one move of whoever is asked."""
    with changing(match_id) as turn:
        seat = chooser.choice([seat for seat in range(3) if turn.legal(seat)])
        turn.play(seat, chooser.choice(turn.legal(seat)))


def looks(match_id):
    """Let everybody look: yield who, what they are shown, and what is there to be known."""
    users = [*reading().scalars(select(Seat.user_id).order_by(Seat.number)), None]
    for user in users:
        seen = glance(reading(), match_id, user)
        assert seen is not None
        last = seen.seat.last_move if seen.seat else seen.match.version
        after = min(last - 1, seen.match.version - LOG_MOVES)
        yield user, open_table(reading(), seen), happened(reading(), seen, after), last


def test_what_is_kept_and_what_is_new_is_the_whole(app, match_id):
    chooser, compared = Random(5), 0
    with app.app_context():
        for _ in range(80):
            for _ in range(chooser.randint(1, 4)):
                if reading().scalar(select(Match.status)) == "playing":
                    move_on(match_id, chooser)
            for user, table, known, last in looks(match_id):
                if chooser.random() < 0.7:  # Some do not look for a while.
                    assert [(move.number, move.facts) for move in table.log] == [
                        (move.number, move.facts) for move in known
                    ], user
                    news = [facts for move in known if move.number >= last for facts in move.facts]
                    assert table.since == news, user
                    compared += bool(news)
            reading().rollback()
    assert compared > 50


def test_only_moves_that_were_not_known_are_read(app, match_id, monkeypatch):
    asked = []

    def listen(connection, seen, after, version=None):
        asked.append(after)
        return happened(connection, seen, after, version)

    with app.app_context():
        seen = glance(reading(), match_id, None)
        assert seen is not None
        open_table(reading(), seen)
        monkeypatch.setattr(table_view, "happened", listen)
        open_table(reading(), seen)
        move_on(match_id, Random(1))
        later = glance(reading(), match_id, None)
        assert later is not None
        open_table(reading(), later)
    assert asked == [seen.match.version - 1]


def test_a_move_that_was_never_committed_is_in_no_log(app, three, monkeypatch):
    match_id, ann, _ = three
    forms = [form_of(ann, match_id, seed) for seed in range(20)]
    lost = forms[0]
    kept = next(form for form in forms if form != lost)

    @contextmanager
    def on_a_full_disk():
        with transaction() as tx:
            yield tx
            raise OSError("no space left")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="no space"):
        patch.setattr(turn, "transaction", on_a_full_disk)
        ann.post(f"/table/{match_id}/move", data=lost, headers=HX)
    answer = ann.post(f"/table/{match_id}/move", data=kept, headers=HX)
    board_cache.clear()
    assert answer.status_code == 200
    assert answer.text == ann.get(f"/table/{match_id}", headers=HX).text
