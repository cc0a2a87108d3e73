"""What the board works out: where arrows lead, what is in a trick, a hand and a portfolio."""

import re
from typing import Any

from stockpile_web.games import stonks
from stockpile_web.games.stonks.board import Board
from stockpile_web.games.stonks.moves import Acquire, Announce, Invest, PlayCard
from stockpile_web.settings import ROOT
from tests.games.stonks.table import board_of, choosing, deal, disguise, lay, play, table
from tests.support.looking import environment
from tests.support.random_play import Sitting

HANDS = {0: "GG9 GG2 CO5", 1: "GG6 MG1 MG4", 2: "MG9 RA1 RA8"}


def arrows(board: Board, company: str, icons: int) -> list[int | None]:
    """Return the values to which the arrows of a tile lead, up and down."""
    row = next(row for row in board.tiles if row.tile.company == company)
    (ways,) = (ways for ways in row.arrows if ways.icons == icons)
    return [arrow.value for arrow in ways.ways]


def test_who_is_still_to_play_is_listed_clockwise_from_the_next_one() -> None:
    state = table(HANDS, leader=2)
    trick = board_of(state, None).trick
    assert trick and trick.to_play == [2, 0, 1] and trick.laid == []
    play(state, lay("RA8"))
    trick = board_of(state, 0).trick
    assert trick and trick.to_play == [0, 1]
    assert [(laid.played.seat, laid.how, laid.ahead) for laid in trick.laid] == [(2, "led", True)]


def test_every_card_of_a_trick_tells_how_it_came_there() -> None:
    hands = {0: "GG9 CO5 CO6", 1: "MG4 MG6 RA8", 2: "GG4 GG5 RA9", 3: "PA1 PA2 PA3"}
    state = table(hands, seats=4, used=(0, 2, 3))
    play(state, lay("GG9"), disguise("MG4", "PA", False))
    trick = board_of(state, 0).trick
    assert trick and [laid.how for laid in trick.laid] == ["led", "disguised"]
    play(state, lay("GG4", "CO", True))
    trick = board_of(state, 0).trick
    assert trick and [laid.how for laid in trick.laid] == ["led", "cancelled", "followed"]
    state = table(HANDS)
    play(state, Announce("CO5", "GG"))
    trick = board_of(state, 1).trick
    assert trick and [laid.how for laid in trick.laid] == ["announced"]


def test_the_winner_sees_what_each_card_would_be_worth_and_nobody_else_can_take_one() -> None:
    state = table(HANDS, market="RA7")
    play(state, lay("GG9"), lay("GG6"), lay("MG9"))
    trick = board_of(state, 0).trick
    assert trick and trick.market and trick.to_play == []
    takes = [*(laid.take for laid in trick.laid), trick.market]
    found = [(take.move, take.stocks, take.worth) for take in takes if take]
    assert found == [
        (Acquire("GG9"), 2, 4),
        (Acquire("GG6"), 3, 6),
        (Acquire("MG9"), 2, 6),
        (Acquire("RA7"), 3, 15),
    ]
    other = board_of(state, 1).trick
    assert other and other.market is None and [laid.take for laid in other.laid] == [None] * 3


def test_there_is_no_trick_while_portfolios_are_begun() -> None:
    assert board_of(deal(3)[0], 0).trick is None


def test_a_card_without_arrows_is_a_whole_move_and_one_with_arrows_a_part() -> None:
    hand = board_of(table(HANDS), 0).hand
    assert hand and hand.plays and not hand.invests
    assert [held.move for held in hand.cards] == [
        PlayCard("GG9", "", False),
        {"move": "PlayCard", "card": "GG2", "with": "icons2"},
        {"move": "PlayCard", "card": "CO5", "with": "icons1"},
    ]


def test_cards_are_barred_while_others_of_the_hand_must_follow() -> None:
    state = table(HANDS)
    play(state, lay("GG9"))
    follows = board_of(state, 1).hand
    assert follows and follows.barred
    assert [held.barred for held in follows.cards] == [False, True, True]
    play(state, lay("GG6"))
    free = board_of(state, 2).hand
    assert free and not free.barred and all(held.move for held in free.cards)
    waits = board_of(state, 1).hand
    assert waits and not waits.plays and not waits.barred


