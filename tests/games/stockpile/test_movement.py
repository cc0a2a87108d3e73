"""The Movement Phase: forecasts, dividends, splits and bankruptcies."""

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Collect, Done
from stockpile_web.games.stockpile.state import Pair
from tests.games.stockpile.table import begin, cash, held, in_log, on_turn, play, table, told


@pytest.mark.parametrize(
    ("forecast", "value"), [("+4", 9), ("+2", 7), ("+1", 6), ("-2", 3), ("-3", 2)]
)
def test_a_forecast_moves_its_company(forecast: str, value: int) -> None:
    state = table(pairs={"LL": forecast})
    begin(state, "movement")
    assert [state.price(company) for company in ("CC", "LL", "EE")] == [5, value, 5]


def test_pairs_are_revealed_in_turn_order_then_face_up_then_face_down() -> None:
    state = table(4, first=2)
    dealt = begin(state, "outlook")
    companies = [pair.company for pair in state.pairs]
    revealed = told(begin(state, "movement"), "pair_revealed")
    assert [facts["seat"] for facts in revealed] == [2, 3, 0, 1, None, None]
    assert [facts["company"] for facts in revealed] == companies
    assert revealed[4]["company"] == told(dealt, "pair_opened")[0]["company"]


def test_the_face_up_pair_moves_before_the_face_down_ones() -> None:
    state = table()
    state.pairs = [
        Pair("AA", "+1", 0, [0]),
        Pair("BB", "+1", None, [], up=True),
        Pair("CC", "+1", None, []),
    ]
    events = begin(state, "movement")
    assert [facts["company"] for facts in told(events, "ticker_moved")] == ["AA", "BB", "CC"]


def test_a_pair_that_was_revealed_lies_open_and_the_next_one_is_still_hidden() -> None:
    state = table(pairs={"EE": "$$", "AA": "+2"}, shares={0: "EE"})
    begin(state, "movement")
    shown, hidden = stockpile.view(state, None).pairs
    assert (shown.company, shown.forecast, shown.up, shown.moved) == ("EE", "$$", True, True)
    assert (hidden.company, hidden.forecast, hidden.up, hidden.moved) == (None, None, False, False)


def test_a_dividend_pays_two_thousand_a_share_and_leaves_the_value() -> None:
    state = table(pairs={"EE": "$$"}, shares={0: "EE EE EE"})
    begin(state, "movement")
    play(state, 0, Collect(3, 0))
    assert cash(state)[0] == 26
    assert state.price("EE") == 5
    assert held(state.players[0].shares) == {"EE": 3}


def test_a_split_card_collects_twice() -> None:
    state = table(pairs={"EE": "$$"}, split={0: "EE EE"}, shares={0: "EE"})
    begin(state, "movement")
    play(state, 0, Collect(1, 2))
    assert cash(state)[0] == 20 + 2 + 8


def test_a_player_may_show_some_cards_and_not_others() -> None:
    state = table(pairs={"EE": "$$"}, split={0: "EE"}, shares={0: "EE EE"})
    begin(state, "movement")
    assert stockpile.legal(state, 0) == [
        Collect(cards, split) for cards in range(3) for split in range(2)
    ]
    events = play(state, 0, Collect(1, 0))
    assert cash(state)[0] == 22
    assert told(events, "dividend_collected") == [
        {"seat": 0, "company": "EE", "cards": 1, "split": 0, "money": 2},
    ]


def test_a_player_may_show_nothing() -> None:
    state = table(pairs={"EE": "$$"}, shares={0: "EE"})
    begin(state, "movement")
    play(state, 0, Collect(0, 0))
    assert cash(state)[0] == 20


def test_a_player_with_face_down_cards_is_asked_even_without_the_company() -> None:
    state = table(4, pairs={"EE": "$$"}, shares={0: "AA", 1: "EE"}, split={2: "AA", 3: "EE"})
    begin(state, "movement")
    assert on_turn(state) == [0, 1, 3]  # All know that seat 2 has nothing but American Automotive.
    assert stockpile.legal(state, 0) == [Collect(0, 0)]


