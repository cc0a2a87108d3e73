"""Leaving standing orders on the site: when they act, how they are told, and what is refused."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from stockpile_web.engine import Followed, Orders, codec
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import DONE
from stockpile_web.games.stockpile.orders.book import Book
from stockpile_web.games.stockpile.orders.reading import read
from stockpile_web.games.stockpile.orders.sheet import sheet
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Seat
from tests.games.stockpile.ordering import Game, in_order, put_books
from tests.support.clicking import Board, make_any_move
from tests.support.hourglass import run_out
from tests.support.people import HX, NAMES, close, seated, table
from tests.support.postbox import serving, text_of, work

USUAL = codec.dump(Book(dividends="always"))


@pytest.fixture
def game(app: Flask, sign_up: Callable[..., int]) -> Game:
    """A table of three."""
    return Game(app, *seated(app, sign_up, 3))


def test_an_order_acts_in_the_wake_of_the_move_that_makes_it_possible(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="1", most_0="4")
    before = len(game.moves())
    game.bid(first, 0, 0)
    *_, by_first, by_order = game.moves()
    assert len(game.moves()) == before + 2
    assert (by_first.made_by, by_order.made_by) == ("", "order")
    assert by_order.seat == game.seat(second).number
    assert codec.load(dict, by_order.move) == {"move": "Bid", "pile": 1, "space": 0, "meeple": 0}
    assert game.waiting() == [third]


def test_an_order_bids_again_for_whoever_is_outbid(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="1", most_0="3", then="ask")
    game.bid(first, 0, 0)
    game.bid(third, 1, 2)
    assert game.phase() == "demand"
    standing = game.state().bids[1]
    assert standing and standing.space == 3
    assert game.moves()[-1].made_by == "order"
    assert game.waiting() == [third]


def test_an_order_that_can_act_at_once_does(game: Game) -> None:
    game.play_to("demand")
    first, second, _ = in_order(game)
    game.leave(first, pile_0="2", most_0="0")
    assert game.moves()[-1].made_by == "order"
    assert game.waiting() == [second]


def test_by_htmx_the_answer_is_the_board_and_the_form_is_cleared_away(game: Game) -> None:
    game.play_to("demand")
    first, *_ = in_order(game)
    form = {**game.form(first), "pile.0": "2", "most.0": "0"}
    answer = first.post(f"{game.address}/orders", data=form, headers=HX)
    assert answer.status_code == 200
    assert '<form id="board"' in answer.text and "<html" not in answer.text
    assert '<div id="order-slot" hx-swap-oob="true"></div>' in answer.text
    assert "Waiting for" in answer.text


def test_orders_are_shown_to_their_owner_in_words_and_can_be_changed_and_cleared(
    game: Game,
) -> None:
    game.play_to("demand")
    _, second, third = in_order(game)
    game.leave(
        second, pile_0="1", most_0="4", pile_1="0", most_1="2", then="cheapest", boom="CC",
        sell_AA="now", sell_CC="8", rest="round", dividends="never",
    )  # fmt: skip
    page = second.get(game.address).text
    for words in (
        "Bid on pile 2 up to $10K, else on pile 1 up to $3K, then the cheapest there is.",
        "Stock Boom on Cosmic Computers, this round.",
        "Sell all American Automotive this round, at any price.",
        "Sell all Cosmic Computers at $8K or more.",
        "Keep all other shares, this round.",
        "Collect dividends on split cards alone, and show no others.",
    ):
        assert words in page
        assert words not in third.get(game.address).text
    form = second.get(f"{game.address}/orders").text
    for chosen in (
        'id="wish-0-1" value="1" checked', 'id="most-0-4" value="4" checked',
        'id="then-cheapest" value="cheapest" checked', 'value="8" selected',
        'id="dividends-never" value="never" checked',
    ):  # fmt: skip
        assert chosen in form
    game.leave(second, dividends="always")
    page = second.get(game.address).text
    assert "Collect every dividend in full." in page and "Bid on pile" not in page
    game.leave(second, clear="on", dividends="always")
    assert game.seat(second).orders == ""
    page = second.get(game.address).text
    assert "Collect every dividend" not in page and "You are asked about every dividend" in page


def test_a_new_seat_collects_every_dividend_until_its_player_says_otherwise(game: Game) -> None:
    asked = game.players[0]
    assert {game.seat(player).orders for player in game.players} == {USUAL}
    assert "Collect every dividend in full." in asked.get(game.address).text
    answer = asked.post(f"{game.address}/orders", data={"press": "ask_about_dividends"})
    assert answer.status_code == 303
    assert game.seat(asked).orders == ""  # As if they had cleared all: it does not come back.
    while game.phase() != "dividend":
        make_any_move(game.waiting()[0], game.id, game.chooser)
    assert game.waiting() == [asked]
    collected = [move for move in game.moves() if '"Collect"' in move.move]
    assert {move.made_by for move in collected} <= {"order"}


def test_one_press_where_a_dividend_is_asked_collects_it_and_all_that_come(game: Game) -> None:
    put_books(game, None, "")
    game.play_to("dividend")
    client = game.waiting()[0]
    page = client.get(game.address).text
    assert 'form="order-press" name="press" value="collect_dividends"' in page
    press = {"press": "collect_dividends"}
    answer = client.post(f"{game.address}/orders", data=press, headers=HX)
    assert answer.status_code == 200 and 'id="board"' in answer.text
    assert client not in game.waiting() or game.phase() != "dividend"
    assert game.seat(client).orders == USUAL


def test_a_press_changes_one_thing_even_on_an_old_page_and_nothing_else(game: Game) -> None:
    game.play_to("demand")
    first, *_ = in_order(game)
    game.leave(first, sell_CC="8", rest="always", dividends="never")
    game.bid(first, 0, 0)
    first.post(f"{game.address}/orders", data={"press": "ask_about_the_rest"})
    assert codec.load(Book, game.seat(first).orders) == Book(
        round=1, at={"CC": 8}, dividends="never"
    )
    answer = first.post(f"{game.address}/orders", data={"press": "win"}, headers=HX)
    assert answer.status_code == 422


def test_who_is_not_there_themselves_keeps_the_usual_order_and_a_bot_has_none(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, ann = table(app, sign_up, 3)
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    with app.app_context():
        rows = db.session.execute(select(Seat.user_id, Seat.orders))
        orders = {user is None: text for user, text in rows}
    assert orders == {True: "", False: USUAL}


def test_who_is_asked_in_spite_of_an_order_is_told_why_until_they_move(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="0", most_0="0")
    game.bid(first, 0, 0)
    assert game.waiting() == [second]
    words = "pile 1 cannot be had for what you allow"
    assert words in second.get(game.address).text
    assert words in second.get(game.address, headers=HX).text
    assert words not in third.get(game.address).text
    game.bid(second, 1, 0)
    assert words not in second.get(game.address).text


def test_a_pile_that_changes_before_the_bidding_is_asked_about(game: Game) -> None:
    *_, last = in_order(game)
    while last not in game.waiting():
        make_any_move(game.waiting()[0], game.id, game.chooser)
    earlier = game.others()[0]
    game.leave(earlier, pile_0="0", most_0="7", pile_1="1", most_1="7", pile_2="2", most_2="7")
    lay_on = Board(last.get(game.address).text).fill_in(game.chooser)
    lay_on["part.up"], lay_on["part.down"] = '{"up_pile":0}', '{"down_pile":0}'
    assert last.post(f"{game.address}/move", data=lay_on).status_code == 303
    while earlier not in game.waiting() and game.phase() == "demand":
        make_any_move(game.waiting()[0], game.id, game.chooser)
    assert "pile 1, but it has changed" in earlier.get(game.address).text


def test_an_old_form_is_stale_once_its_owner_has_moved(game: Game) -> None:
    game.play_to("demand")
    first, *_ = in_order(game)
    form = {**game.form(first), "rest": "always"}
    game.bid(first, 0, 0)
    answer = first.post(f"{game.address}/orders", data=form, headers=HX)
    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == "#order-slot"
    assert "as they stand now" in answer.text and 'id="order-form"' in answer.text
    assert "<html" in first.post(f"{game.address}/orders", data=form).text
    assert game.seat(first).orders == USUAL


def test_a_form_from_before_a_take_back_is_told_so_and_not_that_its_owner_has_moved(
    game: Game,
) -> None:
    game.play_to("demand")
    first, *_ = in_order(game)
    game.bid(first, 0, 0)
    form = {**game.form(first), "rest": "always"}
    back = {"moves_made": form["moves_made"]}
    assert first.post(f"{game.address}/take-back", data=back).status_code == 303
    answer = first.post(f"{game.address}/orders", data=form, headers=HX)
    assert answer.status_code == 409
    assert "made or taken back since this form was loaded, so nothing was saved" in answer.text
    assert game.seat(first).orders == USUAL


@pytest.mark.parametrize(
    "bad",
    [
        {"round": "9"}, {"round": ""}, {"pile.0": "7"}, {"pile.0": "x"}, {"pile.0": "-1"},
        {"pile.0": "0", "most.0": "8"}, {"pile.0": "0", "most.0": ""}, {"then": "never"},
        {"sell.CC": "soon"}, {"sell.CC": "999999"}, {"sell.CC": "²"}, {"rest": "no"},
        {"dividends": "maybe"}, {"boom": "ZZ"}, {"bust": "boom"},
    ],
)  # fmt: skip
def test_what_is_no_order_is_refused_in_words_and_changes_nothing(game: Game, bad) -> None:
    game.play_to("demand")
    _, second, _ = in_order(game)
    game.leave(second, dividends="always")
    kept = game.seat(second).orders
    answer = second.post(f"{game.address}/orders", data={**game.form(second), **bad}, headers=HX)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text and 'id="order-form"' in answer.text
    assert game.seat(second).orders == kept


def test_a_book_is_small_whatever_is_sent(game: Game) -> None:
    game.play_to("demand")
    _, second, _ = in_order(game)
    fields = {f"look.{pile}": "x" * 10_000 for pile in range(3)}
    form = {
        **game.form(second),
        **fields,
        **{f"pile.{row}": "0" for row in range(50)},
        "most.0": "1",
    }
    form |= {f"most.{row}": "1" for row in range(50)}
    assert second.post(f"{game.address}/orders", data=form).status_code == 303
    assert len(game.seat(second).orders) < 1000


def test_orders_are_for_those_who_sit_at_a_match_that_is_played(
    game: Game, app: Flask, sign_up: Callable[..., int]
) -> None:
    stranger, eve = app.test_client(), app.test_client()
    sign_up(eve, "eve")
    for method in ("get", "post"):
        assert getattr(stranger, method)(f"{game.address}/orders").status_code == 302
        assert getattr(eve, method)(f"{game.address}/orders").status_code == 403
        assert getattr(eve, method)("/table/999999/orders").status_code == 404
    assert "Standing orders" not in stranger.get(game.address).text
    host = game.players[0]
    close(game.id, *game.players)
    assert host.get(f"{game.address}/orders").status_code == 404
    assert "Standing orders" not in host.get(game.address).text


def test_a_mail_tells_what_an_order_did_and_why_its_owner_is_asked_after_all(
    make_app: Callable[..., Flask], sign_up: Callable[..., int]
) -> None:
    def with_mail(client: FlaskClient, name: str) -> int:
        return sign_up(client, name, email=f"{name}@example.org")

    with serving() as postbox:
        site = make_app(**postbox.settings())
        game = Game(site, *seated(site, with_mail, 3))
        game.play_to("demand")
        first, second, third = in_order(game)
        game.leave(second, pile_0="0", most_0="1")
        game.bid(first, 1, 0)
        game.bid(third, 0, 2)
        assert game.waiting() == [second]
        work(site)
        texts = {mail["To"]: text_of(mail) for mail in postbox.mails}
    name = NAMES[game.players.index(second)]
    (told,) = [text for to, text in texts.items() if to == f"{name}@example.org"]
    assert f"- {name} bids $0 on pile 1. By standing order." in told
    assert f"- {NAMES[game.players.index(first)]} bids $0 on pile 2." in told  # News, too.
    assert "pile 1 cannot be had for what you allow" in told
    assert not any("order" in text for to, text in texts.items() if name not in to)


def test_a_whole_game_is_played_with_orders_that_leave_only_the_laying_of_cards(
    game: Game,
) -> None:
    phases = set()
    while waiting := game.waiting():
        phases.add(game.phase())
        client = waiting[0]
        game.leave(client, then="cheapest", rest="always", dividends="always", boom="CC", bust="AA")
        if client in game.waiting():
            make_any_move(client, game.id, game.chooser)
    assert phases <= {"supply", "demand", "action"}
    assert "The game is over" in game.players[0].get(game.address).text


def test_a_book_that_cannot_be_read_orders_nothing(game: Game) -> None:
    put_books(game, None, '{"round":"x"}')
    client = game.waiting()[0]
    assert client.get(game.address).status_code == 200
    make_any_move(client, game.id, game.chooser)


def test_an_order_that_is_wrong_by_our_mistake_stops_nobody(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.play_to("demand")
    first, second, _ = in_order(game)
    game.leave(second, rest="always")
    wrong = Orders(Book, read, lambda book, view, moves: Followed(DONE), sheet)
    monkeypatch.setattr(stockpile, "ORDERS", wrong)
    game.bid(first, 0, 0)
    assert game.waiting() == [second]


def test_when_time_is_up_what_was_ordered_goes_before_what_a_bot_would_do(game: Game) -> None:
    game.play_to("demand")
    first, *_ = in_order(game)
    put_books(game, None, codec.dump(Book(round=1, then="cheapest")))
    run_out(game.app, game.id, NAMES[game.players.index(first)])
    theirs = [move for move in game.moves() if move.seat == game.seat(first).number]
    assert theirs[-1].made_by == "order"


def test_an_order_goes_before_the_bot_that_plays_for_its_owner(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="2", most_0="7")
    second.post(f"{game.address}/seating", data={"do": "away", "bot": "casual"})
    game.bid(first, 0, 0)
    theirs = [move for move in game.moves() if move.seat == game.seat(second).number]
    assert theirs[-1].made_by == "order"
    assert game.state().bids[2] is not None


def test_who_deletes_their_account_leaves_no_orders(game: Game, app: Flask) -> None:
    game.leave(game.players[1], dividends="always")
    answer = game.players[1].post("/account/delete", data={"password": "correct horse"})
    assert answer.status_code in (302, 303)
    with app.app_context():
        assert sorted(db.session.scalars(select(Seat.orders))) == ["", USUAL, USUAL]
