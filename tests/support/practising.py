"""A practice table, played by chance."""

from collections.abc import Callable
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from stockpile_web.match import driving, take_back
from stockpile_web.match.bots import choose
from stockpile_web.match.rows import read_past
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.transactions import reading


class Practice:
    """A practice table of Ann's, at which she plays as the plainest bot would."""

    def __init__(self, app: Flask, sign_up: Callable[..., int], slug: str) -> None:
        self.app, self.slug, self.chooser = app, slug, Random(3)
        self.ann = app.test_client()
        sign_up(self.ann, "ann")
        self.address = self.ann.post(f"/try/{slug}").location
        self.match_id = int(self.address.rsplit("/", 1)[1])

    def match(self) -> Match:
        with self.app.app_context():
            return db.session.get_one(Match, self.match_id)

    def mine(self) -> Seat:
        with self.app.app_context():
            mine = select(Seat).where(Seat.match_id == self.match_id, Seat.user_id.is_not(None))
            return db.session.scalars(mine).one()

    def play(self, moves: int) -> None:
        mine = self.mine().number
        for _ in range(moves):
            with self.app.app_context(), changing(self.match_id) as turn:
                open_to_me = turn.legal(mine)
                if not open_to_me:
                    return
                bot = next(iter(turn.game.BOTS.values()))
                *steps, move = choose(turn.game, bot, turn.state, mine, open_to_me, self.chooser)
                turn.play(mine, move, steps=steps)
                driving.play_on(turn)

    def standing(self) -> list[int]:
        with self.app.app_context():
            return take_back.standing_moves(reading(), self.match_id, self.mine().number)

    def state_before(self, number: int) -> str:
        with self.app.app_context():
            before = number - 1
            return read_past(reading(), self.match_id, before, before)[before].state

    def go_back(self, number: int, made: int | None = None, **sent: Any) -> TestResponse:
        made = self.mine().moves_made if made is None else made
        data = {"moves_made": str(made)}
        return self.ann.post(f"{self.address}/back/{number}", data=data, **sent)
