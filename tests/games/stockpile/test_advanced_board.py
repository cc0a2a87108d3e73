"""The advanced board: a track for each company, and Stanford Steel's dollars."""

from typing import Any

import pytest

from stockpile_web.engine import Dealer, Event
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile import market
from stockpile_web.games.stockpile.data import BOARDS
from stockpile_web.games.stockpile.moves import Boom, Bust, Collect
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, held, on_turn, play, table, told


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def steel(space: int, forecast: str, **things: Any) -> State:
    """Return a table at which Stanford Steel moves from a space of its track."""
    spaces = {"SS": space}
    return table(board="advanced", pairs={"SS": forecast}, spaces=spaces, **things)


def test_the_option_turns_the_board() -> None:
    plain = stockpile.setup(3, {}, Dealer("board"))
    advanced = stockpile.setup(3, {"advanced_board": 1}, Dealer("board"))
    assert (plain.board, advanced.board) == ("standard", "advanced")
    assert advanced.modules == ("advanced_board",)


def test_the_printed_tracks() -> None:
    values = {company: list(track.values) for company, track in BOARDS["advanced"].items()}
    assert values == {
        "CC": [1, 3, 5, 7, 9],
        "BB": [1, 2, 3, 4, 5, 6],
        "LL": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        "AA": [1, 3, 5, 7, 9, 11, 13],
        "SS": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
        "EE": [1, 3, 4, 5, 5, 6, 6, 7, 8, 10],
    }


def test_every_stock_starts_at_five() -> None:
    state = stockpile.setup(3, {"advanced_board": 1}, Dealer("board"))
    assert [ticker.price for ticker in stockpile.view(state, None).market] == [5] * 6
    spaces = [state.tickers[company] for company in ("CC", "BB", "LL", "AA", "SS", "EE")]
    assert spaces == [2, 4, 4, 2, 8, 4]


@pytest.mark.parametrize(
    ("company", "steps", "octagon"),
    [("CC", 3, 5), ("BB", 2, 4), ("LL", 6, 6), ("AA", 5, 7), ("EE", 6, 5)],
)
def test_a_split_takes_so_many_steps_and_returns_to_the_octagon(
    company: str, steps: int, octagon: int
) -> None:
    state, dealer = table(board="advanced"), Dealer("split")
    market.rise(state, company, steps - 1, dealer)
    assert "split" not in kinds(dealer.events)
    market.rise(state, company, 1, dealer)
    assert "split" in kinds(dealer.events)
    assert state.price(company) == octagon


@pytest.mark.parametrize(
    ("company", "steps"), [("CC", 3), ("BB", 5), ("LL", 5), ("AA", 3), ("SS", 9), ("EE", 5)]
)
def test_a_bankruptcy_takes_so_many_steps_and_returns_to_the_start(
    company: str, steps: int
) -> None:
    state, dealer = table(board="advanced"), Dealer("bust")
    market.fall(state, company, steps - 1, dealer)
    assert "bankrupt" not in kinds(dealer.events)
    assert state.price(company) == 1
    market.fall(state, company, 1, dealer)
    assert "bankrupt" in kinds(dealer.events)
    assert state.price(company) == 5


def test_a_forecast_moves_by_spaces_and_not_by_value() -> None:
    state = table(board="advanced", pairs={"AA": "+2", "CC": "-2", "EE": "+1"})
    begin(state, "movement")
    assert [state.price(company) for company in ("AA", "CC", "EE")] == [9, 1, 6]


def test_the_rest_of_a_move_goes_on_from_the_octagon() -> None:
    state = table(board="advanced", pairs={"CC": "+4"}, shares={0: "CC"})
    begin(state, "movement")
    assert state.price("CC") == 7
    assert held(state.players[0].split) == {"CC": 1}


def test_a_short_track_may_split_twice_in_one_move() -> None:
    state = table(board="advanced", pairs={"BB": "+4"}, prices={"BB": 6}, shares={0: "BB BB"})
    events = begin(state, "movement")
    assert [facts["cards"] for facts in told(events, "split")] == [[2, 0, 0], [0, 0, 0]]
    assert told(events, "split_again") == [{"seat": 0, "company": "BB", "cards": 2, "money": 20}]
    assert state.price("BB") == 4
    assert held(state.players[0].split) == {"BB": 2}
    assert cash(state)[0] == 20 + 20


