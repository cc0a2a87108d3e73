"""Commodities and taxes: laid open on the piles, collected, and scored at the end."""

from typing import Any

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data_epic import COMMERCE_DECK
from stockpile_web.games.stockpile.moves import PlaceGoods
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, cash, lines, on_turn, play, scores, table, told
from tests.support.random_play import Sitting


def placed(seats: int = 3, first: int = 0) -> State:
    """Return a table at which all have placed their market cards."""
    state = table(seats, first=first, modules="commodities")
    state.commerce = ["gold", "oil", "tax", "corn", "gas", "cattle"]
    begin(state, "opening")
    while state.phase == "supply":
        (seat,) = on_turn(state)
        play(state, seat, stockpile.legal(state, seat)[0])
    return state


def end(goods: str, money: int = 20, **things: Any) -> State:
    state = table(round=7, modules="commodities", goods={0: goods}, cash={0: money}, **things)
    begin(state, "round_end")
    return state


def test_the_commerce_deck_has_three_of_six_commodities_and_seven_taxes() -> None:
    state = stockpile.setup(3, {"commodities": 1}, Dealer("goods"))
    assert sorted(state.commerce) == sorted(
        3 * ["gold", "platinum", "oil", "gas", "corn", "cattle"] + 7 * ["tax"]
    )
    assert sum(COMMERCE_DECK.values()) == 25


def test_a_player_draws_a_commerce_card_as_soon_as_their_cards_are_placed() -> None:
    state = table(modules="commodities")
    begin(state, "opening")
    events = play(state, 0, stockpile.legal(state, 0)[0])
    assert [len(player.drawn) for player in state.players] == [1, 0, 0]
    (drawn,) = [event for event in events if event.kind == "goods_drawn"]
    assert drawn.public is None
    assert list(drawn.private) == [0]


def test_commerce_cards_are_placed_in_turn_order_when_all_have_placed_theirs() -> None:
    state, seen = placed(first=1), []
    while state.phase == "after_supply":
        seen += on_turn(state)
        play(state, seen[-1], PlaceGoods((0,)))
    assert seen == [1, 2, 0]


def test_a_commerce_card_lies_face_up_on_any_pile() -> None:
    state = placed()
    assert stockpile.legal(state, 0) == [PlaceGoods((0,)), PlaceGoods((1,)), PlaceGoods((2,))]
    events = play(state, 0, PlaceGoods((2,)))
    assert (state.piles[2][-1].card, state.piles[2][-1].up) == ("cattle", True)
    assert told(events, "goods_placed") == [{"seat": 0, "cards": ["cattle"], "piles": [2]}]


def test_a_commerce_card_in_hand_is_seen_by_its_player_alone() -> None:
    state = placed()
    own = stockpile.view(state, 0).own
    assert own is not None
    assert own.drawn == ["cattle"]
    other = stockpile.view(state, 1).own
    assert other is not None
    assert other.drawn == ["gas"]


def test_with_two_players_each_places_two_on_different_piles() -> None:
    state = placed(2)
    moves = stockpile.legal(state, 0)
    assert len(moves) == 4 * 3
    assert PlaceGoods((1, 1)) not in moves
    play(state, 0, PlaceGoods((3, 0)))
    assert [state.piles[pile][-1].card for pile in (3, 0)] == ["cattle", "gas"]
    assert on_turn(state) == [1]


def test_with_two_players_they_are_drawn_after_the_second_supply_alone() -> None:
    state = table(2, modules="commodities")
    begin(state, "opening")
    for seat, drawn in [(0, 0), (1, 0), (0, 2), (1, 2)]:
        play(state, seat, stockpile.legal(state, seat)[0])
        assert len(state.players[seat].drawn) == drawn


@pytest.mark.parametrize(("seats", "left"), [(2, 1), (3, 4), (4, 1), (5, 0)])
def test_the_commerce_deck_lasts_for_the_game(seats: int, left: int) -> None:
    sitting = Sitting("stockpile", seats, frozenset({"commodities"}), "commerce").play_on()
    assert len(sitting.state.commerce) == left


def test_goods_are_collected_with_the_pile_and_kept_open_for_all_to_see() -> None:
    state = table(modules="commodities", piles="CC gold tax | BB | LL")
    begin(state, "demand")
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert stockpile.view(state, None).players[0].goods == ["gold", "tax"]
    assert cash(state)[0] == 20


@pytest.mark.parametrize(
    ("goods", "bonus"),
    [
        ("gold", 3),
        ("gold oil", 8),
        ("gold oil corn", 15),
        ("gold oil corn gas", 24),
        ("gold oil corn gas cattle", 35),
        ("gold oil corn gas cattle platinum", 48),
    ],
)
def test_different_commodities_make_a_set_worth_more_the_larger(goods: str, bonus: int) -> None:
    assert scores(end(goods, 0))[0] == bonus


def test_two_cattle_two_oil_corn_and_gold_bring_thirty_two_thousand() -> None:
    state = end("cattle oil cattle corn oil gold", 0)
    assert scores(state)[0] == 32
    assert [line["money"] for line in lines(state, 0, "commodity_set")] == [24, 8]


def test_three_of_a_kind_are_three_sets_of_one() -> None:
    assert scores(end("corn corn corn", 0))[0] == 9


@pytest.mark.parametrize(
    ("taxes", "penalty"), [(1, 2), (2, 6), (3, 12), (4, 20), (5, 30), (6, 42), (7, 56)]
)
def test_taxes_cost_more_the_more_there_are(taxes: int, penalty: int) -> None:
    assert scores(end("tax " * taxes, 60))[0] == 60 - penalty


def test_taxes_are_paid_in_full_even_below_zero() -> None:
    state = end("tax tax tax", 5)
    assert scores(state)[0] == -7
    assert lines(state, 0, "taxes") == [{"kind": "taxes", "count": 3, "money": -12}]


def test_commodities_and_taxes_do_not_touch_each_other() -> None:
    assert scores(end("gold tax oil tax", 0))[0] == 8 - 6


def test_goods_are_scored_after_the_final_sale_and_the_bonds() -> None:
    state = table(
        round=7, modules="bonds commodities", goods={0: "gold tax"}, bonds={0: 1}, shares={0: "EE"}
    )
    kinds = [event.kind for event in begin(state, "round_end")]
    order = ["majority", "final_sale", "bonds_redeemed", "commodity_set", "taxes"]
    assert kinds == [*order, "game_ended"]


def test_an_open_fee_is_paid_out_of_a_commodity_bonus() -> None:
    state = end("gold", 0, fees={0: "fee2"})
    assert scores(state)[0] == 1


def test_a_debt_of_taxes_leaves_nothing_for_an_open_fee() -> None:
    state = end("tax tax", 0, fees={0: "fee2"})
    assert scores(state)[0] == -6
    assert state.players[0].fees == ["fee2"]
