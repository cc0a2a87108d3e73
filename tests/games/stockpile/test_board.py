"""What is worked out for a board: ladders, sums, controls, questions and the closing account."""

from typing import Any

from stockpile_web.engine import Result, Score
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.board import Board
from stockpile_web.games.stockpile.board.account import account as closing_account
from stockpile_web.games.stockpile.data_epic import BOND_PRICE
from stockpile_web.games.stockpile.moves import Bid, Collect, SellSplit
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, play, table


def shown(state: State, viewer: int | None, since: Any = ()) -> Board:
    """Return the board of a viewer."""
    moves = [] if viewer is None else stockpile.legal(state, viewer)
    return stockpile.board(stockpile.view(state, viewer), moves, since, stockpile.result(state))


def demand(**things: Any) -> State:
    state = table(3, piles="CC | BB | LL", **things)
    begin(state, "demand")
    return state


def rungs(board: Board, pile: int) -> list[str]:
    return [rung.state for rung in board.ladders[pile]]


def test_a_rung_that_is_not_open_says_why() -> None:
    state = demand(cash={1: 12})
    bid(state, 0, 0, 6)
    bid_on = ["below"] * 3 + ["standing", "open"] + ["too_much"] * 3
    assert rungs(shown(state, 1), 0) == bid_on
    assert rungs(shown(state, 1), 1) == ["open"] * 5 + ["too_much"] * 3


def test_an_open_rung_holds_its_bid_and_says_what_is_kept() -> None:
    board = shown(demand(), 0)
    for pile, ladder in enumerate(board.ladders):
        for space, rung in enumerate(ladder[:7]):
            assert rung.move == Bid(pile, space)
            assert rung.keeps == 20 - rung.amount


def test_with_two_meeples_what_one_has_bid_is_not_kept_for_the_other() -> None:
    state = table(2, piles="CC | BB | LL | AA")
    begin(state, "demand")
    bid(state, 0, 0, 10)
    bid(state, 1, 1, 0)
    board = shown(state, 0)
    assert board.ladders[1][1].keeps == 30 - 10 - 1
    assert rungs(board, 0)[5:] == ["my_bid"] * 3


def test_whoever_does_not_bid_now_has_no_ladder_to_climb() -> None:
    assert shown(demand(), 1).ladders == []
    assert shown(demand(), None).ladders == []


def test_shares_are_added_up_with_split_cards_as_two() -> None:
    state = table(shares={0: "AA AA BB"}, split={0: "AA"}, prices={"AA": 3, "BB": 7})
    begin(state, "selling")
    portfolio = shown(state, 0).portfolio
    assert portfolio is not None
    assert [(h.company, h.shares, h.value) for h in portfolio.holdings] == [
        ("BB", 1, 7), ("AA", 4, 12),
    ]  # fmt: skip
    assert (portfolio.worth, portfolio.total) == ({"cash": 20, "shares": 19}, 39)


def test_what_i_am_worth_has_all_in_it_that_counts_at_the_end() -> None:
    state = table(
        modules="bonds commodities", shares={0: "AA"}, prices={"AA": 3}, bonds={0: 2},
        goods={0: "gold oil gold tax"}, fees={0: "fee2"},
    )  # fmt: skip
    begin(state, "selling")
    portfolio = shown(state, 0).portfolio
    assert portfolio is not None
    assert portfolio.worth == {
        "cash": 20, "shares": 3, "bonds": 2 * BOND_PRICE[3], "commodities": 8 + 3, "taxes": -2,
        "fees": -2,
    }  # fmt: skip
    assert portfolio.total == sum(portfolio.worth.values())


def test_the_line_of_prices_says_what_i_know_and_how() -> None:
    pairs = {"AA": "+1", "BB": "+2", "CC": "-2", "EE": "$$"}
    state = table(3, pairs=pairs, holders={"AA": 0, "BB": 1}, prices={"AA": 3})
    state.pairs[2].up = True
    state.forecasts = ("+1", "+2", "-2", "$$")
    begin(state, "supply")
    chips = {chip.company: chip for chip in shown(state, 0).chips}
    assert [(tag.kind, tag.forecast) for tag in chips["AA"].tags] == [("tip", "+1")]
    assert [(tag.kind, tag.forecast) for tag in chips["CC"].tags] == [("open", "-2")]
    assert chips["AA"].price == 3 and not chips["BB"].tags
    assert shown(state, 0).side.hidden == ["+2", "$$"]
    assert shown(state, None).side.hidden == ["+1", "+2", "$$"]


