"""The end of a round and of the game: points, tie-breaks, the next round, and two players."""

from typing import Any

from stockpile_web.engine import Event
from stockpile_web.games import stonks
from stockpile_web.games.stonks.moves import Acquire, Announce, Invest
from tests.games.stonks.table import deal, lay, play, table, told, values

LAST = {0: "GG10 MG9", 1: "GG6 MG8", 2: "GG9 MG13"}
EVERYBODY = (0, 1, 2)


def last_trick(state: stonks.State) -> list[Event]:
    """Play the last trick, which Ann wins with the 10; she takes the 6 with its three stocks."""
    return play(state, lay("GG10"), lay("GG6"), lay("GG9"), Acquire("GG6"))


def totals(state: stonks.State) -> list[int]:
    return [player.score for player in state.players]


def test_the_round_ends_with_one_card_in_hand_which_nobody_sees_and_which_scores_nothing() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY)
    events = last_trick(state)
    assert told(events, "round_ended") == [{"round": 1}]
    assert state.phase == "over"
    assert totals(state) == [3 * 2, 0, 0]
    assert not any("MG8" in str(event) for event in events)
    assert "MG8" not in str(stonks.view(state, None))


def test_five_stocks_at_value_three_are_fifteen_points() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios={1: "MG6 MG5"})
    last_trick(state)
    assert totals(state)[1] == 15


def test_the_face_down_card_is_turned_up_and_scored() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios={1: "MG6"}, hidden={1: "RA7"})
    events = last_trick(state)
    assert totals(state)[1] == 3 * 3 + 3 * 5
    scored = told(events, "round_scored")[1]
    assert scored["hidden"] == ["RA7"] and scored["money"] == 24
    assert [line["company"] for line in scored["lines"]] == ["MG", "RA"]


def test_an_unused_speculation_card_is_a_stock_of_the_trump_company_owned_or_not() -> None:
    state = table(LAST, rounds=1, used=(0, 2), levels="CO3 GG2 MG3 PA4 RA5")
    last_trick(state)
    assert totals(state)[1] == 2


def test_the_values_at_the_end_of_the_round_count() -> None:
    hands = {0: "GG10 MG9", 1: "GG5 MG8", 2: "GG9 MG13"}
    state = table(hands, rounds=1, used=EVERYBODY, portfolios={2: "RA6"})
    moves = lay("GG10"), lay("GG5", "RA", up=False), lay("GG9"), Acquire("GG10")
    play(state, *moves)
    assert totals(state)[2] == 3 * 4


def test_points_of_all_rounds_are_added_and_told_by_company_and_round() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios={0: "MG6", 1: "RA7"})
    last_trick(state)
    result = stonks.result(state)
    assert result is not None
    assert [score.total for score in result.scores] == [15, 15, 0]
    assert result.scores[0].lines == [
        {"kind": "stocks", "round": 1, "company": "GG", "stocks": 3, "value": 2, "money": 6},
        {"kind": "stocks", "round": 1, "company": "MG", "stocks": 3, "value": 3, "money": 9},
    ]


def test_the_next_round_keeps_the_market_and_renews_the_cards() -> None:
    state = table(LAST, rounds=2, used=EVERYBODY, levels="CO3 GG1 MG2 PA4", black="PA")
    before = [(tile.company, tile.level, tile.black) for tile in state.tiles]
    events = last_trick(state)
    assert told(events, "round_began") == [{"round": 2}]
    assert [(tile.company, tile.level, tile.black) for tile in state.tiles] == before
    assert [len(player.hand) for player in state.players] == [9, 9, 9]
    assert [player.cards() for player in state.players] == [0, 0, 0]
    assert len(state.pile) == 52 - 27 and not state.discard and not state.buried
    assert state.on_turn() == [0, 1, 2]


def test_the_lowest_shown_card_starts_every_round() -> None:
    state = table(LAST, rounds=2, used=EVERYBODY)
    last_trick(state)
    for player, hand in zip(state.players, ("RA8 GG9", "CO9 GG8", "CO8 GG7"), strict=True):
        player.hand = [*hand.split(), "MG1"]
    play(state, Invest("RA8", "GG9"), Invest("CO9", "GG8"), Invest("CO8", "GG7"))
    assert state.on_turn() == [2]


def test_the_most_points_win() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios={2: "RA7"})
    last_trick(state)
    result = stonks.result(state)
    assert result is not None and result.places == [2, 3, 1]


def test_of_equal_points_the_fewest_cards_of_the_last_round_win() -> None:
    portfolios = {0: "CO6 CO7", 1: "MG3", 2: "RA13 CO13"}
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios=portfolios)
    last_trick(state)
    result = stonks.result(state)
    assert totals(state) == [12, 6, 6]
    assert result is not None and result.places == [1, 2, 3]