@pytest.mark.parametrize(
    ("space", "forecast", "each"),
    [(0, "+1", 1), (0, "+2", 1), (1, "+1", None), (1, "+2", 1), (0, "+4", 2), (3, "+4", 2)],
)
def test_steel_pays_a_thousand_a_share_for_each_dollar_entered_or_passed(
    space: int, forecast: str, each: int | None
) -> None:
    state = steel(space, forecast, shares={0: "SS SS"})
    events = begin(state, "movement")
    declared = [facts["each"] for facts in told(events, "dividend_declared")]
    assert declared == ([each] if each else [])
    if each:
        play(state, 0, Collect(2, 0))
        assert cash(state)[0] == 20 + 2 * each


def test_steel_pays_nothing_on_its_way_down() -> None:
    state = steel(8, "-3", shares={0: "SS"})
    events = begin(state, "movement")
    assert told(events, "dividend_declared") == []
    assert state.tickers["SS"] == 5


def test_steel_pays_twice_for_split_cards() -> None:
    state = steel(0, "+1", shares={0: "SS"}, split={0: "SS"})
    begin(state, "movement")
    play(state, 0, Collect(1, 1))
    assert cash(state)[0] == 20 + 3


def test_nobody_need_show_their_steel() -> None:
    state = steel(0, "+1", shares={0: "SS", 1: "CC"})
    begin(state, "movement")
    assert on_turn(state) == [0, 1]
    play(state, 0, Collect(0, 0))
    assert cash(state)[0] == 20


def test_dollars_before_a_split_are_paid_on_cards_that_have_not_doubled() -> None:
    state = steel(8, "+2", shares={0: "SS SS"})
    begin(state, "movement")
    assert state.tickers["SS"] == 9
    play(state, 0, Collect(2, 0))
    assert cash(state)[0] == 22
    assert state.price("SS") == 3
    assert held(state.players[0].split) == {"SS": 2}


def test_dollars_after_a_split_are_paid_on_doubled_cards() -> None:
    state = steel(8, "+4", shares={0: "SS SS"})
    begin(state, "movement")
    play(state, 0, Collect(2, 0))
    assert stockpile.legal(state, 0)[-1] == Collect(0, 2)
    play(state, 0, Collect(0, 2))
    assert cash(state)[0] == 20 + 2 + 4
    assert state.tickers["SS"] == 6


def test_steel_splits_at_once_from_the_last_space() -> None:
    state = steel(9, "+1", shares={0: "SS"})
    events = begin(state, "movement")
    assert told(events, "dividend_declared") == []
    assert state.tickers["SS"] == 4


def test_an_action_card_makes_steel_pay_and_the_next_player_waits() -> None:
    state = table(
        board="advanced", spaces={"SS": 0}, actions={0: "boom", 1: "bust"}, shares={2: "SS"}
    )
    begin(state, "action")
    play(state, 0, Boom("SS"))
    assert 2 in on_turn(state)
    assert Bust("SS") not in stockpile.legal(state, 1)
    for seat in on_turn(state):
        play(state, seat, stockpile.legal(state, seat)[-1])
    assert cash(state)[2] == 21
    assert on_turn(state) == [1]
    assert Bust("SS") in stockpile.legal(state, 1)


def test_the_same_player_goes_on_after_steel_has_paid() -> None:
    state = table(board="advanced", spaces={"SS": 0}, actions={0: "boom boom"}, shares={0: "SS"})
    begin(state, "action")
    play(state, 0, Boom("SS"), Collect(1, 0), Boom("SS"), Collect(1, 0))
    assert cash(state)[0] == 22
    assert state.tickers["SS"] == 4


def test_dollars_pay_open_fees() -> None:
    state = steel(0, "+4", shares={0: "SS"}, fees={0: "fee2"}, cash={0: 0})
    begin(state, "movement")
    play(state, 0, Collect(1, 0))
    assert (cash(state)[0], state.players[0].fees) == (0, [])