def test_speculation_is_offered_when_leading_or_unable_to_follow_while_the_card_is_there() -> None:
    state = table(HANDS, used=(1,))
    leads = board_of(state, 0).hand
    assert leads and leads.announces == ["CO", "GG", "MG", "PA", "RA"] and not leads.disguises
    play(state, lay("GG9"))
    play(state, lay("GG6"))
    free = board_of(state, 2).hand
    assert free and free.disguises and free.announces == []
    used = board_of(table(HANDS, used=(0,)), 0).hand
    assert used and used.announces == [] and not used.disguises


def test_whoever_begins_a_portfolio_plays_nothing_yet() -> None:
    state = choosing({0: "GG7 RA8 CO1", 1: "CO5 CO6 MG1", 2: "PA1 PA2 MG2"})
    hand = board_of(state, 0).hand
    assert hand and hand.invests and not hand.plays and not any(h.move for h in hand.cards)
    play(state, Invest("GG7", "RA8"))
    hand = board_of(state, 0).hand
    assert hand and not hand.invests and [held.card for held in hand.cards] == ["CO1"]


def test_arrows_tell_the_value_to_which_they_lead_and_none_where_there_is_no_room() -> None:
    board = board_of(table(HANDS, black="MG"), 0)
    assert [arrows(board, company, 2) for company in ("CO", "GG", "MG", "PA", "RA")] == [
        [3, None],
        [4, None],
        [None, None],
        [None, 2],
        [None, 3],
    ]
    assert arrows(board, "GG", 1) == [3, 1]
    small = board_of(table(HANDS, small=True), 0)
    assert arrows(small, "CO", 1) == [1, None]
    assert board_of(table(HANDS), 1).tiles[0].arrows == []


def test_discards_are_sorted_by_company_and_number() -> None:
    state = table()
    state.discard = ["RA10", "CO9", "RA2", "CO13"]
    discarded = board_of(state, None).discarded
    assert list(discarded.items()) == [("CO", [9, 13]), ("RA", [2, 10])]


def test_a_portfolio_is_worth_its_stocks_and_an_unused_speculation_card() -> None:
    held: dict[str, Any] = {"portfolios": {0: "GG7 GG13"}, "hidden": {0: "RA9"}}
    state = table(HANDS, **held)
    state.players[0].score = 20
    mine = board_of(state, 0).portfolio
    assert mine and (mine.spare, mine.worth, mine.before, mine.total) == (1, 19, 20, 39)
    green, red = mine.holdings
    assert (green.company, green.stocks, green.value, green.worth) == ("GG", 4, 2, 8)
    assert [(card.number, card.hidden) for card in green.cards] == [(7, False), (13, False)]
    assert [(card.number, card.hidden) for card in red.cards] == [(9, True)]
    mine = board_of(table(HANDS, **held, used=(0,)), 0).portfolio
    assert mine and (mine.spare, mine.worth, mine.total) == (None, 18, 18)


def test_those_who_watch_have_neither_hand_nor_portfolio_and_nobody_has_at_the_end() -> None:
    board = board_of(table(HANDS), None)
    assert (board.hand, board.portfolio, board.account) == (None, None, None)
    board = board_of(Sitting("stonks", 3, frozenset(), "over").play_on().state, 0)
    assert board.hand is None and board.portfolio is None and board.account


def test_every_whole_move_on_a_board_is_a_legal_one() -> None:
    whole = 0
    for seats in stonks.SEATS:
        sitting = Sitting("stonks", seats, frozenset(), f"whole {seats}")
        for _ in sitting.turns():
            for seat in sitting.on_turn():
                board, legal = board_of(sitting.state, seat), stonks.legal(sitting.state, seat)
                found: list[Any] = [held.move for held in board.hand.cards] if board.hand else []
                if board.trick:
                    takes = [*(laid.take for laid in board.trick.laid), board.trick.market]
                    found += [take.move for take in takes if take]
                moves = [move for move in found if isinstance(move, PlayCard | Acquire)]
                assert all(move in legal for move in moves)
                whole += len(moves)
    assert whole > 500


def test_templates_write_no_move_by_hand_and_no_move_can_end_its_attribute() -> None:
    for path in (ROOT / "templates" / "games" / "stonks").glob("*.html"):
        assert not re.search(r"""value=["']\{(?!\{)""", path.read_text()), path.name
    control = environment().from_string("<input value='{{ move|as_json }}'>")
    html = control.render(move={"word": "'\"><b>"})
    assert html.count("'") == 2 and html.count("<") == html.count(">") == 1