def test_an_unused_speculation_card_counts_as_a_card_in_a_tie() -> None:
    state = table(LAST, rounds=1, used=(0, 2), portfolios={1: "RA13", 2: "MG3"})
    last_trick(state)
    assert totals(state) == [6, 6, 6]
    result = stonks.result(state)
    assert result is not None and result.places[2] < result.places[1]


def test_then_the_fewest_stocks_win() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios={1: "MG6", 2: "PA13"})
    state.players[2].score = 5
    last_trick(state)
    assert totals(state) == [6, 9, 9]
    result = stonks.result(state)
    assert result is not None and result.places == [3, 2, 1]


def test_if_all_is_equal_the_win_is_shared() -> None:
    state = table(LAST, rounds=1, used=EVERYBODY, portfolios={1: "MG6", 2: "MG7"})
    last_trick(state)
    result = stonks.result(state)
    assert result is not None and result.places == [3, 1, 1]


def test_a_round_has_as_many_tricks_as_cards_but_three() -> None:
    for seats, tricks in ((2, 8), (3, 6), (4, 8), (5, 6)):
        state, _ = deal(seats)
        opened = 0
        while state.round == 1 and state.phase != "over":
            events = play(state, stonks.legal(state, state.on_turn()[0])[0])
            opened += len(told(events, "market_opened"))
        assert opened == tricks


def two_at_the_end_of_round_one(**more: Any) -> stonks.State:
    hands = {0: "GG10 MG9", 1: "GG6 MG8"}
    return table(hands, seats=2, rounds=2, small=True, **more)


def test_two_players_keep_their_portfolios_and_score_once_after_the_second_round() -> None:
    state = two_at_the_end_of_round_one(hidden={0: "RA7"})
    events = play(state, lay("GG10"), lay("GG6"), Acquire("GG6"))
    assert told(events, "round_scored") == [] and totals(state) == [0, 0]
    assert state.round == 2
    assert state.players[0].portfolio == ["GG6"] and state.players[0].hidden == ["RA7"]
    assert "RA7" not in str(stonks.view(state, 1))
    while state.phase != "over":
        events = play(state, stonks.legal(state, state.on_turn()[0])[0])
    assert len(told(events, "round_scored")) == 2
    assert "RA7" in told(events, "round_scored")[0]["hidden"]


def test_the_second_round_of_two_is_dealt_from_what_is_left_of_the_pile() -> None:
    state, _ = deal(2)
    while state.round == 1:
        play(state, stonks.legal(state, state.on_turn()[0])[0])
    assert len(state.pile) == 35 - 22
    out = [*state.discard, *state.buried]
    assert len(out) == 2 * 8 + 2 and not set(out) & {*state.pile, *state.players[0].hand}
    assert [player.speculation for player in state.players] == [True, True]


def begin_round_two(state: stonks.State) -> None:
    while state.phase != "trick":
        play(state, stonks.legal(state, state.on_turn()[0])[0])


def test_the_second_round_of_two_is_started_by_whoever_has_fewer_cards() -> None:
    state = two_at_the_end_of_round_one(portfolios={0: "RA7", 1: "RA6"})
    play(state, lay("GG10"), lay("GG6"), Acquire("GG6"))
    begin_round_two(state)
    assert state.on_turn() == [1]


def test_else_by_the_winner_of_the_last_trick() -> None:
    state = two_at_the_end_of_round_one(portfolios={1: "RA6"})
    play(state, lay("GG10"), lay("GG6"), Acquire("GG6"))
    begin_round_two(state)
    assert state.on_turn() == [0]


def test_else_by_who_led_to_it_if_nobody_won_it() -> None:
    state = table({0: "GG10 MG9", 1: "MG6 PA8"}, seats=2, rounds=2, small=True, leader=1)
    events = play(state, Announce("MG6", "RA"), lay("GG10"))
    assert told(events, "trick_void") == [{"seat": 1}]
    begin_round_two(state)
    assert state.on_turn() == [1]


def test_of_two_players_unused_speculation_cards_only_that_of_the_second_round_scores() -> None:
    state = two_at_the_end_of_round_one(round=2)
    play(state, lay("GG10"), lay("GG6"), Acquire("GG10"))
    assert totals(state) == [2 * 1 + 1, 1]  # Two stocks of Green Grass, and one of the trump.


def test_the_market_and_its_black_tokens_stay_for_the_second_round_of_two() -> None:
    state = two_at_the_end_of_round_one(levels="CO3 GG1 MG2 PA4 RA5", black="PA RA")
    before = values(state)
    play(state, lay("GG10"), lay("GG6"), Acquire("GG6"))
    assert values(state) == before
    assert [tile.company for tile in state.tiles if tile.black] == ["PA", "RA"]
