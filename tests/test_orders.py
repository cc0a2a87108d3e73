"""Leaving standing orders on the site: who sees them, when they act, and what is refused."""

import re
from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from stockpile_web import boards, codec, orders
from stockpile_web.database import db, writing
from stockpile_web.games import GAMES
from stockpile_web.games.stockpile.orders.book import Book, Offer
from stockpile_web.models import Match, Move, Place, User
from tests.clicking import Board, make_any_move
from tests.people import NAMES, on_turn, seated
from tests.postbox import serving, work
from tests.test_bytes import CSRF

HX = {"HX-Request": "true"}
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Game:
    """A match of people without bots, and what the database knows of it."""

    def __init__(self, app: Flask, match_id: int, players: list[FlaskClient]) -> None:
        self.app, self.id, self.players = app, match_id, players
        self.address = f"/table/{match_id}"
        self.chooser = Random(5)

    def state(self):
        with self.app.app_context():
            match = db.session.get(Match, self.id)
            return codec.load(GAMES["stockpile"].State, match.state)

    def waiting(self) -> list[FlaskClient]:
        return on_turn(self.app, self.id, self.players)

    def play_to(self, phase: str) -> None:
        """Make random moves until somebody has to decide in this phase."""
        while self.phase() != phase:
            make_any_move(self.waiting()[0], self.id, self.chooser)

    def phase(self) -> str:
        state = self.state()
        return "dividend" if state.dividend else state.phase

    def others(self) -> list[FlaskClient]:
        return [player for player in self.players if player not in self.waiting()]

    def form(self, client: FlaskClient) -> dict[str, str]:
        """Return the hidden fields of the form for orders."""
        page = client.get(f"{self.address}/orders")
        assert page.status_code == 200
        return dict(HIDDEN.findall(page.text))

    def leave(self, client: FlaskClient, **fields: str):
        named = {name.replace("_", "."): value for name, value in fields.items()}
        answer = client.post(f"{self.address}/orders", data={**self.form(client), **named})
        assert answer.status_code == 303, answer.text
        return answer

    def place(self, client: FlaskClient) -> Place:
        name = NAMES[self.players.index(client)]
        with self.app.app_context():
            return db.session.scalars(
                select(Place).join(User).where(Place.match_id == self.id, User.name == name)
            ).one()

    def moves(self) -> list[Move]:
        with self.app.app_context():
            rows = select(Move).where(Move.match_id == self.id).order_by(Move.number)
            return list(db.session.scalars(rows))

    def bid(self, client: FlaskClient, pile: int, space: int, meeple: int = 0):
        move = codec.dump({"move": "Bid", "pile": pile, "space": space, "meeple": meeple})
        made = self.place(client).moves_made
        answer = client.post(f"{self.address}/move", data={"moves_made": made, "move": move})
        assert answer.status_code == 303, answer.text


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
    assert by_order.seat == game.place(second).seat
    assert codec.load(dict, by_order.move) == {"move": "Bid", "pile": 1, "space": 0, "meeple": 0}
    assert game.waiting() == [third]


def test_an_order_bids_again_for_whoever_is_outbid(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="1", most_0="3", then="ask")
    game.bid(first, 0, 0)
    game.bid(third, 1, 2)
    assert game.state().bids[1].space == 3 or game.phase() != "demand"
    assert game.moves()[-1].made_by == "order"
    assert game.waiting() == [third]


def test_only_its_owner_reads_in_the_log_that_an_order_has_acted(game: Game) -> None:
    game.play_to("demand")
    first, second, third = in_order(game)
    game.leave(second, pile_0="1", most_0="4")
    game.bid(first, 0, 0)
    turn = f"{game.address}/turn/{len(game.moves()) - 1}"
    for address in (game.address, f"{game.address}/log", turn):
        pages = [player.get(address).text for player in (second, first, third)]
        assert ["By standing order." in page for page in pages] == [True, False, False], address


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
    assert answer.text.lstrip().startswith('<form id="board"')
    assert '<div id="order-slot" hx-swap-oob="true"></div>' in answer.text
    assert "Waiting for" in answer.text


def test_orders_are_shown_to_their_owner_in_words_and_can_be_changed_and_cleared(
    game: Game,
) -> None:
    game.play_to("demand")
    _, second, third = in_order(game)
    game.leave(
        second, pile_0="1", most_0="4", pile_1="0", most_1="2", then="cheapest", boom="CC",
        sell_AA="now", sell_CC="8", rest="round", dividends="never", easy="on",
    )  # fmt: skip
    page = second.get(game.address).text
    for words in (
        "Bid on pile 2 up to $10K, else on pile 1 up to $3K, then the cheapest there is.",
        "Stock Boom on Cosmic Computers, this round.",
        "Sell all American Automotive this round, at any price.",
        "Sell all Cosmic Computers at $8K or more.",
        "Keep all other shares, this round.",
        "Collect dividends on split cards alone, and show no others.",
        "Do whatever needs no thought.",
    ):
        assert words in page
        assert words not in third.get(game.address).text
    form = second.get(f"{game.address}/orders").text
    for chosen in (
        'id="wish-0-1" value="1" checked', 'id="most-0-4" value="4" checked',
        'id="then-cheapest" value="cheapest" checked', 'value="8" selected',
        'id="dividends-never" value="never" checked', 'id="easy" checked',
    ):  # fmt: skip
        assert chosen in form
    game.leave(second, dividends="always")
    page = second.get(game.address).text
    assert "Collect every dividend in full." in page and "Bid on pile" not in page
    game.leave(second, clear="on", dividends="always")
    assert game.place(second).orders == ""
    assert "Collect every dividend" not in second.get(game.address).text


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


