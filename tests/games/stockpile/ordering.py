"""A match of people who leave standing orders, and what the database knows of it."""

import re
from random import Random

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from stockpile_web.engine import codec
from stockpile_web.games.stockpile.state import State
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move, Seat, User
from stockpile_web.storage.transactions import writing
from tests.support.clicking import make_any_move
from tests.support.people import NAMES, on_turn

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Game:
    """A match of people without bots, and what the database knows of it."""

    def __init__(self, app: Flask, match_id: int, players: list[FlaskClient]) -> None:
        self.app, self.id, self.players = app, match_id, players
        self.address = f"/table/{match_id}"
        self.chooser = Random(5)

    def state(self) -> State:
        with self.app.app_context():
            match = db.session.get_one(Match, self.id)
            state: State = codec.load(State, match.state)
            return state

    def waiting(self) -> list[FlaskClient]:
        return on_turn(self.app, self.id, self.players)

    def play_to(self, phase: str) -> None:
        """Make random moves until somebody has to decide in this phase."""
        while self.phase() != phase:
            make_any_move(self.waiting()[0], self.id, self.chooser)

    def phase(self) -> str:
        state = self.state()
        return "dividend" if state.dividend else state.phase

    def others(self) -> list[FlaskClient]:
        return [player for player in self.players if player not in self.waiting()]

    def form(self, client: FlaskClient) -> dict[str, str]:
        """Return the hidden fields of the form for orders."""
        page = client.get(f"{self.address}/orders")
        assert page.status_code == 200
        return dict(HIDDEN.findall(page.text))

    def leave(self, client: FlaskClient, **fields: str) -> TestResponse:
        named = {name.replace("_", "."): value for name, value in fields.items()}
        answer = client.post(f"{self.address}/orders", data={**self.form(client), **named})
        assert answer.status_code == 303, answer.text
        return answer

    def seat(self, client: FlaskClient) -> Seat:
        name = NAMES[self.players.index(client)]
        with self.app.app_context():
            return db.session.scalars(
                select(Seat).join(User).where(Seat.match_id == self.id, User.name == name)
            ).one()

    def moves(self) -> list[Move]:
        with self.app.app_context():
            rows = select(Move).where(Move.match_id == self.id).order_by(Move.number)
            return list(db.session.scalars(rows))

    def bid(self, client: FlaskClient, pile: int, space: int, meeple: int = 0) -> None:
        move = codec.dump({"move": "Bid", "pile": pile, "space": space, "meeple": meeple})
        made = self.seat(client).moves_made
        answer = client.post(f"{self.address}/move", data={"moves_made": made, "move": move})
        assert answer.status_code == 303, answer.text


def in_order(game: Game) -> list[FlaskClient]:
    """Return the players in turn order."""
    with game.app.app_context():
        rows = select(Seat.number, User.name).join(User).where(Seat.match_id == game.id)
        by_seat = {seat: game.players[NAMES.index(name)] for seat, name in db.session.execute(rows)}
    return [by_seat[seat] for seat in game.state().order()]


def put_books(game: Game, viewer: FlaskClient | None, book: str) -> None:
    """Make `book` the book of everyone but the viewer, without letting it act."""
    note = codec.dump({"kind": "pile_changed", "pile": 0, "turn": 1}) if book else ""
    with game.app.app_context(), writing() as tx:
        others = update(Seat).where(Seat.match_id == game.id)
        if viewer in game.players:
            others = others.where(Seat.id != game.seat(viewer).id)
        tx.execute(others.values(orders=book, order_note=note))
