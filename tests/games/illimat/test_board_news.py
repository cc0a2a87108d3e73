"""What the board adds up: what is new since my last turn, players, harvests, the score sheet."""

from stockpile_web.engine import Result, Score
from stockpile_web.games.illimat.board.account import account
from stockpile_web.games.illimat.moves import Sow
from tests.games.illimat.boards import board_of
from tests.games.illimat.table import play, stack, table, take
from tests.support.looking import board
from tests.support.random_play import Sitting


def test_what_others_laid_and_i_drew_is_new() -> None:
    state = table({0: "Su7 Wi2", 1: "SpK Au5"}, {0: "Sp7", 1: "Wi4"}, pile="Au2 Au3 Au4 Au6")
    events = play(state, Sow("Wi2", 0), Sow("SpK", 2))
    mine = board_of(state, 0, events).news
    assert (mine.laid, mine.drawn, mine.is_turned) == (["SpK"], ["Au6", "Au4", "Au3"], True)
    other = board_of(state, 1, events).news
    assert (other.laid, other.is_turned) == (["Wi2"], False)
    assert "Au6" not in other.drawn
    assert [item.is_new for row in board_of(state, 0, events).fields for item in row.items].count(
        True
    ) == 1


def test_a_stockpile_of_somebody_else_is_new_as_a_whole() -> None:
    state = table({0: "Su2", 1: "Su4 Wi10"}, {0: "Sp6"}, turn=1)
    events = play(state, *stack("Su4", 0, 10, "Sp6"))
    (item,) = board_of(state, 0, events).fields[0].items
    assert item.is_new and item.item.value == 10


def test_a_luminary_that_was_turned_up_is_new_and_so_is_what_lies_there() -> None:
    state = table({0: "Su7", 1: "Wi2"}, {0: "Sp7"}, down={0: "maiden"})
    events = play(state, *take("Su7", 0, "Sp7"))
    row = board_of(state, 1, events).fields[0]
    assert row.is_revealed and row.text and row.text.title == "The Maiden"
    assert all(item.is_new for item in row.items)


def test_a_new_round_marks_the_points_and_no_card() -> None:
    sitting = Sitting("illimat", 3, frozenset(), "a round")
    events = next(turn.events for turn in sitting.turns() if sitting.state.round == 2)
    shown = board_of(sitting.state, 1, events)
    assert shown.news.laid == []
    assert [row.gained for row in shown.players] == [p.score for p in sitting.state.players]


def test_the_dealer_and_whoever_is_on_turn_are_marked() -> None:
    players = board_of(table(seats=3, turn=1), None).players
    assert [row.is_dealer for row in players] == [False, False, True]
    assert [row.on_turn for row in players] == [False, True, False]


def test_my_harvest_is_sorted_by_suit_and_fools_are_counted() -> None:
    pile = board_of(table({0: "Su2"}, harvests={0: "Wi9 SuF Su3"}), 0).harvest
    assert pile and (pile.cards, pile.fools) == (3, 1)
    assert [(each.suit, len(each.faces)) for each in pile.suits] == [("Su", 2), ("Wi", 1)]
    assert board_of(table(), None).harvest is None


def test_the_score_sheet_adds_up_round_by_round() -> None:
    sitting = Sitting("illimat", 4, frozenset(), "the end").play_on()
    sheet = board_of(sitting.state, None).account
    assert sheet
    for round_ in sheet.rounds:
        sums = [sum(points or 0 for points in column) for column in zip(*(
            row.points for row in round_.rows
        ), strict=True)]  # fmt: skip
        assert sums == round_.points
    totals = [sum(points) for points in zip(*(r.points for r in sheet.rounds), strict=True)]
    assert totals == [column.total for column in sheet.columns]
    html = board(sitting, None)
    assert "The score sheet" in html and "Bumper Crop" in html


def test_frost_that_cost_nothing_is_on_the_score_sheet_too() -> None:
    frost = {"kind": "frostbit", "round": 1, "money": 0}
    sheet = account(Result([1, 1], [Score(0, [frost]), Score(0, [])]))
    assert sheet and sheet.winners == [0, 1]
    assert [(row.kind, row.points) for row in sheet.rounds[0].rows] == [("frostbit", [0, None])]