def test_a_split_card_is_sold_for_twice_the_value_and_half_of_it_for_once() -> None:
    state = table(split={0: "AA AA"}, prices={"AA": 3})
    begin(state, "selling")
    portfolio = shown(state, 0).portfolio
    assert portfolio is not None
    (holding,) = portfolio.holdings
    assert [lot.money for lot in holding.sales["SellSplit"]] == [6, 12]
    assert [lot.money for lot in holding.sales["SellHalf"]] == [3, 6]
    assert holding.sales["SellSplit"][1].move == SellSplit("AA", 2)


def test_what_can_be_collected_begins_with_the_most() -> None:
    state = table(pairs={"EE": "$$"}, shares={0: "EE EE"}, split={0: "EE"})
    begin(state, "movement")
    payouts = shown(state, 0).collections
    assert (payouts[0].move, payouts[0].money) == (Collect(2, 1), 8)
    assert payouts[-1].money == 0


def test_an_action_card_says_where_it_leads_off_the_track_too() -> None:
    state = table(actions={0: "boom bust"}, prices={"AA": 9, "BB": 2, "CC": 5})
    begin(state, "action")
    controls = shown(state, 0).controls
    boom, bust = controls["AA"].uses
    assert (boom.fate, boom.steps, bust.value) == ("splits", 2, 7)
    assert controls["BB"].uses[1].fate == "bankrupt"
    assert [use.value for use in controls["CC"].uses] == [7, 3]
    assert shown(state, 1).controls == {}


def test_the_question_is_that_of_the_phase_and_the_case() -> None:
    state = demand()
    assert shown(state, 0).asking.question == "demand"
    assert shown(state, 1).asking.question == "wait"
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    bid(state, 2, 1, 0)
    assert shown(state, 0).asking.question == "outbid"


def test_pairs_that_are_not_open_are_told_apart_by_their_place() -> None:
    pairs = {"AA": "+1", "BB": "+2", "CC": "-2"}
    state = table(2, pairs=pairs, holders={"AA": 1, "BB": 1, "CC": 0})
    begin(state, "supply")
    assert shown(state, 0).pair_ranks == [1, 2, 1]


def test_a_strategy_asks_for_its_picks_in_their_order() -> None:
    state = table(modules="strategies", strategies={0: "vulture_capitalism"}, shares={0: "AA BB"},
                  discard="CC EE")  # fmt: skip
    begin(state, "action")
    (deal,) = shown(state, 0).deals
    assert [choice.asks for choice in deal.choices] == ["give_up", "take", "then"]
    assert [choice.options for choice in deal.choices] == [
        [("BB", False), ("AA", False)],
        [("CC",), ("EE",)],
        [(-1,), (1,)],
    ]


def test_split_cards_are_sold_short_whole_or_by_halves() -> None:
    state = table(modules="strategies", strategies={0: "short_and_distort"}, shares={0: "BB"},
                  split={0: "AA AA"})  # fmt: skip
    begin(state, "action")
    (deal,) = shown(state, 0).deals
    assert [(lots.company, lots.split) for lots in deal.lots] == [("BB", False), ("AA", True)]
    assert [(lot.shares, lot.whole, lot.halves) for lot in deal.lots[1].options] == [
        (2, 1, 0), (1, 0, 1), (3, 1, 1), (2, 0, 2),
    ]  # fmt: skip


def test_a_strategy_with_one_way_is_a_whole_move() -> None:
    state = table(modules="strategies", strategies={0: "offshore_account"})
    begin(state, "action")
    (deal,) = shown(state, 0).deals
    assert deal.move in stockpile.legal(state, 0)
    play(state, 0, deal.move)


def test_the_columns_of_the_closing_account_stand_in_the_order_of_places() -> None:
    scores = [Score(total, [{"kind": "cash", "money": total}]) for total in (30, 50, 10, 30)]
    account = closing_account(Result([2, 1, 4, 2], scores), ())
    assert account is not None
    assert account.order == [1, 0, 3, 2]
    assert account.sources["cash"] == [50, 30, 30, 10]


def test_the_closing_account_adds_up_to_the_totals() -> None:
    state = table(round=7, shares={0: "EE EE", 1: "EE"}, split={1: "AA"}, fees={2: "fee1"},
                  cash={2: 0})  # fmt: skip
    begin(state, "round_end")
    board, result = shown(state, 0), stockpile.result(state)
    assert board.account is not None and result is not None
    for place, seat in enumerate(board.account.order):
        score = result.scores[seat]
        cells = [row[place] for row in board.account.companies.values()]
        money = sum(cell.money + cell.majority for cell in cells if cell)
        money += sum(row[place] or 0 for row in board.account.sources.values())
        assert money == score.total
    assert board.winners == [seat for seat, place in enumerate(result.places) if place == 1]
    assert "bonds_redeemed" not in board.account.sources
