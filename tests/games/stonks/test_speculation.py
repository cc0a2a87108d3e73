"""The Speculation Card: opening a trick, following, being cancelled, and void tricks."""

from stockpile_web.games import stonks
from stockpile_web.games.stonks.moves import Acquire, Announce, Disguise
from tests.games.stonks.table import disguise, lay, play, table, told


def announced(state: stonks.State, seat: int) -> set[str]:
    return {m.leading for m in stonks.legal(state, seat) if isinstance(m, Announce)}


def can_disguise(state: stonks.State, seat: int) -> bool:
    return any(isinstance(move, Disguise) for move in stonks.legal(state, seat))


def test_the_starting_player_may_lay_a_card_face_down_and_announce_any_company() -> None:
    state = table({0: "GG12 MG9"})
    assert announced(state, 0) == {"CO", "GG", "MG", "PA", "RA"}
    play(state, Announce("GG12", "RA"))
    assert state.leading == "RA"
    assert not state.players[0].speculation


def test_with_three_players_one_of_four_companies_is_announced() -> None:
    state = table({0: "GG12 MG9"}, levels="CO1 GG2 MG4 PA5")
    assert announced(state, 0) == {"CO", "GG", "MG", "PA"}


def test_nobody_else_sees_the_card_until_all_have_played() -> None:
    state = table({0: "GG12 MG9", 1: "RA6 MG8", 2: "RA9 MG7"})
    events = play(state, Announce("GG12", "RA"))
    assert told(events, "lead_announced") == [{"seat": 0, "company": "RA"}]
    for viewer in (None, 1, 2):
        assert "GG12" not in str(stonks.view(state, viewer))
    assert stonks.view(state, 0).trick[0].card == "GG12"
    assert stonks.open_view(state).trick[0].card == "GG12"  # When the match is over.
    events = play(state, lay("RA6"), lay("RA9"))
    assert told(events, "card_revealed") == [{"seat": 0, "card": "GG12"}]


def test_others_must_follow_the_announced_company() -> None:
    state = table({0: "GG12 MG9", 1: "RA6 GG8", 2: "RA9 MG7"})
    play(state, Announce("GG12", "RA"))
    assert stonks.legal(state, 1) == [lay("RA6")]


def test_the_face_down_card_wins_if_it_is_of_the_leading_company_or_trump() -> None:
    for card in ("RA12", "CO2"):
        state = table({0: f"{card} MG9", 1: "RA6 MG8", 2: "RA9 MG7"})
        events = play(state, Announce(card, "RA"), lay("RA6"), lay("RA9"))
        assert told(events, "trick_won")[0]["seat"] == 0


def test_a_face_down_card_of_another_company_cannot_win_but_can_be_acquired() -> None:
    state = table({0: "GG12 MG9", 1: "RA6 MG8", 2: "RA9 MG7"})
    play(state, Announce("GG12", "RA"), lay("RA6"), lay("RA9"))
    assert state.on_turn() == [2]
    assert Acquire("GG12") in stonks.legal(state, 2)


def test_fluctuation_icons_of_a_face_down_card_are_ignored() -> None:
    state = table({0: "GG1 MG9", 1: "RA6 MG8", 2: "RA9 MG7"})
    events = play(state, Announce("GG1", "RA"), lay("RA6"), lay("RA9"))
    assert told(events, "token_moved") == []


def test_a_trick_without_leading_company_and_trump_is_void() -> None:
    hands = {0: "GG12 MG9 MG1", 1: "PA6 MG8 MG2", 2: "PA9 MG7 MG3"}
    state = table(hands, market="GG7", pile="PA1 PA2")
    events = play(state, Announce("GG12", "RA"), lay("PA6"), lay("PA9"))
    assert told(events, "trick_void") == [{"seat": 0}]
    assert told(events, "trick_won") == []
    assert state.discard == ["GG12", "PA6", "PA9", "GG7"]
    assert state.on_turn() == [0] and state.market == "PA2"
    assert [len(player.hand) for player in state.players] == [2, 2, 2]
    assert all(not player.portfolio for player in state.players)


def test_a_void_trick_counts_as_one_of_the_round() -> None:
    state = table({0: "GG12 MG9", 1: "PA6 MG8", 2: "PA9 MG7"})
    events = play(state, Announce("GG12", "RA"), lay("PA6"), lay("PA9"))
    assert told(events, "round_ended") == [{"round": 1}]


def test_only_one_speculation_card_is_played_in_a_trick() -> None:
    state = table({0: "GG12 MG9", 1: "PA6 MG8", 2: "PA9 MG7"})
    play(state, Announce("GG12", "RA"))
    assert not can_disguise(state, 1)
    state = table({0: "RA12 MG9", 1: "PA6 MG8", 2: "PA9 MG7"})
    play(state, lay("RA12"), disguise("PA6"))
    assert not can_disguise(state, 2)