def test_leaving_an_order_that_does_not_act_is_noticed_by_nobody(game: Game) -> None:
    """Two worlds that differ only in others' books give a viewer the same bytes."""
    books = [
        "",
        codec.dump(Book(round=1, offers=[Offer(1, 4, "?")], then="cheapest", boom="CC")),
        codec.dump(Book(at={"CC": 8}, rest="always", dividends="never", easy=True)),
    ]
    chooser, compared = Random(3), 0
    for step in range(40):
        waiting = game.waiting()
        if not waiting:
            break
        if step % 5 == 0:
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
    assert compared > 20


def test_the_check_of_bytes_sees_an_own_book(game: Game) -> None:
    ann = game.players[0]
    before = everything_sent(game, ann)
    put_books(game, None, codec.dump(Book(easy=True)))
    assert everything_sent(game, ann) != before


def test_leaving_an_order_moves_no_version_and_tells_no_open_page(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.play_to("demand")
    for name in ("moved", "notify_in"):
        monkeypatch.setattr(orders.live, name, lambda *_: pytest.fail("it was told"))
    _, second, third = in_order(game)
    tag = third.get(game.address).headers["ETag"]
    with game.app.app_context():
        before = db.session.get(Match, game.id)
        marks = (before.version, before.chat_version, before.moved_at)
    game.leave(second, pile_0="1", most_0="4")
    with game.app.app_context():
        after = db.session.get(Match, game.id)
        assert (after.version, after.chat_version, after.moved_at) == marks
    assert third.get(game.address, headers={"If-None-Match": tag}).status_code == 304


def test_an_old_form_is_stale_once_its_owner_has_moved(game: Game) -> None:
    game.play_to("demand")
    first, *_ = in_order(game)
    form = {**game.form(first), "easy": "on"}
    game.bid(first, 0, 0)
    answer = first.post(f"{game.address}/orders", data=form, headers=HX)
    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == "#order-slot"
    assert "as they stand now" in answer.text and 'id="order-form"' in answer.text
    assert "<html" in first.post(f"{game.address}/orders", data=form).text
    assert game.place(first).orders == ""


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
    kept = game.place(second).orders
    answer = second.post(f"{game.address}/orders", data={**game.form(second), **bad}, headers=HX)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text and 'id="order-form"' in answer.text
    assert game.place(second).orders == kept


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
    assert len(game.place(second).orders) < 1000


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
    host.post(f"{game.address}/seating", data={"do": "close"})
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
        texts = {mail["To"]: mail.get_body(("plain",)).get_content() for mail in postbox.mails}
    name = NAMES[game.players.index(second)]
    (told,) = [text for to, text in texts.items() if to == f"{name}@example.org"]
    assert f"- {name} bids $0 on pile 1. By standing order." in told
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


def test_who_deletes_their_account_leaves_no_orders(game: Game, app: Flask) -> None:
    game.leave(game.players[1], dividends="always")
    answer = game.players[1].post("/account/delete", data={"password": "correct horse"})
    assert answer.status_code in (302, 303)
    with app.app_context():
        assert set(db.session.scalars(select(Place.orders))) == {""}


def in_order(game: Game) -> list[FlaskClient]:
    """Return the players in turn order."""
    with game.app.app_context():
        rows = select(Place.seat, User.name).join(User).where(Place.match_id == game.id)
        by_seat = {seat: game.players[NAMES.index(name)] for seat, name in db.session.execute(rows)}
    return [by_seat[seat] for seat in game.state().order()]


def put_books(game: Game, viewer: FlaskClient | None, book: str) -> None:
    """Make `book` the book of everyone but the viewer, without letting it act."""
    note = codec.dump({"kind": "pile_changed", "pile": 0, "turn": 1}) if book else ""
    with game.app.app_context(), writing() as tx:
        others = update(Place).where(Place.match_id == game.id)
        if viewer in game.players:
            others = others.where(Place.id != game.place(viewer).id)
        tx.execute(others.values(orders=book, order_note=note))


def everything_sent(game: Game, client: FlaskClient) -> list[str]:
    """Return all that a browser gets to see of a match: bodies and headers."""
    boards.forget()
    sent = []
    addresses = ["", "/log", f"/turn/{len(game.moves()) - 1}", "/orders"]
    for address in [*(game.address + end for end in addresses), "/tables", "/notices"]:
        for headers in ({}, HX):
            answer = client.get(address, headers=headers)
            kept = [x for x in str(answer.headers).splitlines() if "Set-Cookie" not in x]
            sent += [CSRF.sub("", answer.text), "\n".join(kept)]
    return sent
