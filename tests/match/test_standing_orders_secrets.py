"""Standing orders are their owner's secret until they act, and that they were orders for ever."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from stockpile_web import live
from stockpile_web.engine import codec
from stockpile_web.games.stockpile.orders.book import Book, Offer
from stockpile_web.match.glance import glance
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache
from tests.games.stockpile.ordering import Game, in_order, put_books
from tests.support.clicking import make_any_move
from tests.support.people import HX, seated
from tests.web.test_bytes import CSRF


@pytest.fixture
def game(app: Flask, sign_up: Callable[..., int]) -> Game:
    """A table of three."""
    return Game(app, *seated(app, sign_up, 3))


def test_only_its_owner_reads_in_the_log_that_an_order_has_acted(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="1", most_0="4")
    game.bid(first, 0, 0)
    turn = f"{game.address}/turn/{len(game.moves()) - 1}"
    for address in (game.address, f"{game.address}/log", turn):
        pages = [player.get(address).text for player in (second, first, third)]
        assert ["By standing order." in page for page in pages] == [True, False, False], address


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("every", [10, pytest.param(5, marks=pytest.mark.long)])
def test_leaving_an_order_that_does_not_act_is_noticed_by_nobody(game: Game, every: int) -> None:
    """Two worlds that differ only in others' books give a viewer the same bytes."""
    books = [
        "",
        codec.dump(Book(round=1, offers=[Offer(1, 4, "?")], then="cheapest", boom="CC")),
        codec.dump(Book(at={"CC": 8}, rest="always", dividends="never")),
    ]
    chooser, compared = Random(3), 0
    for step in range(40):
        waiting = game.waiting()
        if not waiting:
            break
        if step % every == 0:
            for viewer in [*game.players, game.app.test_client()]:
                sent = []
                for book in books:
                    put_books(game, viewer, book)
                    sent.append(everything_sent(game, viewer))
                for one, two, three in zip(*sent, strict=True):
                    assert one.splitlines() == two.splitlines() == three.splitlines()
                compared += 1
            put_books(game, None, "")
        make_any_move(chooser.choice(waiting), game.id, chooser)
    assert compared > 100 / every


def test_the_check_of_bytes_sees_an_own_book(game: Game) -> None:
    ann = game.players[0]
    before = everything_sent(game, ann)
    put_books(game, None, codec.dump(Book(rest="always")))
    assert everything_sent(game, ann) != before


def test_templates_are_never_given_the_orders_of_others(game: Game) -> None:
    put_books(game, None, codec.dump(Book(rest="always")))
    with game.app.app_context():
        for seat in db.session.scalars(select(Seat)).all():
            seen = glance(reading(), game.id, seat.user_id)
            assert seen is not None
            kept = [each.number for each in seen.seats if each.orders or each.order_note]
            assert kept == [seat.number]
        spectator = glance(reading(), game.id, None)
        assert spectator is not None
        assert not any(each.orders or each.order_note for each in spectator.seats)


def test_leaving_an_order_moves_no_version_and_tells_no_open_page(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.play_to("demand")
    for name in ("moved", "notify_in"):
        monkeypatch.setattr(live, name, lambda *_: pytest.fail("it was told"))
    _, second, third = in_order(game)
    tag = third.get(game.address).headers["ETag"]
    with game.app.app_context():
        before = db.session.get_one(Match, game.id)
        marks = (before.version, before.table_version, before.moved_at)
    game.leave(second, pile_0="1", most_0="4")
    with game.app.app_context():
        after = db.session.get_one(Match, game.id)
        assert (after.version, after.table_version, after.moved_at) == marks
    assert third.get(game.address, headers={"If-None-Match": tag}).status_code == 304


def everything_sent(game: Game, client: FlaskClient) -> list[str]:
    """Return all that a browser gets to see of a match: bodies and headers."""
    board_cache.clear()
    sent = []
    addresses = ["", "/log", f"/turn/{len(game.moves()) - 1}", "/orders"]
    for address in [*(game.address + end for end in addresses), "/tables", "/notices"]:
        for headers in ({}, HX):
            answer = client.get(address, headers=headers)
            kept = [x for x in str(answer.headers).splitlines() if "Set-Cookie" not in x]
            sent += [CSRF.sub("", answer.text), "\n".join(kept)]
    return sent
