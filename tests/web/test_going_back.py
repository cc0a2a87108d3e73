"""Going back at a practice table: to before any of my moves, as far as I like."""

import re
from functools import partial
from random import Random

import pytest
from sqlalchemy import select

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import review, take_back
from stockpile_web.match.rows import read_match, read_seats
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import (
    Chapter,
    Move,
    User,
)
from stockpile_web.storage.transactions import reading
from stockpile_web.web import practice
from stockpile_web.web.rate_limits import Limit
from tests.support.clicking import make_any_move
from tests.support.people import HX, seated
from tests.support.practising import Practice
from tests.support.toy.site import SLUG, add_toy

BACK = re.compile(r'formaction="(/table/\d+/back/(\d+))" name="moves_made" value="(\d+)"')


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("slug", GAMES)
def test_at_a_practice_table_one_goes_back_to_before_any_move_of_ones_own(app, sign_up, slug):
    table = Practice(app, sign_up, slug)
    table.play(12)
    mine, version = table.standing(), table.match().version
    assert len(mine) > 2 and table.match().status == "playing"

    # Everything since is as if it had not been; it stays in the record.
    third = mine[2]
    before = table.state_before(third)
    made = table.mine().moves_made
    assert table.go_back(third).status_code == 303
    assert table.match().state == before and table.match().version == version + 1
    assert table.mine().on_turn and table.mine().last_move == mine[1]
    assert table.standing() == mine[:2]
    assert table.go_back(third, made).status_code == 303  # A double click counts once.
    assert table.match().version == version + 1
    assert table.go_back(mine[1], made + 7).status_code == 409
    # What was taken back cannot be taken back again, nor what others have done.
    for number in (third, 0, version + 1, 10**9):
        assert table.go_back(number).status_code == 422
    check_pages(table)

    # Played on, and back once more: as far as the deal, with htmx.
    table.play(6)
    assert [each for each in table.standing() if each < third] == mine[:2]
    check_pages(table)
    table.go_back(table.standing()[1])
    table.play(2)
    first = table.standing()[0]
    before = table.state_before(first)
    answer = table.go_back(first, headers=HX)
    assert answer.status_code == 200 and 'id="board"' in answer.text
    assert table.match().state == before and table.standing() == []
    page = table.ann.get(table.address).text
    assert ">Take back<" not in page and "Back to before" not in page
    assert "this is the beginning" in table.ann.get(f"{table.address}/back").text
    check_pages(table)
    # To its end: nothing of it is ever told twice.
    table.play(400)
    assert table.match().status == "over"
    check_pages(table)
    assert table.go_back(table.standing()[-1]).status_code == 422
    assert ">Take back<" not in table.ann.get(table.address).text
    assert table.ann.get(f"{table.address}/back").status_code == 403
    # Nobody is judged by what was taken back, bots neither.
    with app.app_context():
        gone = take_back.taken_back_moves(reading(), table.match_id)
        match = read_match(reading(), table.match_id)
        assert match is not None
        for seat in read_seats(reading(), table.match_id):
            judged = {each.number for each in review.moves_of(reading(), match, seat)}
            assert judged and not judged & gone


def check_pages(table):
    """Look at all that tells of the past of a match of which moves were taken back."""
    ann, address, number = table.ann, table.address, table.match().version - 1
    with table.app.app_context():
        gone = take_back.taken_back_moves(reading(), table.match_id)
        chapters = db.session.execute(
            select(Chapter.number, Chapter.round, Chapter.phase).where(
                Chapter.match_id == table.match_id
            )
        ).all()
        taken = select(Move.number, Move.move).where(
            Move.match_id == table.match_id, Move.digest == take_back.DIGEST
        )
        read = partial(codec.load, take_back.TakeBack)
        backs = {by: read(move).first for by, move in db.session.execute(taken)}
    # Chapters begin where they began in the match as it stands, or with going back itself.
    assert {chapter.number for chapter in chapters} & gone <= set(backs)
    page = ann.get(address)
    assert page.status_code == 200
    for each in {0, number, *backs, min(gone), *table.standing()[:2]}:
        turn = ann.get(f"{address}/turn/{each}")
        assert turn.status_code == 200
        is_gone = any(first <= each < by for by, first in backs.items())
        assert ("This move was taken back" in turn.text) == is_gone
        offered = re.search(r"/back/(\d+)", turn.text)
        if offered and "Back to here" in turn.text:
            assert int(offered[1]) in table.standing()
            assert table.state_before(int(offered[1])) == table.state_before(each + 1)
    for path in ("/log", "/story", f"/replay?after={number - 9}"):
        assert ann.get(f"{address}{path}").status_code == 200
    assert f"moves {min(gone)} to" in ann.get(f"{address}/log").text


