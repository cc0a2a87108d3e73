"""The board of Illimat: every legal move is a control on it, and sums grow as they are told."""

import re
from collections.abc import Iterator

import pytest
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Step, take_turn
from stockpile_web.games import GAMES, illimat
from stockpile_web.games.illimat import data
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.moves import (
    Add,
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    Stockpile,
    TurnIllimat,
)
from stockpile_web.games.illimat.state import State
from stockpile_web.match.moves import read_turns
from stockpile_web.settings import ROOT
from tests.games.illimat.boards import board_of
from tests.games.illimat.table import play, table
from tests.support.clicking import Board as Controls
from tests.support.looking import board, colours, contrast, offered, theme_of
from tests.support.random_play import Sitting

STATIC = ROOT / "static" / "games" / "illimat"
SHEET = (STATIC / "board.css").read_text()


def sit(state: State) -> Sitting:
    """Return a sitting at which the game stands so."""
    sitting = Sitting("illimat", len(state.players), frozenset(), "board")
    sitting.state = state
    return sitting


def html_of(state: State, viewer: int | None = 0) -> str:
    return board(sit(state), viewer)


def assert_all_offered(sitting: Sitting) -> list[Move]:
    """Check that the board offers what is legal and nothing else; return it."""
    (seat,) = sitting.on_turn()
    moves: list[Move] = illimat.legal(sitting.state, seat)
    assert {*offered(GAMES["illimat"], Controls(board(sitting, seat)))} == {*moves}
    return moves


def positions(every: int) -> Iterator[Sitting]:
    """Yield sittings of every size, as they stand after some of their moves."""
    for seats in illimat.SEATS:
        sitting = Sitting("illimat", seats, frozenset({data.SINGLE}), f"look {seats}")
        for _ in sitting.turns():
            if sitting.number % every == 0 and sitting.on_turn():
                yield sitting


