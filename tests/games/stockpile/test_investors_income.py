"""Investors of the round's end: Ana, Dangote, Li, Oprah and Sanders."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import (
    Done,
    Give,
    Move,
    Redistribute,
    ShowCompanies,
    TakeIncome,
)
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, on_turn, play, table, told


def end_of_round(investors: dict[int, str], seats: int = 3, **things: Any) -> State:
    """Return a table at which the market has moved."""
    state = table(seats, investors=investors, **things)
    begin(state, "interest")
    return state


def test_ana_gets_a_thousand_for_each_different_company_she_shows() -> None:
    state = end_of_round({0: "ana"}, shares={0: "EE EE AA"}, split={0: "CC EE"})
    assert on_turn(state) == [0]
    events = play(state, 0, ShowCompanies())
    assert cash(state)[0] == 23
    assert told(events, "companies_shown") == [
        {"seat": 0, "companies": ["CC", "AA", "EE"], "money": 3},
    ]


def test_ana_shows_a_card_of_every_company_she_owns_or_nothing() -> None:
    state = end_of_round({0: "ana"}, shares={0: "EE AA"})
    assert stockpile.legal(state, 0) == [ShowCompanies(), Done()]
    play(state, 0, Done())
    assert cash(state)[0] == 20


def test_ana_keeps_the_cards_she_shows_and_shows_them_once_a_round() -> None:
    state = end_of_round({0: "ana"}, shares={0: "EE"})
    play(state, 0, ShowCompanies())
    assert state.players[0].shares["EE"] == 1
    assert state.round == 2


def test_ana_without_a_card_is_not_asked() -> None:
    assert end_of_round({0: "ana"}).round == 2


def test_dangote_gets_a_thousand_for_each_commodity_and_nothing_for_taxes() -> None:
    state = end_of_round({0: "dangote"}, modules="commodities", goods={0: "gold gold oil tax"})
    assert cash(state)[0] == 23


@pytest.mark.parametrize(("bonds", "money"), [(1, 2), (2, 3), (3, 5), (4, 6), (7, 11)])
def test_li_gets_a_thousand_more_for_every_two_bonds_rounded_up(bonds: int, money: int) -> None:
    state = table(investors={0: "li"}, modules="bonds", bonds={0: bonds, 1: bonds})
    events = begin(state, "interest")
    assert told(events, "interest_paid") == [
        {"seat": 0, "money": money},
        {"seat": 1, "money": bonds},
    ]


def test_li_without_bonds_gets_no_interest() -> None:
    state = table(investors={0: "li"}, modules="bonds")
    assert told(begin(state, "interest"), "interest_paid") == []


def test_oprah_gives_two_thousand_to_another_player_or_one_to_each_of_two() -> None:
    state = end_of_round({0: "oprah"})
    assert stockpile.legal(state, 0) == [Give((1,)), Give((2,)), Give((1, 2))]
    play(state, 0, Give((2,)))
    assert cash(state) == [18, 20, 22]
    state = end_of_round({0: "oprah"})
    play(state, 0, Give((1, 2)))
    assert cash(state) == [18, 21, 21]


def test_oprah_has_to_give() -> None:
    assert Done() not in stockpile.legal(end_of_round({0: "oprah"}), 0)


def test_oprah_with_a_thousand_gives_that_and_with_nothing_nothing() -> None:
    state = end_of_round({0: "oprah"}, cash={0: 1})
    assert stockpile.legal(state, 0) == [Give((1,)), Give((2,))]
    play(state, 0, Give((1,)))
    assert cash(state) == [0, 21, 20]
    assert end_of_round({0: "oprah"}, cash={0: 0}).round == 2


def test_with_two_players_oprah_can_only_give_to_the_other() -> None:
    state = end_of_round({0: "oprah bill"}, 2)
    assert stockpile.legal(state, 0) == [Give((1,))]


def test_oprah_gives_out_of_the_interest_she_has_just_received() -> None:
    state = table(investors={0: "oprah"}, modules="bonds", bonds={0: 2}, cash={0: 0})
    begin(state, "interest")
    play(state, 0, Give((1, 2)))
    assert cash(state) == [0, 21, 21]


def test_a_gift_pays_an_open_fee() -> None:
    state = end_of_round({0: "oprah"}, cash={1: 0}, fees={1: "fee2"})
    play(state, 0, Give((1,)))
    assert (cash(state)[1], state.players[1].fees) == (0, [])


def test_sanders_takes_two_thousand_from_the_richest_and_gives_half_to_the_poorest() -> None:
    state = end_of_round({0: "sanders"}, 4, cash={0: 20, 1: 30, 2: 10, 3: 15})
    assert stockpile.legal(state, 0) == [Redistribute(1, 2)]
    play(state, 0, Redistribute(1, 2))
    assert cash(state) == [21, 28, 11, 15]


def test_sanders_does_not_take_from_himself_though_he_is_richest() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 99, 1: 30, 2: 10})
    assert stockpile.legal(state, 0) == [Redistribute(1, 2)]


def test_sanders_may_be_the_poorest_himself() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 5, 1: 30, 2: 10})
    play(state, 0, Redistribute(1, 0))
    assert cash(state) == [7, 28, 10]


def test_the_one_who_was_taken_from_is_not_the_poorest() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 30, 1: 2, 2: 1})
    assert stockpile.legal(state, 0) == [Redistribute(1, 2)]
    with_two = end_of_round({0: "sanders bill"}, 2, cash={0: 30, 1: 2})
    play(with_two, 0, Redistribute(1, 0))
    assert cash(with_two) == [32, 0]


def test_sanders_looks_who_has_least_when_he_has_kept_his_thousand() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 10, 1: 30, 2: 10})
    assert stockpile.legal(state, 0) == [Redistribute(1, 2)]  # He has eleven by then.
    state = end_of_round({0: "sanders"}, cash={0: 9, 1: 30, 2: 10})
    assert stockpile.legal(state, 0) == [Redistribute(1, 0), Redistribute(1, 2)]


def test_sanders_who_pays_a_fee_with_his_thousand_may_be_the_poorest_again() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 0, 1: 30, 2: 0}, fees={0: "fee1"})
    assert stockpile.legal(state, 0) == [Redistribute(1, 0), Redistribute(1, 2)]
    play(state, 0, Redistribute(1, 0))
    assert (cash(state), state.players[0].fees) == ([1, 28, 0], [])


def test_sanders_chooses_among_equals() -> None:
    state = end_of_round({0: "sanders"}, 4, cash={0: 19, 1: 30, 2: 30, 3: 20})
    assert stockpile.legal(state, 0) == [
        Redistribute(1, 0), Redistribute(1, 3), Redistribute(2, 0), Redistribute(2, 3),
    ]  # fmt: skip
    assert Done() not in stockpile.legal(state, 0)


def test_sanders_keeps_the_first_thousand_when_there_is_only_one() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 5, 1: 1, 2: 0})
    play(state, 0, Redistribute(1, 2))
    assert cash(state) == [6, 0, 0]


def test_sanders_takes_nothing_where_nobody_else_has_money() -> None:
    state = end_of_round({0: "sanders"}, cash={0: 9, 1: 0, 2: 0})
    assert cash(state) == [9, 0, 0]
    assert state.round == 2


def test_after_the_interest_all_investors_act_in_turn_order() -> None:
    investors = {0: "oprah", 1: "sanders", 2: "ana", 3: "deborah"}
    state = end_of_round(investors, 4, first=1, shares={2: "EE"})
    seen = []
    while state.round == 1:
        seen += on_turn(state)[:1]
        moves = stockpile.legal(state, seen[-1])
        play(state, seen[-1], Done() if Done() in moves else moves[0])
    assert seen == [1, 2, 3, 0]


@pytest.mark.parametrize(("first", "rich"), [(0, 2), (1, 1)])
def test_dangotes_income_comes_when_it_is_his_turn(first: int, rich: int) -> None:
    """Sanders takes from whoever is richest by then."""
    state = end_of_round(
        {0: "sanders", 1: "dangote"},
        first=first,
        modules="commodities",
        goods={1: "gold oil corn"},
        cash={0: 5, 1: 9, 2: 10},
    )
    assert stockpile.legal(state, 0) == [Redistribute(rich, 0)]
    play(state, 0, Redistribute(rich, 0))
    assert cash(state) == {2: [7, 12, 8], 1: [7, 10, 10]}[rich]


def both(investors: str, **things: Any) -> State:
    """Return a table of two, one of whom has nothing but two investors and three commodities."""
    things = {"cash": {0: 0}, "goods": {0: "gold oil corn"}, **things}
    return end_of_round({0: investors}, 2, modules="commodities", **things)


def test_oprah_with_nothing_may_give_before_dangote_is_paid() -> None:
    state = both("oprah dangote")
    assert stockpile.legal(state, 0) == [TakeIncome(), Give(())]
    play(state, 0, Give(()))
    assert cash(state) == [3, 30]
    assert state.round == 2


def test_oprah_gives_of_what_dangote_has_taken_before() -> None:
    state = both("oprah dangote")
    play(state, 0, TakeIncome())
    assert stockpile.legal(state, 0) == [Give((1,))]
    play(state, 0, Give((1,)))
    assert cash(state) == [1, 32]
    assert state.round == 2


def test_oprah_with_money_chooses_the_order_as_well() -> None:
    state = both("oprah dangote", cash={0: 1})
    assert stockpile.legal(state, 0) == [TakeIncome(), Give((1,))]
    play(state, 0, Give((1,)))
    assert cash(state) == [3, 31]  # The income came by itself, with nothing else to decide.


def test_oprah_with_nothing_may_give_before_ana_is_paid() -> None:
    state = both("oprah ana", shares={0: "EE AA"}, goods={})
    assert stockpile.legal(state, 0) == [ShowCompanies(), Done(), Give(())]
    play(state, 0, Give(()), ShowCompanies())
    assert cash(state) == [2, 30]


def test_whoever_has_two_powers_uses_both_in_any_order() -> None:
    order: list[Move] = [ShowCompanies(), Give((1,))]
    for moves in (order, order[::-1]):
        state = both("oprah ana", shares={0: "EE AA"}, cash={0: 5}, goods={})
        for move in moves:
            assert on_turn(state) == [0]
            play(state, 0, move)
        assert cash(state) == [5, 32]
        assert state.round == 2


def test_oprah_cannot_pass_over_her_gift_with_another_power_in_hand() -> None:
    state = both("oprah ana", shares={0: "EE"}, cash={0: 5}, goods={})
    assert stockpile.legal(state, 0) == [ShowCompanies(), Give((1,))]
    play(state, 0, Give((1,)))
    assert stockpile.legal(state, 0) == [ShowCompanies(), Done()]


def test_oprah_may_pass_at_any_other_moment_of_the_round() -> None:
    state = table(investors={0: "oprah"}, modules="bonds")
    begin(state, "round_beginning")
    assert Done() in stockpile.legal(state, 0)


def test_dangotes_income_waits_for_nobody_if_there_is_nothing_else_to_decide() -> None:
    state = both("dangote bill")
    assert (cash(state), state.round) == ([3, 30], 2)


def test_dangote_is_paid_too_when_he_passes_over_his_other_power() -> None:
    state = both("dangote deborah")
    play(state, 0, Done())
    assert (cash(state), state.round) == ([3, 30], 2)


@pytest.mark.parametrize("oprah_first", [True, False])
def test_one_player_with_both_chooses_the_order(oprah_first: bool) -> None:
    state = end_of_round({0: "oprah sanders"}, 2, cash={0: 1, 1: 10})
    if oprah_first:
        play(state, 0, Give((1,)))
        assert on_turn(state) == [0]
        play(state, 0, Redistribute(1, 0))
        assert cash(state) == [2, 9]
    else:
        play(state, 0, Redistribute(1, 0))
        play(state, 0, Give((1,)))
        assert cash(state) == [1, 10]
    assert state.round == 2


def test_oprah_who_had_nothing_gives_what_sanders_brought_her_before_her_turn() -> None:
    state = end_of_round({0: "sanders", 1: "oprah"}, cash={0: 9, 1: 0, 2: 30})
    play(state, 0, Redistribute(2, 1))
    assert on_turn(state) == [1]
    assert stockpile.legal(state, 1) == [Give((0,)), Give((2,))]
