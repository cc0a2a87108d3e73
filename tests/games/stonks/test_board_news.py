"""What the board adds up: what is new since my last turn, and the closing account."""

from stockpile_web.engine import Facts, Result, Score
from stockpile_web.games import stonks
from tests.games.stonks.table import board_of, lay, play, table
from tests.support.random_play import Sitting


def score(**by_round: dict[str, tuple[int, int]]) -> Score:
    """Return a score of stocks and value by round and company; `spare` is the Speculation Card."""
    found: list[Facts] = [
        {
            "kind": "speculation" if company == "spare" else "stocks",
            "round": int(word[1:]),
            "company": "CO" if company == "spare" else company,
            "stocks": stocks,
            "value": value,
            "money": stocks * value,
        }
        for word, held in by_round.items()
        for company, (stocks, value) in held.items()
    ]
    return Score(sum(line["money"] for line in found), found)


def test_what_others_have_moved_is_new_and_what_i_moved_is_not() -> None:
    state = table({0: "GG9 GG2 CO5", 1: "GG6 MG1 MG4", 2: "MG9 RA1 RA8"})
    events = play(state, lay("GG2", "MG", True), lay("GG6"), lay("RA1", "PA", False))
    assert board_of(state, 0, events).news.moved == {"PA": -2}
    assert board_of(state, 1, events).news.moved == {"MG": 2, "PA": -2}
    assert [row.moved for row in board_of(state, 1, events).tiles] == [0, 0, 2, -2, 0]
    assert board_of(state, 1).news.moved == {}


def test_a_company_that_is_back_where_it_was_is_no_news() -> None:
    moved: list[Facts] = [
        {"kind": "token_moved", "seat": 1, "company": "MG", "up": up, "steps": 1}
        for up in (True, False)
    ]
    board = stonks.board(stonks.view(table(), 0), [], moved, None)
    assert board.news.moved == {}


def test_what_a_round_brought_is_marked_at_each_player() -> None:
    sitting = Sitting("stonks", 3, frozenset(), "a round")
    events = next(turn.events for turn in sitting.turns() if sitting.state.round == 2)
    board = board_of(sitting.state, 1, events)
    scores = [player.score for player in sitting.state.players]
    assert [row.gained for row in board.players] == scores


def test_at_the_end_nothing_is_new() -> None:
    sitting = Sitting("stonks", 2, frozenset(), "the end").play_on()
    news = board_of(sitting.state, 0, sitting.events).news
    assert (news.moved, news.gained) == ({}, {})


def test_the_account_has_a_row_for_each_company_and_for_unused_speculation() -> None:
    scores = [
        score(r1={"GG": (3, 2), "spare": (1, 1)}, r2={"CO": (2, 4)}),
        score(r1={"RA": (5, 3)}, r2={"CO": (1, 4)}),
        score(r1={"GG": (1, 2)}, r2={"PA": (1, 5)}),
    ]
    account = stonks.board(stonks.view(table(), 0), [], [], Result([2, 1, 3], scores)).account
    assert account and (account.winners, account.points) == ([1], 19)
    assert [(column.place, column.won, column.total) for column in account.columns] == [
        (2, False, 15),
        (1, True, 19),
        (3, False, 7),
    ]
    first, second = account.rounds
    assert (first.number, first.points) == (1, [7, 15, 2])
    assert (second.number, second.points) == (2, [8, 4, 5])
    rows = [[line and line["money"] for line in row.lines] for row in first.rows]
    assert [row.company for row in first.rows] == ["GG", "RA", ""]
    assert rows == [[6, None, 2], [None, 15, None], [1, None, None]]
    assert [row.company for row in second.rows] == ["CO", "PA"]


def test_two_players_account_for_both_rounds_at_once_and_may_share_the_win() -> None:
    scores = [score(r2={"GG": (3, 2)}), score(r2={"CO": (6, 1)})]
    account = stonks.board(stonks.view(table(), 0), [], [], Result([1, 1], scores)).account
    assert account and (account.winners, account.points) == ([0, 1], 6)
    assert [part.number for part in account.rounds] == [None]


def test_the_points_of_all_rounds_add_up_to_the_total() -> None:
    for seats in stonks.SEATS:
        state = Sitting("stonks", seats, frozenset(), f"account {seats}").play_on().state
        account = board_of(state, None).account
        assert account
        sums = [sum(points) for points in zip(*(r.points for r in account.rounds), strict=True)]
        assert sums == [column.total for column in account.columns]
