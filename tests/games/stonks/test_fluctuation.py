"""Market Fluctuation: one and two icons, ends of the scale, black tokens, and trump."""

from stockpile_web.games import stonks
from stockpile_web.games.stonks.moves import PlayCard
from tests.games.stonks.table import black, lay, play, table, told, values


def moved_by(state: stonks.State, card: str, seat: int = 0) -> dict[str, str]:
    """Return which companies a card can move, and how: + up, - down."""
    ways: dict[str, str] = {}
    for move in stonks.legal(state, seat):
        if isinstance(move, PlayCard) and move.card == card:
            ways[move.company] = ways.get(move.company, "") + ("+" if move.up else "-")
    return ways


def test_a_card_without_icons_moves_nothing() -> None:
    state = table({0: "GG9 MG9"})
    assert [move for move in stonks.legal(state, 0) if move == lay("GG9")] == [lay("GG9")]
    events = play(state, lay("GG9"))
    assert told(events, "token_moved") == []


def test_a_card_with_an_icon_must_move_a_company_up_or_down_by_one() -> None:
    state = table({0: "GG3 MG9"})
    assert lay("GG3") not in stonks.legal(state, 0)
    assert moved_by(state, "GG3") == {"CO": "+", "GG": "+-", "MG": "+-", "PA": "+-", "RA": "-"}
    play(state, lay("GG3", "MG", up=True))
    assert values(state) == {"CO": 1, "GG": 2, "MG": 4, "PA": 4, "RA": 5}


def test_two_icons_are_two_steps_of_one_company_in_one_direction_or_none() -> None:
    state = table({0: "GG1 MG9"})
    assert moved_by(state, "GG1") == {"CO": "+", "GG": "+", "MG": "+-", "PA": "-", "RA": "-"}
    events = play(state, lay("GG1", "MG", up=False))
    assert values(state)["MG"] == 1
    assert told(events, "token_moved") == [
        {"seat": 0, "company": "MG", "up": False, "steps": 2, "before": 3, "after": 1},
    ]


def test_a_token_cannot_leave_the_tile() -> None:
    state = table({0: "GG3 MG9"}, levels="CO1 GG1 MG5 PA5 RA5")
    assert moved_by(state, "GG3") == {"CO": "+", "GG": "+", "MG": "-", "PA": "-", "RA": "-"}


def test_any_company_may_be_moved_that_of_the_card_too() -> None:
    state = table({0: "GG3 MG9"})
    play(state, lay("GG3", "GG", up=True))
    assert values(state)["GG"] == 3


def test_the_company_moved_last_is_black_and_cannot_be_moved() -> None:
    state = table({0: "GG3 MG9", 1: "GG4 MG8"})
    play(state, lay("GG3", "RA", up=False))
    assert black(state) == ["RA"]
    assert "RA" not in moved_by(state, "GG4", seat=1)


def test_a_black_token_turns_back_when_another_company_moves() -> None:
    state = table({0: "GG3 MG9", 1: "GG4 MG8"})
    play(state, lay("GG3", "RA", up=False), lay("GG4", "MG", up=True))
    assert black(state) == ["MG"]


def test_no_company_is_black_at_the_start() -> None:
    state = table({0: "GG3 MG9"})
    assert black(state) == [] and len(moved_by(state, "GG3")) == 5


def test_the_market_moves_before_the_next_player_plays() -> None:
    state = table({0: "GG3 MG9", 1: "GG9 MG8"})
    play(state, lay("GG3", "PA", up=True))
    assert values(state)["PA"] == 5 and state.on_turn() == [1]


def test_a_move_of_the_market_can_make_another_company_trump() -> None:
    state = table({0: "GG1 MG9"})
    events = play(state, lay("GG1", "CO", up=True))
    assert values(state)["CO"] == 3
    assert told(events, "trump_changed") == [{"company": "GG"}]
    assert stonks.view(state, None).trump == "GG"


def test_of_companies_of_equal_value_the_leftmost_is_trump() -> None:
    state = table({0: "GG3 MG9"})
    play(state, lay("GG3", "GG", up=False))
    assert values(state)["GG"] == values(state)["CO"] == 1
    assert state.trump() == "CO"


def test_value_makes_trump_not_the_level() -> None:
    state = table({0: "GG3 MG9"}, levels="CO2 GG1 MG3 PA4 RA5", small=True)
    assert state.trump() == "CO"


def test_with_three_players_the_company_left_out_cannot_be_moved() -> None:
    state = table({0: "GG3 MG9"}, levels="CO1 GG2 MG4 PA5")
    assert set(moved_by(state, "GG3")) == {"CO", "GG", "MG", "PA"}


def test_a_step_that_changes_no_value_is_a_move_all_the_same_and_turns_the_token() -> None:
    state = table({0: "GG3 MG9"}, small=True)
    play(state, lay("GG3", "CO", up=True))
    assert values(state)["CO"] == 1 and state.tile("CO").level == 2
    assert black(state) == ["CO"]


def test_in_the_moderate_game_moved_tokens_stay_black_until_the_fourth() -> None:
    state = table({0: "GG3 MG9", 1: "GG4 MG8", 2: "GG5 MG7"}, small=True)
    play(state, lay("GG3", "CO", up=True), lay("GG4", "PA", up=True))
    assert black(state) == ["CO", "PA"]
    play(state, lay("GG5", "RA", up=False))
    assert black(state) == ["CO", "PA", "RA"]


def test_the_fourth_black_token_turns_the_other_three_back() -> None:
    state = table({0: "GG3 MG9"}, small=True, black="CO PA RA")
    assert set(moved_by(state, "GG3")) == {"GG", "MG"}
    play(state, lay("GG3", "MG", up=True))
    assert black(state) == ["MG"]


def test_with_four_companies_and_three_black_the_last_one_must_be_moved() -> None:
    state = table({0: "GG1 MG9"}, levels="CO1 GG2 MG4 PA5", small=True, black="CO MG PA")
    assert moved_by(state, "GG1") == {"GG": "+"}
    play(state, lay("GG1", "GG", up=True))
    assert black(state) == ["GG"]
