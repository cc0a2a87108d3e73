"""A match that somebody holds stops neither the clocks nor the bots of others, on Postgres."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import select, text

from stockpile_web.games import GAMES
from stockpile_web.storage.database import Busy, db, now
from stockpile_web.storage.models import Match
from stockpile_web.worker import bots, timeouts
from tests.support.clicking import make_any_move
from tests.support.hourglass import (
    asked,
    bots_are_due,
    change_seat,
    deadline_of,
    makers,
    seats,
    thinker,
)
from tests.support.known import FIRST
from tests.support.people import seated, table

pytestmark = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)

LATE, LATER = timedelta(minutes=2), timedelta(minutes=1)


@contextmanager
def locked(app, match_id) -> Iterator[None]:
    """Hold a match, as another program would."""
    with app.app_context(), db.engine.connect() as other:
        other.execute(text("BEGIN"))
        other.execute(select(Match.id).where(Match.id == match_id).with_for_update())
        yield
        other.execute(text("ROLLBACK"))


def another_table(players):
    """Let the same people sit down at a second table."""
    host, *others = players
    form = {"game": FIRST, "size": str(len(players)), "pace": "day", "listed": "on"}
    match_id = int(host.post("/tables/new", data=form).location.rsplit("/", 1)[1])
    for each in others:
        each.post(f"/table/{match_id}/seating", data={"do": "join"})
    return match_id


def test_the_clocks_of_other_matches_go_on(app, sign_up):
    held, players = seated(app, sign_up, 2)
    free = another_table(players)
    first, second = asked(app, held)[0], asked(app, free)[0]
    change_seat(app, held, first, deadline_at=now() - LATE, remind_at=now() - LATE)
    change_seat(app, free, second, deadline_at=now() - LATER, remind_at=now() - LATER)
    with locked(app, held):
        assert timeouts.remind_the_late(app)
        assert seats(app, free)[second].remind_at is None
        assert timeouts.play_for_the_late(app)
        assert "clock" in makers(app, free)
        assert not timeouts.play_for_the_late(app)
    assert deadline_of(app, held, first) < now()
    assert timeouts.play_for_the_late(app)
    assert "clock" in makers(app, held)


def test_a_bot_gives_its_thread_to_others_and_moves_later(app, sign_up, monkeypatch):
    monkeypatch.setitem(GAMES[FIRST].BOTS, "ponder", thinker())
    match_id, ann = table(app, sign_up, 2)
    ann.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": "ponder"})
    while "ann" in asked(app, match_id):
        make_any_move(ann, match_id, Random(1))
    bots_are_due(app)
    before = len(makers(app, match_id))
    with locked(app, match_id):
        began = time.monotonic()
        with pytest.raises(Busy):
            bots.let_a_bot_think(app)
        assert time.monotonic() - began < bots.LEASE.total_seconds() / 2
    bots_are_due(app)  # Its lease has ended.
    assert bots.let_a_bot_think(app)
    assert len(makers(app, match_id)) == before + 1
