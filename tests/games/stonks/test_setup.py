"""Setting up: tiles, tokens, hands, the secret choice of two cards, and who starts."""

from collections import Counter

import pytest

from stockpile_web.games import stonks
from stockpile_web.games.stonks.data import BIG, CARDS, COMPANIES, ICONS, OPTIONS, SMALL
from stockpile_web.games.stonks.moves import Invest
from tests.games.stonks.table import choosing, deal, play, told, values


def test_there_are_65_cards_thirteen_of_each_company() -> None:
    assert len(CARDS) == 65
    assert Counter(face.company for face in CARDS.values()) == dict.fromkeys(COMPANIES, 13)
    assert CARDS["GG12"].number == 12


def test_only_the_five_lowest_numbers_have_fluctuation_icons_and_all_have_stocks() -> None:
    assert [number for number, (_, icons) in ICONS.items() if icons] == [1, 2, 3, 4, 5]
    assert {icons for _, icons in ICONS.values()} == {0, 1, 2}
    assert {stocks for stocks, _ in ICONS.values()} == {1, 2, 3}
    assert sum(stocks for stocks, _ in ICONS.values()) == 24


@pytest.mark.parametrize(
    ("seats", "hand", "pile"), [(2, 11, 43), (3, 9, 25), (4, 11, 21), (5, 9, 20)]
)
def test_hands_are_dealt_by_the_number_of_players(seats: int, hand: int, pile: int) -> None:
    state, _ = deal(seats)
    assert [len(player.hand) for player in state.players] == [hand] * seats
    play(state, *[Invest(*player.hand[:2]) for player in state.players])
    assert len(state.pile) + 1 == pile  # One of them is the market card.


def test_tokens_start_on_levels_one_to_five_from_the_left() -> None:
    state, _ = deal(4)
    assert [tile.level for tile in state.tiles] == [1, 2, 3, 4, 5]
    assert [tile.value for tile in state.tiles] == [1, 2, 3, 4, 5]


def test_the_order_of_tiles_is_drawn_by_lot() -> None:
    orders = {tuple(tile.company for tile in deal(4, seed=str(n))[0].tiles) for n in range(9)}
    assert len(orders) > 5


def test_three_players_leave_a_company_out_of_the_whole_game() -> None:
    state, events = deal(3)
    (left_out,) = told(events, "tiles_laid")[0]["left_out"]
    assert left_out not in values(state)
    for _ in range(2):  # It does not come back with the next round either.
        held = [*state.pile, *(card for player in state.players for card in player.hand)]
        assert len(held) == 52 and not any(card.startswith(left_out) for card in held)
        while state.round == 1:
            play(state, stonks.legal(state, state.on_turn()[0])[0])


def test_three_players_start_on_levels_one_two_four_and_five() -> None:
    state, _ = deal(3)
    assert [tile.level for tile in state.tiles] == [1, 2, 4, 5]
    assert [tile.value for tile in state.tiles] == [1, 2, 4, 5]


def test_two_players_use_the_small_side_with_all_five_companies() -> None:
    state, _ = deal(2)
    assert [tile.value for tile in state.tiles] == [1, 1, 2, 2, 3]
    assert state.rounds == 2


@pytest.mark.parametrize("seats", stonks.SEATS)
def test_at_the_start_the_leftmost_company_is_trump(seats: int) -> None:
    state, _ = deal(seats)
    assert state.trump() == state.tiles[0].company


def test_moderate_uses_the_small_side_of_every_tile() -> None:
    assert [tile.value for tile in deal(4, "moderate")[0].tiles] == [1, 1, 2, 2, 3]
    assert [tile.value for tile in deal(3, "moderate")[0].tiles] == [1, 1, 2, 3]
    assert deal(4, "moderate")[0].keeps_black and not deal(4)[0].keeps_black


def test_small_caps_are_on_the_left_and_blue_chips_on_the_right() -> None:
    state, _ = deal(5, "small_caps")
    assert [tile.values for tile in state.tiles] == [SMALL, SMALL, SMALL, BIG, BIG]
    assert [tile.value for tile in state.tiles] == [1, 1, 2, 4, 5]
    assert not state.keeps_black


def test_with_three_players_the_first_three_tiles_are_small_caps_and_the_fourth_a_blue_chip() -> (
    None
):
    state, _ = deal(3, "small_caps")
    assert [tile.values for tile in state.tiles] == [SMALL, SMALL, SMALL, BIG]
    assert [tile.level for tile in state.tiles] == [1, 2, 3, 4]
    assert [tile.value for tile in state.tiles] == [1, 1, 2, 4]


