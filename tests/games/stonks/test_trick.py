"""A trick: the market card, following, who wins, and what the winner acquires."""

from stockpile_web.games import stonks
from stockpile_web.games.stonks.moves import Acquire, Announce, Disguise, PlayCard
from tests.games.stonks.table import cards_open_to, lay, play, table, told


def test_each_trick_opens_a_market_card_for_all_to_see() -> None:
    state = table(market="GG7", pile="CO9")
    assert stonks.view(state, None).market == "GG7"
    assert len(state.pile) == 1


def test_the_starting_player_may_lead_any_card_and_its_company_leads() -> None:
    state = table({0: "GG12 RA6 CO9"})
    assert cards_open_to(state, 0) == {"GG12", "RA6", "CO9"}
    play(state, lay("GG12"))
    assert state.leading == "GG"
    assert state.on_turn() == [1]


def test_a_player_must_follow_the_leading_company() -> None:
    state = table({0: "GG12 MG1", 1: "GG6 GG9 RA8"})
    play(state, lay("GG12"))
    assert stonks.legal(state, 1) == [lay("GG6"), lay("GG9")]


def test_whoever_cannot_follow_may_play_any_card_trump_or_not() -> None:
    state = table({0: "GG12 MG1", 1: "CO9 RA8"}, used=(1,))
    play(state, lay("GG12"))
    assert stonks.legal(state, 1) == [lay("CO9"), lay("RA8")]


def test_the_highest_card_of_the_leading_company_wins_without_trump() -> None:
    state = table({0: "GG10 MG9", 1: "GG6 MG8", 2: "RA13 MG7"})
    events = play(state, lay("GG10"), lay("GG6"), lay("RA13"))
    assert told(events, "trick_won") == [{"seat": 0, "card": "GG10", "by_trump": False}]


def test_the_highest_trump_wins() -> None:
    state = table({0: "GG13 MG9", 1: "CO6 MG8", 2: "CO9 MG7"})
    events = play(state, lay("GG13"), lay("CO6"), lay("CO9"))
    assert told(events, "trick_won") == [{"seat": 2, "card": "CO9", "by_trump": True}]


def test_if_the_trump_company_leads_its_highest_card_wins() -> None:
    state = table({0: "CO6 MG9", 1: "CO8 MG8", 2: "RA13 MG7"})
    events = play(state, lay("CO6"), lay("CO8"), lay("RA13"))
    assert told(events, "trick_won") == [{"seat": 1, "card": "CO8", "by_trump": False}]


def test_the_market_card_never_wins() -> None:
    state = table({0: "GG10 MG9", 1: "GG6 MG8", 2: "GG9 MG7"}, market="CO13")
    play(state, lay("GG10"), lay("GG6"), lay("GG9"))
    assert state.on_turn() == [0]


def test_arrows_on_the_market_card_move_nothing_even_when_it_is_taken() -> None:
    state = table({0: "GG10 MG9 MG1", 1: "GG6 MG8 MG2", 2: "GG9 MG7 MG3"}, market="PA1")
    before = [tile.level for tile in state.tiles]
    play(state, lay("GG10"), lay("GG6"), lay("GG9"), Acquire("PA1"))
    assert [tile.level for tile in state.tiles] == before


def test_the_trump_of_the_moment_when_all_have_played_counts() -> None:
    """Green Grass falls below Carotte Orange with the last card, and its 10 wins."""
    state = table({0: "MG12 MG9", 1: "GG10 PA9", 2: "RA2 PA8"}, levels="CO2 GG3 MG4 PA4 RA5")
    events = play(state, lay("MG12"), lay("GG10"), lay("RA2", "GG", up=False))
    assert told(events, "trump_changed") == [{"company": "GG"}]
    assert told(events, "trick_won")[0]["card"] == "GG10"


def test_the_winner_takes_one_card_of_the_trick_or_the_market_card() -> None:
    state = table({0: "GG10 MG9 MG1", 1: "GG6 MG8 MG2", 2: "RA13 MG7 MG3"}, market="PA8")
    play(state, lay("GG10"), lay("GG6"), lay("RA13"))
    assert state.on_turn() == [0]
    assert stonks.legal(state, 0) == [Acquire(c) for c in ("GG10", "GG6", "RA13", "PA8")]
    play(state, Acquire("PA8"))
    assert state.players[0].portfolio == ["PA8"]


def test_the_winner_must_take_a_card_before_anything_goes_on() -> None:
    state = table({0: "GG10 MG9 MG1", 1: "GG6 MG8 MG2", 2: "RA13 MG7 MG3"})
    play(state, lay("GG10"), lay("GG6"), lay("RA13"))
    assert [bool(stonks.legal(state, seat)) for seat in range(3)] == [True, False, False]


def test_the_other_cards_are_discarded_for_all_to_see_with_the_market_card() -> None:
    state = table({0: "GG10 MG9 MG1", 1: "GG6 MG8 MG2", 2: "RA13 MG7 MG3"}, market="PA8")
    play(state, lay("GG10"), lay("GG6"), lay("RA13"), Acquire("GG6"))
    assert stonks.view(state, None).discard == ["GG10", "RA13", "PA8"]


def test_the_winner_starts_the_next_trick_with_a_new_market_card() -> None:
    hands = {0: "GG6 MG9 MG1", 1: "GG10 MG8 MG2", 2: "RA13 MG7 MG3"}
    state = table(hands, market="PA8", pile="PA9 PA7")
    events = play(state, lay("GG6"), lay("GG10"), lay("RA13"), Acquire("GG10"))
    assert told(events, "market_opened") == [{"card": "PA7", "seat": 1}]
    assert state.on_turn() == [1]
    assert state.leading == ""


def test_players_play_clockwise_from_the_starting_player() -> None:
    state = table({0: "GG6 MG9", 1: "GG10 MG8", 2: "GG9 MG7", 3: "GG8 MG6"}, seats=4, leader=2)
    order = []
    for card in ("GG9", "GG8", "GG6", "GG10"):
        order += state.on_turn()
        play(state, lay(card))
    assert order == [2, 3, 0, 1]


def test_only_who_is_on_turn_has_a_move() -> None:
    state = table(leader=1)
    assert stonks.legal(state, 0) == stonks.legal(state, 2) == []


def test_the_view_says_whose_card_is_ahead_but_not_by_a_card_that_lies_face_down() -> None:
    state = table({0: "GG13 MG9", 1: "GG6 MG8", 2: "RA13 MG7"})
    play(state, Announce("GG13", "GG"))
    assert [stonks.view(state, viewer).ahead for viewer in (None, 0, 1)] == [None] * 3
    play(state, lay("GG6"))
    assert [stonks.view(state, viewer).ahead for viewer in (None, 0, 1)] == [1] * 3


def test_moves_of_a_trick_are_of_the_right_kind() -> None:
    state = table({0: "GG10 RA3", 1: "RA9 PA9", 2: "GG6 MG7"})
    assert {type(move) for move in stonks.legal(state, 0)} == {PlayCard, Announce}
    play(state, lay("GG10"))
    assert {type(move) for move in stonks.legal(state, 1)} == {PlayCard, Disguise}
    play(state, lay("RA9"))
    assert {type(move) for move in stonks.legal(state, 2)} == {PlayCard}
