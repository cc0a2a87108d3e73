"""What is marked as new on a player's board: all that others have done since."""

import pytest

from stockpile_web.games.stockpile.board.news import news

ME, OTHER, THIRD = 0, 1, 2


def test_without_events_there_is_no_news():
    sum_ = news([], ME)
    assert not any((sum_.moved, sum_.fate, sum_.gained, sum_.fresh))


def test_steps_of_a_ticker_and_money_of_a_seat_are_added_up():
    sum_ = news(
        [
            {"kind": "ticker_moved", "company": "AA", "steps": 3},
            {"kind": "ticker_moved", "company": "AA", "steps": -1},
            {"kind": "ticker_moved", "company": "BB", "steps": -2},
            {"kind": "sold", "seat": OTHER, "money": 5},
            {"kind": "fee_paid", "seat": OTHER, "money": -2},
        ],
        ME,
    )
    assert sum_.moved == {"AA": 2, "BB": -2}
    assert sum_.gained == {OTHER: 3}


@pytest.mark.parametrize("kind", ["split", "bankrupt"])
def test_a_company_that_split_or_went_bankrupt_is_marked(kind):
    assert news([{"kind": kind, "company": "CC"}], ME).fate == {"CC": kind}


def test_cards_that_others_laid_are_fresh_and_my_own_are_not():
    events = [
        {"kind": "placed", "seat": ME, "up_pile": 0, "down_pile": 1},
        {"kind": "placed", "seat": OTHER, "up_pile": 1, "down_pile": 1},
        {"kind": "placed_hidden", "seat": THIRD, "piles": [0, 2]},
        {"kind": "goods_placed", "seat": OTHER, "cards": ["oil"], "piles": [2]},
        {"kind": "first_card_placed", "seat": OTHER, "pile": 3},
    ]
    sum_ = news(events, ME)
    assert sum_.fresh == {0: 1, 1: 2, 2: 2, 3: 1}
    assert news(events, None).fresh == {0: 2, 1: 3, 2: 2, 3: 1}


@pytest.mark.parametrize("kind", ["piles_opened", "piles_laid"])
def test_when_new_piles_are_begun_their_first_cards_are_fresh(kind):
    events = [
        {"kind": "placed", "seat": OTHER, "up_pile": 2, "down_pile": 0},
        {"kind": kind, "cards": ["AA", "BB"]},
    ]
    sum_ = news(events, ME)
    assert sum_.fresh == {0: 1, 1: 1, 2: 1}


def test_a_pile_that_was_won_has_no_fresh_cards():
    events = [
        {"kind": "placed", "seat": OTHER, "up_pile": 0, "down_pile": 1},
        {"kind": "pile_won", "seat": ME, "pile": 0, "money": -3},
    ]
    sum_ = news(events, ME)
    assert (sum_.fresh, sum_.gained) == ({0: 0, 1: 1}, {ME: -3})