def test_my_last_moves_are_listed_with_a_way_back_beside_the_board_and_on_a_page(app, sign_up):
    table = Practice(app, sign_up, next(iter(GAMES)))
    table.play(9)
    page = table.ann.get(table.address).text
    ((way, number, made),) = BACK.findall(page)  # "Take back", though bots have moved since.
    assert int(number) == table.standing()[-1] and f'hx-get="{table.address}/back"' in page
    part = table.ann.get(f"{table.address}/back", headers=HX).text
    whole = table.ann.get(f"{table.address}/back").text
    listed = [int(number) for _, number, _ in BACK.findall(part)]
    assert listed == table.standing()[: -1 - practice.LATEST : -1] and "All my moves" in part
    assert [int(number) for _, number, _ in BACK.findall(whole)] == table.standing()[::-1]
    assert "drawn anew" in part and 'id="seat-form"' in whole
    turn = table.ann.get(f"{table.address}/turn/{table.standing()[1] - 1}").text
    assert "Back to here" in turn
    assert table.ann.post(way, data={"moves_made": made}).status_code == 303
    assert len(table.standing()) == 8


def test_one_goes_back_at_practice_tables_alone(app, sign_up, monkeypatch):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    assert ann.get(f"/table/{match_id}/back").status_code == 403
    for player in (ann, bob):
        answer = player.post(f"/table/{match_id}/back/1", data={"moves_made": "0"})
        assert answer.status_code == 422 and "only at a practice table" in answer.text
    address = bob.post(f"/try/{next(iter(GAMES))}").location
    for stranger in (ann, app.test_client()):
        assert stranger.get(f"{address}/back").status_code == 404
    assert ann.post(f"{address}/back/1").status_code in (403, 404)

    # Guests practise, too.
    guest = app.test_client()
    theirs = guest.post(f"/try/{next(iter(GAMES))}").location
    make_any_move(guest, int(theirs.rsplit("/", 1)[1]), Random(1))
    (way, _, made), *_ = BACK.findall(guest.get(f"{theirs}/back").text)
    assert guest.post(way, data={"moves_made": made}).location == theirs

    # Where somebody else belongs to the table, too, it is closed.
    practice_id = int(address.rsplit("/", 1)[1])
    with app.app_context():
        anns = db.session.query(User).filter_by(name="ann").one().id
        with changing(practice_id) as turn:
            bot = next(seat for seat in turn.seats if seat.bot)
            bot.user_id = anns
    make_any_move(bob, practice_id, Random(1))
    assert bob.get(f"{address}/back").status_code == 403
    monkeypatch.setattr(practice, "GOING_BACK", Limit("back", 0, 60))
    assert "often enough" in bob.post(f"{address}/back/1").text


def test_a_practice_table_does_not_grow_for_ever(app, sign_up, monkeypatch):
    table = Practice(app, sign_up, next(iter(GAMES)))
    table.play(2)
    monkeypatch.setattr(take_back, "MOST_MOVES", table.match().version)
    answer = table.go_back(table.standing()[0])
    assert answer.status_code == 422 and "begin another practice table" in answer.text
    monkeypatch.setattr(take_back, "MOST_MOVES", table.match().version + 1)
    assert table.go_back(table.standing()[0]).status_code == 303


def test_going_back_clears_orders_that_would_act_at_once(app, sign_up, monkeypatch):
    add_toy(app, monkeypatch)
    table = Practice(app, sign_up, SLUG)
    table.play(1)
    first = table.standing()[0]
    with app.app_context(), changing(table.match_id) as turn:
        assert turn.game.ORDERS is not None
        turn.books.put(table.mine().number, turn.game.ORDERS.Book(tens=1))
    assert table.go_back(first).status_code == 303
    assert table.mine().on_turn and table.standing() == []
    assert table.mine().orders == ""


def test_what_lay_hidden_stays_and_what_was_drawn_since_is_drawn_anew(app, sign_up):
    table = Practice(app, sign_up, "stockpile")
    in_play = partial(codec.load, GAMES["stockpile"].State)
    while in_play(table.match().state).round < 2:
        table.play(1)
    second = in_play(table.match().state)
    table.go_back(table.standing()[0])
    first = in_play(table.match().state)
    while in_play(table.match().state).round < 2:
        table.play(1)
    again = in_play(table.match().state)
    # Tips are dealt each round, by chance; the deck lay there from the beginning.
    assert [pair.forecast for pair in again.pairs] != [pair.forecast for pair in second.pairs]
    drawn = len(first.deck) - len(again.deck)
    assert again.deck == first.deck[:-drawn] or again.deck == first.deck[drawn:]