def test_everyone_collects_at_once_and_the_market_waits_for_the_last() -> None:
    state = table(pairs={"EE": "$$", "AA": "+2"}, shares={0: "EE", 1: "CC", 2: "EE"})
    begin(state, "movement")
    for seat in (2, 0, 1):
        assert state.price("AA") == 5
        play(state, seat, Collect(0, 0))
    assert state.price("AA") == 7


def test_what_is_shown_for_a_dividend_is_shown_by_all_together_when_the_last_has_answered() -> None:
    shares = {0: "EE", 1: "CC", 2: "EE EE"}
    state = table(pairs={"EE": "$$"}, shares=shares, first=1)
    begin(state, "movement")
    assert told(play(state, 2, Collect(2, 0)), "dividend_collected") == []
    assert told(play(state, 0, Collect(1, 0)), "dividend_collected") == []
    assert cash(state) == [20, 20, 20]
    events = play(state, 1, Collect(0, 0))
    shown = [(facts["seat"], facts["cards"]) for facts in told(events, "dividend_collected")]
    assert shown == [(1, 0), (2, 2), (0, 1)]  # In turn order.
    assert cash(state) == [22, 20, 24]


def test_nobody_sees_what_another_has_answered_but_all_see_who_has() -> None:
    views = []
    for answer in (Collect(0, 0), Collect(2, 0)):
        state = table(pairs={"EE": "$$"}, shares={0: "EE", 1: "CC", 2: "EE EE"})
        begin(state, "movement")
        events = play(state, 2, answer)
        assert [event.seen_by(viewer) for event in events for viewer in (None, 0, 1)] == [None] * 3
        views.append([stockpile.view(state, viewer) for viewer in (None, 0, 1)])
    assert views[0] == views[1]
    for seen in views[0]:
        assert seen.dividend is not None
        assert seen.dividend.asked == seen.on_turn == [0, 1]
        assert seen.dividend.answer is None


def test_an_answer_can_be_taken_back_until_the_last_one_is_in() -> None:
    state = table(pairs={"EE": "$$"}, shares={0: "EE", 1: "EE", 2: "EE EE"})
    begin(state, "movement")
    news = []
    for seat in (2, 0, 1):
        dealer = Dealer("answers", seat)
        stockpile.play(state, seat, Collect(1, 0), dealer)
        news.append(dealer.has_news_for(seat, Collect(1, 0)))
    assert news == [False, False, True]


def test_whoever_has_answered_a_dividend_is_told_what_and_still_sees_it() -> None:
    state = table(pairs={"EE": "$$"}, shares={0: "EE", 2: "EE EE"}, split={2: "EE"})
    begin(state, "movement")
    events = play(state, 2, Collect(1, 1))
    assert in_log(events, viewer=2) == "You answer that you show 2 cards."
    seen = stockpile.view(state, 2).dividend
    assert seen is not None
    assert seen.answer == (1, 1)
    assert stockpile.legal(state, 2) == []


def test_an_open_fee_is_paid_at_once_out_of_a_dividend() -> None:
    state = table(pairs={"EE": "$$"}, shares={0: "EE EE"}, fees={0: "fee3"}, cash={0: 0})
    begin(state, "movement")
    play(state, 0, Collect(2, 0))
    assert (cash(state)[0], state.players[0].fees) == (1, [])


def test_a_dividend_that_nobody_can_collect_asks_nobody() -> None:
    state = table(pairs={"EE": "$$"})
    begin(state, "movement")
    assert state.round == 2


@pytest.mark.parametrize(
    ("value", "forecast", "after"),
    [
        (9, "+4", 8),  # The rulebook's example: two steps to the split, two more from six.
        (9, "+2", 6),  # Exactly on the split.
        (10, "+1", 6),
        (10, "+2", 7),
        (10, "+4", 9),
        (8, "+4", 7),
        (7, "+4", 6),
    ],
)
def test_a_value_above_ten_splits_returns_to_six_and_goes_on(
    value: int, forecast: str, after: int
) -> None:
    state = table(pairs={"EE": forecast}, prices={"EE": value}, shares={0: "EE"})
    events = begin(state, "movement")
    assert len(told(events, "split")) == 1
    assert state.price("EE") == after
    assert held(state.players[0].split) == {"EE": 1}