def test_two_players_play_their_own_game_whatever_is_chosen() -> None:
    for options in (["small_caps"], ["rounds_5"], ["standard", "rounds_1"]):
        assert deal(2, *options)[0] == deal(2)[0]


def test_a_game_has_three_rounds_unless_the_table_chooses_one_to_five() -> None:
    assert deal(4)[0].rounds == 3
    lengths = [option.key for option in OPTIONS if option.key.startswith("rounds_")]
    assert [deal(3, key)[0].rounds for key in lengths] == [1, 2, 3, 4, 5]


def test_all_choose_two_different_cards_at_the_same_time() -> None:
    state, _ = deal(4)
    assert state.on_turn() == [0, 1, 2, 3]
    moves = stonks.legal(state, 2)
    assert len(moves) == 11 * 10
    assert all(isinstance(move, Invest) and move.show != move.hide for move in moves)


def test_nobody_sees_what_others_chose_before_all_have() -> None:
    state = choosing({0: "GG7 RA8 CO1", 1: "CO5 CO6 MG1", 2: "PA1 PA2 MG2"})
    events = play(state, Invest("GG7", "RA8"))
    assert told(events, "invested") == [{"seat": 0}]
    assert events[0].seen_by(0) == {"kind": "invested", "seat": 0, "show": "GG7", "hide": "RA8"}
    assert "GG7" not in str(stonks.view(state, 1)) and "RA8" not in str(stonks.view(state, 1))
    own = stonks.view(state, 0).own
    assert own is not None and own.chosen == ["GG7", "RA8"]
    assert state.on_turn() == [1, 2]


def test_when_all_have_chosen_one_card_of_each_is_shown_and_one_stays_hidden() -> None:
    state = choosing({0: "GG7 RA8 CO1", 1: "CO5 CO6 MG1", 2: "PA1 PA2 MG2"})
    events = play(state, Invest("GG7", "RA8"), Invest("CO6", "CO5"), Invest("PA1", "PA2"))
    assert told(events, "portfolios_shown") == [{"cards": ["GG7", "CO6", "PA1"]}]
    seen = stonks.view(state, 1)
    assert [player.hidden for player in seen.players] == [1, 1, 1]
    assert "RA8" not in str(seen) and "PA2" not in str(seen)
    assert seen.own is not None and seen.own.hidden == ["CO5"]
    assert "RA8" in str(stonks.view(state, 0))


def test_the_lowest_card_of_the_lowest_company_starts() -> None:
    state = choosing({0: "GG1 RA8 CO1", 1: "CO9 CO6 MG1", 2: "CO8 PA2 MG2"})
    play(state, Invest("GG1", "RA8"), Invest("CO9", "CO6"), Invest("CO8", "PA2"))
    assert state.on_turn() == [2]


def test_of_companies_that_share_the_lowest_value_the_lowest_number_starts() -> None:
    hands = {0: "CO9 CO6 MG1", 1: "GG4 RA8 CO1", 2: "RA1 PA2 MG2"}
    state = choosing(hands, levels="CO2 GG2 MG3 PA4 RA5")
    play(state, Invest("CO9", "CO6"), Invest("GG4", "RA8"), Invest("RA1", "PA2"))
    assert state.on_turn() == [1]


def test_of_equal_numbers_of_equal_value_the_left_company_starts() -> None:
    hands = {0: "GG4 CO6 MG1", 1: "CO4 RA8 CO1", 2: "RA1 PA2 MG2"}
    state = choosing(hands, levels="CO2 GG2 MG3 PA4 RA5")
    play(state, Invest("GG4", "CO6"), Invest("CO4", "RA8"), Invest("RA1", "PA2"))
    assert state.on_turn() == [1]


def test_a_later_round_is_started_by_the_values_of_that_moment() -> None:
    hands = {0: "CO9 CO6 MG1", 1: "GG4 RA8 CO1", 2: "RA5 PA2 MG2"}
    state = choosing(hands, levels="CO5 GG4 MG3 PA4 RA1")
    state.round = 2
    play(state, Invest("CO9", "CO6"), Invest("GG4", "RA8"), Invest("RA5", "PA2"))
    assert state.on_turn() == [2]
