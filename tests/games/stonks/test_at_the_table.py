"""$TONKS$ on the site: whole games by its own controls, without JavaScript, and what is refused."""

from random import Random

import pytest

from stockpile_web.games.stonks.data import CARDS
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from tests.support.clicking import Board, make_any_move
from tests.support.people import on_turn, seated


@pytest.mark.parametrize(("seats", "options"), [(2, []), (3, ["rounds_1", "moderate"])])
def test_a_whole_game_is_played_by_the_controls_of_its_pages(app, sign_up, seats, options):
    match_id, players = seated(app, sign_up, seats, game="stonks", options=options)
    chooser = Random(seats)
    while waiting := on_turn(app, match_id, players):
        make_any_move(chooser.choice(waiting), match_id, chooser)
    page = players[0].get(f"/table/{match_id}").text
    assert "The closing account" in page
    assert "stonks/board.css" in page
    for number in (0, 5, 20):
        turn = players[0].get(f"/table/{match_id}/turn/{number}")
        assert turn.status_code == 200 and "stonks/board.css" in turn.text
    assert "The portfolios are opened" in players[0].get(f"/table/{match_id}/log").text
    with app.app_context():
        assert db.session.get_one(Match, match_id).status == "over"


@pytest.fixture
def leading(app, sign_up, same_deal):
    """A table of three at which somebody is to lead: its number and their browser."""
    match_id, players = seated(app, sign_up, 3, game="stonks")
    for player in players:
        make_any_move(player, match_id, Random(1))
    (leader,) = on_turn(app, match_id, players)
    return match_id, leader


def test_a_card_with_arrows_is_not_played_without_saying_what_it_moves(leading):
    match_id, leader = leading
    board = Board(leader.get(f"/table/{match_id}").text)
    form = {"moves_made": "1", "part.how": '{"move":"PlayCard"}'}
    (move, *_) = [choice.value for choice in board.moves() if "icons" in choice.value]
    answer = leader.post(f"/table/{match_id}/move", data={**form, "move": move})
    assert answer.status_code == 422
    assert "not a whole move yet" in answer.text


def test_a_card_that_one_does_not_hold_is_refused(leading):
    match_id, leader = leading
    html = leader.get(f"/table/{match_id}").text
    strange = next(card for card in CARDS if f'id="play-{card}"' not in html)
    move = f'{{"move":"PlayCard","card":"{strange}","company":"","up":false}}'
    answer = leader.post(f"/table/{match_id}/move", data={"moves_made": "1", "move": move})
    assert answer.status_code == 422
    assert "not in your hand" in answer.text


def test_the_rules_page_explains_every_section_it_lists(app, client):
    page = client.get("/rules/stonks").text
    assert "The rules of $TONKS$" in page and "Speculation" in page
