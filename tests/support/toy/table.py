"""A table of the toy on the site with hands that are always the same, and what is known of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from stockpile_web.engine import codec
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move, Notice, Seat
from tests.support import toy
from tests.support.people import fix_the_deal
from tests.support.toy.moves import LAY, Pick
from tests.support.toy.site import SLUG, add_toy
from tests.support.toy.state import State

# Ann can lay 3 and 7, or 4 and 6; Bob only 5 and 5; Carol nothing.
HANDS = ([3, 4, 6, 7], [5, 5, 9], [9, 9])
TURN = (Pick(3), Pick(7), LAY)


def deal(monkeypatch: pytest.MonkeyPatch, app: Flask) -> dict[str, Any]:
    """Put the toy on the site, and fix who sits where and the hands; return a form for a table."""
    add_toy(app, monkeypatch)
    fix_the_deal(monkeypatch)

    def setup(seats: int, options: Mapping[str, int], dealer: object) -> State:
        return State([[*hand] for hand in HANDS[:seats]], [[] for _ in range(seats)])

    monkeypatch.setattr(toy, "setup", setup)
    return {"game": SLUG}


class Tens:
    """A match of the toy."""

    def __init__(self, app: Flask, match_id: int, players: list[FlaskClient]) -> None:
        self.app, self.id, self.players = app, match_id, players
        self.address = f"/table/{match_id}"

    def seat(self, number: int) -> Seat:
        with self.app.app_context():
            return db.session.scalars(select(Seat).filter_by(match_id=self.id, number=number)).one()

    def state(self) -> State:
        state: State = codec.load(State, self.match().state)
        return state

    def match(self) -> Match:
        with self.app.app_context():
            return db.session.get_one(Match, self.id)

    def moves(self) -> list[Move]:
        with self.app.app_context():
            rows = select(Move).where(Move.match_id == self.id).order_by(Move.number)
            return list(db.session.scalars(rows))

    def send(self, client: FlaskClient, *turn: object, **more: str) -> TestResponse:
        """Send the steps and the move of a turn: a player's first, unless `moves_made` says so."""
        *steps, move = (codec.dump(each) for each in turn)
        form = {"moves_made": "0", "step": steps, "move": move, **more}
        return client.post(f"{self.address}/move", data=form)

    def look(
        self, client: FlaskClient, *steps: object, headers: dict[str, str] | None = None
    ) -> TestResponse:
        """Look at the table with these steps taken."""
        return self.ask(client, [codec.dump(step) for step in steps], headers)

    def ask(
        self,
        client: FlaskClient,
        texts: Sequence[str],
        headers: dict[str, str] | None = None,
        **more: str,
    ) -> TestResponse:
        """Look at the table with these texts for steps."""
        query = {"step": [*texts], **more}
        return client.get(self.address, query_string=query, headers=headers)

    def all_of_it(self) -> list[Any]:
        """Return all that a move might change: the match, its seats, moves and notices."""
        match = self.match()
        seats = [self.seat(number) for number in range(match.size)]
        known = [
            [getattr(row, column.key) for column in type(row).__table__.columns]
            for row in (match, *seats)
        ]
        with self.app.app_context():
            notices = db.session.scalar(select(func.count()).select_from(Notice))
        return [known, len(self.moves()), notices]