def test_every_legal_move_is_a_control_on_the_board() -> None:
    for sitting in positions(5):
        moves = assert_all_offered(sitting)
        steps = [move for move in moves if isinstance(move, Step)]
        trying = sitting.copy()
        (seat,) = trying.on_turn()
        while steps:  # Whatever is begun goes on as it is offered.
            take_turn(GAMES["illimat"], trying.state, seat, steps[len(steps) // 2], trying.dealer())
            steps = [move for move in assert_all_offered(trying) if isinstance(move, Step)]


LUMINARY_TABLES = {
    "pairs of the Union, with all seasons to name": table(
        {0: "StK SuQ Su7 StF"}, {0: "Wi10 Wi9 SpK"}, up={0: "union"}
    ),
    "pairs of two Stars": table({0: "StK StQ"}, {0: "Wi10 Wi9 Wi6"}, up={0: "union"}),
    "a further card for the Rake": table({0: "StK Su7"}, {1: "Wi5"}, up={3: "rake"}),
    "an exchange of the Changeling": table(
        {0: "StK Su7"}, {1: "Wi5 Wi6 12:Su8+Su4"}, up={1: "changeling"}
    ),
    "no season while the Forest Queen stays": table(
        {0: "StK Su7"}, {1: "Wi5 SpK"}, up={1: "forest_queen"}
    ),
}


@pytest.mark.parametrize("state", LUMINARY_TABLES.values(), ids=LUMINARY_TABLES.keys())
def test_what_luminaries_allow_is_on_the_board(state: State) -> None:
    assert_all_offered(sit(state))


def test_whoever_claims_the_forest_queen_or_the_changeling_is_asked_on_the_board() -> None:
    for key, kind in (("forest_queen", "turning"), ("changeling", "swapping")):
        state = table({0: "Su7 Wi2"}, {0: "Sp7", 1: "Sp3 Sp4"}, up={0: key})
        play(state, HarvestAll(("Su7",), 0, 7))
        while state.phase != kind:
            play(state, next(move for move in illimat.legal(state, 0) if move.__class__ != Sow))
        moves = assert_all_offered(sit(state))
        assert isinstance(moves[0], TurnIllimat) == (kind == "turning")
        assert (' cleared" id="field-0"' in html_of(state)) == (kind == "turning")


def test_a_season_is_asked_for_with_face_cards_of_the_stars_alone() -> None:
    hand = board_of(table({0: "StK St7 SuK"}), 0).hand
    assert [(held.card, held.seasons, held.turns_to) for held in hand] == [
        ("StK", [*data.RING], ""),
        ("St7", [], ""),
        ("SuK", [], "Su"),
    ]


def test_two_cards_of_the_union_are_offered_with_the_card_that_names_the_season_if_any() -> None:
    state = table({0: "SuQ Su7 StK"}, {0: "Wi10 Sp10 Sp9"}, up={0: "union"})
    held = board_of(state, 0).fields[0].held
    pairs = {(each.card, way.others, way.value) for each in held for way in each.pairs}
    assert pairs == {
        ("SuQ", ("Su7",), 19), ("Su7", ("SuQ",), 19), ("Su7", ("StK",), 20), ("StK", ("Su7",), 20)
    }  # fmt: skip
    state = table({0: "Su7 StK"}, {0: "Wi10 Sp10"}, up={0: "union"})
    whole = [
        each.card
        for each in board_of(state, 0).fields[0].held
        for way in each.ways
        if way.kind == "all"
    ]
    assert whole == ["StK"]


def test_sums_grow_as_items_are_added() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Sp7 Sp3 Wi10 Sp9 10x2:Au10+Sp10"})
    steps: list[Move] = [Harvest(("Su10",), 0, 10), Add("Sp7", 7), Add("Sp3", 3)]
    told = []
    for step in [*steps, Add("Wi10", 10), Add("Au10", 10)]:
        play(state, step)
        chosen = board_of(state, 0).chosen
        assert chosen
        told.append((chosen.groups, chosen.open, chosen.finish is not None))
    assert told == [
        ([], "", False),
        ([], "7", False),
        (["7 + 3"], "", True),
        (["7 + 3", "10"], "", True),
        (["7 + 3", "10", "10 ×2"], "", True),
    ]
    html = html_of(state)
    assert "7 + 3 = 10, 10, and 10 ×2" in html
    assert "Harvest 7 + 3 and 10 and 10 ×2</button>" in html
    assert "with your 10 of Summer" in html


def test_a_stockpile_begins_with_its_active_card() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Sp6 Au10"})
    play(state, Stockpile("Su4", 0, 10, 4))
    chosen = board_of(state, 0).chosen
    assert chosen and (chosen.open, chosen.missing, chosen.groups) == ("4", 6, [])
    play(state, Add("Sp6", 6), Add("Au10", 10))
    assert "Stockpile to 10 ×2</button>" in html_of(state)


def test_a_fool_in_a_full_group_is_told_as_what_it_counted() -> None:
    state = table({0: "StF Wi2"}, {0: "SuF WiF Sp9 Sp4"})
    play(state, Harvest(("StF",), 0, 14), Add("SuF", 14), Add("WiF", 1), Add("Sp9", 9))
    chosen = board_of(state, 0).chosen
    assert chosen and (chosen.groups, chosen.open, chosen.missing) == (["14"], "1 + 9", 4)


def test_a_loose_fool_asks_whether_it_counts_as_1_or_14() -> None:
    state = table({0: "StF Wi2"}, {0: "SuF Sp9 Sp4"})
    play(state, Harvest(("StF",), 0, 14))
    html = html_of(state)
    assert "Add the Fool of Summer as 1<" in html and "Add the Fool of Summer as 14<" in html


def test_every_control_names_its_card_and_its_field() -> None:
    state = table({0: "SuK Wi10"}, {0: "Sp10 Sp3", 3: "Sp10"})
    html = html_of(state)
    for words in (
        'aria-label="Sow the King of Summer in the Spring field"',
        "Take all with the 10 of Winter in the Autumn field",
        "Harvest 10 with the 10 of Winter in the Summer field",
        "Stockpile to 13 with the 10 of Winter in the Summer field",
    ):
        assert words in html, words
    assert "in Spring, which turns to Summer" in html


def test_controls_and_pieces_have_ids_and_no_id_twice() -> None:
    for sitting in positions(9):
        for viewer in (None, 0, 1):
            html = board(sitting, viewer)
            ids = re.findall(r' id="([^"]*)"', html)
            assert len(ids) == len({*ids})
            assert not re.search(r"<input type=.radio(?![^>]* id=)", html)
            cards = [item.name for field in sitting.state.fields for item in field.items]
            assert {f"card-{card}" for card in cards} <= {*ids}


def test_who_is_not_on_turn_is_offered_nothing() -> None:
    state = table({0: "Su7 Wi2", 1: "Su8"}, {0: "Sp7"})
    play(state, Harvest(("Su7",), 0, 7))
    for viewer in (1, None):
        html = html_of(state, viewer)
        assert not re.search("<(input|select|button)|data-step", html)
        assert "Waiting for <b>Ann</b> to play a card" in html
        assert "Harvest 7" not in html


def test_nobody_is_shown_a_luminary_that_is_face_down() -> None:
    state = table({0: "Su7"}, {0: "Sp7"}, down={0: "rake", 1: "union"}, up={2: "maiden"})
    for viewer in (0, 1, None):
        html = html_of(state, viewer)
        # By name, too, where there is room for its picture alone.
        assert '<span class="vh">The Maiden</span></summary>' in html
        assert html.count("a Luminary, face down") == 2
        assert "rake" not in html.lower() and "union" not in html.lower()


def test_what_is_half_built_can_be_finished_with_a_season_to_name() -> None:
    state = table({0: "StK Su2"}, {0: "SpK"})
    play(state, Harvest(("StK",), 0, 13), Add("SpK", 13))
    assert {*assert_all_offered(sit(state))} == {Finish(season) for season in data.RING}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read_on_its_season(theme: str) -> None:
    block = theme_of(SHEET, theme)[-1]
    found = dict(re.findall(r"^ *\.([A-Z][a-z]) \{ --c: (#\w+);", block, re.M))
    (on,) = re.findall(r"\.St \{ --on: (#\w+);", block)
    assert found.keys() == data.SUITS.keys()
    sheet = theme_of((ROOT / "static" / "site.css").read_text(), theme)[-1]
    grounds = colours(sheet)
    for suit, colour in found.items():
        assert contrast(on, colour) >= 4.5, suit
        assert contrast(colour, grounds["--sheet"]) >= 3, suit  # As a line.


def test_every_suit_has_a_pattern_of_its_own_and_every_piece_an_icon() -> None:
    patterns = re.findall(r"^\.[A-Z][a-z] \{.*?--pat: (url\([^)]*\))", SHEET, re.M)
    assert len({*patterns}) == len(data.SUITS)
    drawn = {*re.findall(r'<symbol id="(\w+)"', (STATIC / "icons.svg").read_text())}
    assert drawn == {*data.SUITS, *data.RANK_NAMES, *LUMINARIES, "okus", "pile"}


def test_a_whole_field_is_taken_by_one_press_whatever_else_is_chosen() -> None:
    state = table({0: "Wi10"}, {3: "Sp10"})
    press = Controls(html_of(state)).named("now")[0].choices[0]
    chosen = {"move": '{"card":"Wi10"}', "for.Wi10.do": '{"move":"Sow","field":0}'}
    sent = MultiDict({**chosen, "now": press.value})
    assert read_turns(illimat, sent) == [[HarvestAll(("Wi10",), 3, 10)]]
