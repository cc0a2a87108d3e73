"""Selling split cards: what the server would refuse cannot be sent."""

from playwright.sync_api import expect

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.models import Match
from stockpile_web.storage.transactions import writing
from tests.browser.scenes import table_at


def split_a_card(house, match_id, name):
    """Give somebody a card of Stanford Steel that has split."""
    with house.app.app_context(), writing() as tx:
        match = tx.get_one(Match, match_id)
        state = codec.load(GAMES["stockpile"].State, match.state)
        seat = next(seat.number for seat in match.seats if seat.name == name)
        state.players[seat].split["SS"] += 1
        match.state = codec.dump(state)


def test_one_split_card_is_sold_whole_or_by_half_but_not_both(player):
    ann = player("ann")
    match_id = table_at("selling", ann, bots=2)
    split_a_card(ann.house, match_id, ann.name)
    page = ann.open(f"/table/{match_id}")
    ann.choose("SellSplit-SS-1", "SellHalf-SS-1")
    assert not ann.board.evaluate("form => form.checkValidity()")
    wrong = page.locator("#board .sales input:invalid")
    assert wrong.evaluate("one => one.validationMessage") == "Please choose at most 1."
    ann.choose("SellSplit-SS-0")
    assert ann.board.evaluate("form => form.checkValidity()")


def test_the_button_says_what_it_will_sell(player):
    ann = player("ann")
    match_id = table_at("selling", ann, bots=2)
    split_a_card(ann.house, match_id, ann.name)
    ann.open(f"/table/{match_id}")
    expect(ann.main_button).to_have_text("Sell nothing")
    ann.choose("SellSplit-SS-1")
    money = ann.page.locator("#SellSplit-SS-1").get_attribute("data-money")
    expect(ann.main_button).to_have_text(f"Sell for ${money}K")
    ann.choose("SellSplit-SS-0")
    expect(ann.main_button).to_have_text("Sell nothing")
