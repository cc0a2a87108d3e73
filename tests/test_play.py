"""Whole games through the site, played by the HTML's own controls."""

from random import Random

import pytest
from flask import Flask

from stockpile_web.database import db
from stockpile_web.games import stockpile
from stockpile_web.models import Match, Move
from tests.clicking import make_any_move
from tests.people import on_turn, seated

EVERYTHING = [option.key for option in stockpile.OPTIONS]
WITHOUT_AUCTION = [key for key in EVERYTHING if key != "investor_bidding"]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, []), (3, []), (4, []), (5, []), (2, ["advanced_board"]), (3, ["advanced_board"]),
        (2, WITHOUT_AUCTION), (4, EVERYTHING),
    ],
)  # fmt: skip
def test_a_whole_game_can_be_played_by_clicking(app: Flask, sign_up, seats, options):
    match_id, players = seated(app, sign_up, seats, options=options)
    chooser = Random(seats)
    while waiting := on_turn(app, match_id, players):
        make_any_move(chooser.choice(waiting), match_id, chooser)
    page = players[0].get(f"/table/{match_id}")
    assert "The game is over" in page.text
    with app.app_context():
        match = db.session.get(Match, match_id)
        assert match.status == "over"
        assert match.version == db.session.query(Move).filter_by(match_id=match_id).count()
