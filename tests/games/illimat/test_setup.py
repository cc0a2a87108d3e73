"""Setup of a round: fields, hands, okuses, Luminaries, and the options of a table."""

from collections.abc import Collection

import pytest

from stockpile_web.engine import Dealer, Event
from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import CARDS, OPTIONS, SUITS
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.luminaries.texts import TEXTS
from stockpile_web.games.illimat.setup import setup
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import ILLIMAT
from tests.support.option_sets import dealt
from tests.support.worlds import worlds_of


def deal(
    seats: int, options: Collection[str] = (), seed: str = "deal"
) -> tuple[State, list[Event]]:
    dealer = Dealer(seed)
    return setup(seats, dealt(ILLIMAT, options, seats), dealer), dealer.events


def test_five_suits_have_thirteen_cards_each() -> None:
    assert len(CARDS) == 65
    assert {suit: sum(face.suit == suit for face in CARDS.values()) for suit in SUITS} == (
        dict.fromkeys(SUITS, 13)
    )


def test_a_knight_is_eleven_a_queen_twelve_a_king_thirteen_and_a_fool_one_or_fourteen() -> None:
    values = [CARDS[f"Su{rank}"].values for rank in ("2", "10", "N", "Q", "K", "F")]
    assert values == [(2,), (10,), (11,), (12,), (13,), (1, 14)]


def test_fools_knights_queens_and_kings_turn_the_illimat() -> None:
    assert [card for card, face in CARDS.items() if face.turns and face.suit == "Wi"] == [
        "WiF", "WiN", "WiQ", "WiK"
    ]  # fmt: skip


def test_a_card_has_the_name_that_players_use() -> None:
    assert (CARDS["SuN"].name, CARDS["StF"].name) == ("Knight of Summer", "Fool of Stars")
    assert CARDS["Wi7"].name == "7 of Winter"


@pytest.mark.parametrize(
    ("seats", "options", "pile"),
    [
        (2, ["stars_four"], 33),
        (3, ["stars_four"], 29),
        (2, [], 46),
        (3, [], 42),
        (4, [], 38),
        (4, ["stars_four"], 38),
    ],
)
def test_twelve_cards_lie_in_fields_and_the_first_player_has_one_card_less(
    seats: int, options: list[str], pile: int
) -> None:
    state, _ = deal(seats, options)
    first = (state.dealer + 1) % seats
    assert [len(field.items) for field in state.fields] == [3] * 4
    assert [len(player.hand) for player in state.players] == [
        3 if seat == first else 4 for seat in range(seats)
    ]
    assert len(state.pile) == pile
    assert state.turn.seat == first
    assert worlds_of("illimat").cards(state) == worlds_of("illimat").box(state)


def test_stars_are_for_four_players_only_if_the_table_wants_it_so() -> None:
    assert [deal(seats, ["stars_four"])[0].has_stars for seats in (2, 3, 4)] == [False, False, True]
    assert [deal(seats)[0].has_stars for seats in (2, 3, 4)] == [True] * 3


def test_the_dealers_field_begins_in_summer_and_seasons_go_round_from_it() -> None:
    state, _ = deal(3)
    assert [state.season(field) for field in range(4)] == ["Su", "Sp", "Wi", "Au"]


def test_the_first_dealer_is_chosen_by_lot() -> None:
    assert {deal(4, seed=str(seed))[0].dealer for seed in range(40)} == {0, 1, 2, 3}


def test_there_is_an_okus_for_each_player() -> None:
    assert [deal(seats)[0].okuses for seats in (2, 3, 4)] == [2, 3, 4]


def test_a_luminary_lies_face_down_in_each_field_and_four_stay_aside() -> None:
    state, _ = deal(2)
    assert [field.is_up for field in state.fields] == [False] * 4
    dealt = [field.luminary for field in state.fields]
    assert sorted([*dealt, *state.unused]) == sorted(LUMINARIES)
    assert len(state.unused) == 4


def test_nobody_sees_which_luminaries_lie_face_down() -> None:
    state, events = deal(2)
    for viewer in (None, 0, 1):
        seen = illimat.view(state, viewer)
        assert [field.luminary for field in seen.fields] == [""] * 4
        assert [field.is_face_down for field in seen.fields] == [True] * 4
    assert not any(key in str(events) for key in LUMINARIES)


def test_a_beginners_table_has_no_luminaries() -> None:
    state, _ = deal(2, ["beginner"])
    assert [field.luminary for field in state.fields] == [""] * 4
    assert state.unused == []


def test_each_player_is_told_of_their_own_hand_alone() -> None:
    state, events = deal(3)
    for viewer in (None, 0, 1, 2):
        seen = [facts for event in events if (facts := event.seen_by(viewer))]
        hands = [facts["cards"] for facts in seen if facts["kind"] == "hand_dealt"]
        assert hands == ([] if viewer is None else [state.players[viewer].hand])


def test_the_game_goes_to_seventeen_points_or_to_a_number_of_the_tables_choice() -> None:
    assert deal(2)[0].target == 17
    assert deal(2, ["target=21"])[0].target == 21
    assert [option.numbers for option in OPTIONS if option.key == "target"] == [range(10, 31)]


def test_a_single_round_has_no_points_to_reach() -> None:
    assert dealt(ILLIMAT, ["single", "target=10"], 2) == {"single": 1}
    assert deal(2, ["single"])[0].is_single


def test_every_heading_of_options_has_one_that_is_usual() -> None:
    groups = {option.group for option in OPTIONS if option.group}
    for group in groups:
        assert sum(option.usual for option in OPTIONS if option.group == group) == 1


def test_every_luminary_has_a_text() -> None:
    assert [*TEXTS] == [*LUMINARIES]
    for text in TEXTS.values():
        assert text.title
        assert text.revealed or text.standing or text.claimed
