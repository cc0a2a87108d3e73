"""Standing orders of $TONKS$: how to follow, what to take, and when the player is asked."""

import re
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from stockpile_web.engine import Followed, IllegalMove
from stockpile_web.games import stonks
from stockpile_web.games.stonks.moves import Acquire, Announce, Move
from stockpile_web.games.stonks.orders import Book, follow, read, sheet
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Move as Made
from stockpile_web.words.events import bare_environment
from tests.games.stonks.table import disguise, lay, play, table
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated

LOW, AHEAD = Book(round=1, follow="low"), Book(round=1, follow="ahead")


def ordered(book: Book, state: stonks.State) -> Move | None:
    """Return what a book orders for whoever is on turn; None if they are asked."""
    followed = _follow(book, state)
    return followed.move if followed else None


def why(book: Book, state: stonks.State) -> str:
    followed = _follow(book, state)
    return str(followed.why["kind"]) if followed and followed.why else ""


def _follow(book: Book, state: stonks.State) -> Followed | None:
    seat = state.on_turn()[0]
    copy = Book(book.round, book.follow, book.take, book.only)
    return follow(copy, stonks.view(state, seat), stonks.legal(state, seat))


def test_follow_low_plays_the_lowest_card_without_arrows() -> None:
    state = table({0: "GG10 MG9", 1: "GG3 GG8 GG12"})
    play(state, lay("GG10"))
    assert ordered(LOW, state) == lay("GG8")


def test_follow_low_unless_i_can_get_ahead() -> None:
    state = table({0: "GG10 MG9", 1: "GG6 GG11 GG13", 2: "GG9 GG8 MG1"})
    play(state, lay("GG10"))
    assert ordered(AHEAD, state) == lay("GG11")
    play(state, lay("GG11"))
    assert ordered(AHEAD, state) == lay("GG8")


def test_nobody_gets_ahead_of_a_trump_by_following() -> None:
    state = table({0: "GG10 MG9", 1: "CO6 MG8", 2: "GG13 GG8 MG1"})
    play(state, lay("GG10"), lay("CO6"))
    assert ordered(AHEAD, state) == lay("GG8")


def test_a_disguised_card_is_got_ahead_of_by_a_higher_one() -> None:
    state = table({0: "GG10 MG9", 1: "RA12 MG8", 2: "GG11 GG13 GG6"})
    play(state, lay("GG10"), disguise("RA12"))
    assert ordered(AHEAD, state) == lay("GG13")


def test_a_face_down_card_is_nothing_to_get_ahead_of() -> None:
    state = table({0: "GG10 MG9", 1: "RA12 RA8"})
    play(state, Announce("GG10", "RA"))
    assert ordered(AHEAD, state) == lay("RA8")


def test_whoever_leads_is_asked() -> None:
    state = table({0: "GG10 MG9"})
    assert ordered(LOW, state) is None and why(LOW, state) == ""


def test_whoever_cannot_follow_is_asked_and_told_why() -> None:
    state = table({0: "GG10 MG9", 1: "RA12 RA8"})
    play(state, lay("GG10"))
    assert ordered(LOW, state) is None and why(LOW, state) == "cannot_follow"


def test_whoever_has_only_arrows_is_asked_and_told_why() -> None:
    state = table({0: "GG10 MG9", 1: "GG1 GG4 RA8"})
    play(state, lay("GG10"))
    assert ordered(LOW, state) is None and why(LOW, state) == "only_arrows"


def test_how_to_follow_lapses_with_the_round() -> None:
    state = table({0: "GG10 MG9", 1: "GG3 GG8 GG12"}, round=2)
    play(state, lay("GG10"))
    book = Book(round=1, follow="low", take="best")
    assert follow(book, stonks.view(state, 1), stonks.legal(state, 1)) is None
    assert book == Book(take="best")


def test_the_card_that_is_worth_most_is_taken() -> None:
    state = table({0: "GG10 MG9", 1: "GG6 MG8", 2: "RA13 MG7"}, market="PA9")
    play(state, lay("GG10"), lay("GG6"), lay("RA13"))
    assert ordered(Book(take="best"), state) == Acquire("PA9")  # 2 × 4 is more than 3 × 2.
    assert ordered(LOW, state) is None


def test_the_only_card_is_played_if_it_moves_nothing() -> None:
    for hand, move in (("GG8 RA8", lay("GG8")), ("GG3 RA8", None), ("GG8 GG9", None)):
        state = table({0: "GG10 MG9", 1: hand})
        play(state, lay("GG10"))
        assert ordered(Book(only=True), state) == move


def test_the_form_sends_back_what_it_shows() -> None:
    view = stonks.view(table(), 0)
    words: Any = bare_environment().get_template("games/stonks/orders.html").module
    for book in (Book(), LOW, AHEAD, Book(take="best", only=True), Book(1, "low", "best", True)):
        html = str(words.fields(sheet(book, view)))
        fields = dict(re.findall(r'name="(\w+)"[^>]* value="(\w+)"(?: checked)', html))
        fields |= dict.fromkeys(re.findall(r'name="(only)"[^>]* checked', html), "on")
        assert read({"round": "1", **fields}, view) == book


@pytest.mark.parametrize("bad", [{"round": "2"}, {"follow": "high"}, {"take": "all"}])
def test_what_is_no_order_is_refused_in_words(bad: dict[str, str]) -> None:
    with pytest.raises(IllegalMove, match="please"):
        read({"round": "1", **bad}, stonks.view(table(), 0))


def test_orders_left_on_the_site_play_on_and_are_their_owners_secret(app, sign_up, same_deal):
    match_id, players = seated(app, sign_up, 3, game="stonks")

    chooser = Random(1)
    for player in players:
        make_any_move(player, match_id, chooser)
    address = f"/table/{match_id}"
    for player in players:
        form = {"moves_made": "1", "round": "1", "follow": "low", "take": "best", "only": "on"}
        answer = player.post(f"{address}/orders", data=form)
        assert answer.status_code == 303, answer.text
        assert "follow with my lowest card" in player.get(address).text
    for _ in range(12):
        make_any_move(on_turn(app, match_id, players)[0], match_id, chooser)
    with app.app_context():
        made = db.session.scalars(select(Made.made_by).where(Made.match_id == match_id)).all()
    assert made.count("order") > 5
    assert "standing order" not in app.test_client().get(address).text