@pytest.mark.parametrize(("value", "forecast"), [(9, "+1"), (6, "+4"), (8, "+2")])
def test_a_value_of_ten_does_not_split(value: int, forecast: str) -> None:
    state = table(pairs={"EE": forecast}, prices={"EE": value}, shares={0: "EE"})
    begin(state, "movement")
    assert state.price("EE") == 10
    assert held(state.players[0].shares) == {"EE": 1}


def test_a_split_moves_every_card_of_the_company_and_shows_it_to_all() -> None:
    shares = {0: "EE EE AA", 2: "EE"}
    state = table(pairs={"EE": "+1"}, prices={"EE": 10}, shares=shares)
    events = begin(state, "movement")
    assert told(events, "split") == [{"company": "EE", "cards": [2, 0, 1], "after": 6}]
    assert [held(player.split) for player in state.players] == [{"EE": 2}, {}, {"EE": 1}]
    assert held(state.players[0].shares) == {"AA": 1}
    assert stockpile.view(state, None).players[0].split == {"EE": 2}


def test_a_second_split_pays_ten_thousand_a_card_that_is_split_and_it_stays() -> None:
    state = table(
        pairs={"EE": "+1"}, prices={"EE": 10}, shares={0: "EE"}, split={0: "EE EE", 1: "EE AA"}
    )
    events = begin(state, "movement")
    assert cash(state) == [40, 30, 20]
    assert held(state.players[0].split) == {"EE": 3}
    assert held(state.players[1].split) == {"EE": 1, "AA": 1}
    assert [facts["money"] for facts in told(events, "split_again")] == [20, 10]


def test_an_open_fee_is_paid_at_once_out_of_a_split() -> None:
    state = table(
        pairs={"EE": "+1"}, prices={"EE": 10}, split={0: "EE"}, fees={0: "fee2"}, cash={0: 0}
    )
    begin(state, "movement")
    assert (cash(state)[0], state.players[0].fees) == (8, [])


@pytest.mark.parametrize(
    ("value", "forecast"), [(1, "-2"), (2, "-2"), (1, "-3"), (2, "-3"), (3, "-3")]
)
def test_below_one_a_stock_is_bankrupt_and_starts_again_at_five(value: int, forecast: str) -> None:
    state = table(pairs={"EE": forecast}, prices={"EE": value}, shares={0: "EE"})
    begin(state, "movement")
    assert state.price("EE") == 5
    assert held(state.players[0].shares) == {}


@pytest.mark.parametrize(("value", "forecast"), [(3, "-2"), (4, "-3")])
def test_a_value_of_one_is_not_bankrupt(value: int, forecast: str) -> None:
    state = table(pairs={"EE": forecast}, prices={"EE": value}, shares={0: "EE"})
    begin(state, "movement")
    assert state.price("EE") == 1
    assert held(state.players[0].shares) == {"EE": 1}


def test_a_bankruptcy_takes_every_card_of_the_company_split_ones_too() -> None:
    state = table(
        pairs={"EE": "-3"}, prices={"EE": 1}, shares={0: "EE AA", 1: "EE EE"}, split={1: "EE AA"}
    )
    events = begin(state, "movement")
    assert [held(player.shares) for player in state.players] == [{"AA": 1}, {}, {}]
    assert [held(player.split) for player in state.players] == [{}, {"AA": 1}, {}]
    assert state.discard == ["EE"] * 4
    assert told(events, "bankrupt") == [{"company": "EE", "cards": [1, 3, 0], "after": 5}]
    assert cash(state) == [20, 20, 20]


def test_movement_follows_when_the_last_player_has_sold() -> None:
    state = table(pairs={"EE": "+1"}, shares={0: "AA", 1: "CC"})
    begin(state, "selling")
    play(state, 0, Done())
    assert state.price("EE") == 5
    play(state, 1, Done())
    assert state.price("EE") == 6