def test_a_used_speculation_card_is_gone_for_the_round() -> None:
    state = table({0: "GG12 MG9"}, used=(0,))
    assert announced(state, 0) == set()


def test_whoever_can_follow_may_not_speculate() -> None:
    state = table({0: "RA12 MG9", 1: "RA6 PA13", 2: "PA9 MG7"})
    play(state, lay("RA12"))
    assert not can_disguise(state, 1)


def test_a_disguised_card_counts_as_one_of_the_leading_company() -> None:
    state = table({0: "RA10 MG9", 1: "PA12 MG8", 2: "RA11 MG7"})
    events = play(state, lay("RA10"), disguise("PA12"), lay("RA11"))
    assert told(events, "trick_won") == [{"seat": 1, "card": "PA12", "by_trump": False}]


def test_a_disguised_trump_is_no_trump() -> None:
    state = table({0: "RA10 MG9", 1: "CO9 MG8", 2: "RA11 MG7"})
    events = play(state, lay("RA10"), disguise("CO9"), lay("RA11"))
    assert told(events, "trick_won")[0]["seat"] == 2


def test_a_disguised_card_is_trump_if_the_leading_company_is() -> None:
    state = table({0: "CO10 MG9", 1: "PA12 MG8", 2: "CO11 MG7"})
    events = play(state, lay("CO10"), disguise("PA12"), lay("CO11"))
    assert told(events, "trick_won")[0]["seat"] == 1


def test_icons_of_a_disguised_card_move_the_market() -> None:
    state = table({0: "RA10 MG9", 1: "PA3 MG8", 2: "RA11 MG7"})
    play(state, lay("RA10"))
    assert disguise("PA3") not in stonks.legal(state, 1)
    events = play(state, disguise("PA3", "GG", up=True))
    assert told(events, "token_moved")[0]["company"] == "GG"


def test_an_acquired_card_counts_for_its_printed_company() -> None:
    hands = {0: "RA10 MG9 MG1", 1: "PA12 MG8 MG2", 2: "RA11 MG7 MG3"}
    state = table(hands)
    play(state, lay("RA10"), disguise("PA12"), lay("RA11"), Acquire("PA12"))
    (holding,) = stonks.view(state, None).players[1].portfolio
    assert (holding.company, holding.stocks, holding.worth) == ("PA", 1, 4)


def test_the_real_card_of_a_later_player_cancels_the_disguise() -> None:
    state = table({0: "RA10 MG9", 1: "PA12 MG8", 2: "RA12 MG7"})
    events = play(state, lay("RA10"), disguise("PA12"), lay("RA12"))
    assert told(events, "speculation_cancelled") == [{"seat": 2, "speculator": 1, "card": "PA12"}]
    assert told(events, "trick_won")[0]["seat"] == 2


def test_what_a_cancelled_card_moved_stays_moved() -> None:
    state = table({0: "RA10 MG9", 1: "PA3 MG8", 2: "RA3 MG7"})
    play(state, lay("RA10"), disguise("PA3", "GG", up=True), lay("RA3", "MG", up=True))
    assert state.tile("GG").value == 3


def test_the_real_card_played_earlier_cancels_nothing_but_beats_its_equal() -> None:
    state = table({0: "RA12 MG9", 1: "PA12 MG8", 2: "RA11 MG7"})
    events = play(state, lay("RA12"), disguise("PA12"), lay("RA11"))
    assert told(events, "speculation_cancelled") == []
    assert told(events, "trick_won")[0]["seat"] == 0


def test_after_a_cancel_nobody_else_may_speculate_in_the_trick() -> None:
    hands = {0: "RA10 MG9", 1: "PA12 MG8", 2: "RA12 MG7", 3: "GG9 MG6"}
    state = table(hands, seats=4)
    play(state, lay("RA10"), disguise("PA12"), lay("RA12"))
    assert not can_disguise(state, 3)


def test_a_cancelled_trump_is_trump_again() -> None:
    state = table({0: "RA10 MG9", 1: "CO12 MG8", 2: "RA12 MG7"})
    events = play(state, lay("RA10"), disguise("CO12"), lay("RA12"))
    assert told(events, "trick_won") == [{"seat": 1, "card": "CO12", "by_trump": True}]


def test_everybody_has_a_speculation_card_again_in_the_next_round() -> None:
    state = table({0: "GG12 MG9", 1: "PA6 MG8", 2: "PA9 MG7"})
    play(state, Announce("GG12", "RA"), lay("PA6"), lay("PA9"))
    assert state.round == 2
    assert [player.speculation for player in state.players] == [True] * 3
