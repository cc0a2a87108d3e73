"""Whole games through the site, played by the HTML's own controls."""

from random import Random

import pytest
from flask import Flask

from stockpile_web.games import stockpile
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move
from tests.support.clicking import Board, make_any_move
from tests.support.people import on_turn, seated

EVERYTHING = [option.key for option in stockpile.OPTIONS]
WITHOUT_AUCTION = [key for key in EVERYTHING if key != "investor_bidding"]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, []), (4, EVERYTHING),
        *(
            pytest.param(seats, options, marks=pytest.mark.long)
            for seats, options in (
                (3, []), (4, []), (5, []), (2, ["advanced_board"]), (3, ["advanced_board"]),
                (2, WITHOUT_AUCTION),
            )
        ),
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
        match = db.session.get_one(Match, match_id)
        assert match.status == "over"
        assert match.version == db.session.query(Move).filter_by(match_id=match_id).count()


def test_whoever_sells_everything_says_in_the_same_form_that_they_are_done(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    sold_out, chooser = 0, Random(2)
    while movers := on_turn(app, match_id, players):
        board = Board(movers[0].get(f"/table/{match_id}").text)
        filled_in = board.fill_in(chooser)
        sales: dict[str, str] = {}  # All cards of each company, in one way.
        for control in board.named("before."):
            company = control.name.split(".")[1]
            if company not in {name.split(".")[1] for name in sales}:
                sales[control.name] = control.choices[-1].value
        sold_out += len(sales)
        form = {name: text for name, text in filled_in.items() if not name.startswith("before.")}
        answer = movers[0].post(f"/table/{match_id}/move", data=form | sales)
        assert answer.status_code == 303
    assert sold_out
