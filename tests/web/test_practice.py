"""Practice tables: back to before any of my moves, other bots, once more, and nothing counts."""

import re
from functools import partial
from random import Random

import pytest
from sqlalchemy import select

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import take_back
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import (
    Archived,
    Chapter,
    Match,
    Move,
    Rating,
    Reckoning,
    Seat,
    User,
)
from stockpile_web.storage.transactions import reading
from stockpile_web.web import practice
from stockpile_web.web.rate_limits import Limit
from tests.support.clicking import make_any_move
from tests.support.people import HX, seated
from tests.support.playing import play
from tests.support.practising import Practice
from tests.support.toy.site import SLUG, add_toy

BACK = re.compile(r'formaction="(/table/\d+/back/(\d+))" name="moves_made" value="(\d+)"')


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


def test_the_bots_of_a_practice_table_are_changed_at_once(app, sign_up):
    table = Practice(app, sign_up, next(iter(GAMES)))
    bots = {seat: "casual" for seat in range(4)} | {(table.mine().number + 1) % 4: "sharp"}
    form = {f"bot-{seat}": bot for seat, bot in bots.items()}
    page = table.ann.get(table.address).text
    assert 'value="bots"' in page and "I know what shares are worth" in page
    data = {"do": "bots", **form}
    answer = table.ann.post(f"{table.address}/seating", data=data, follow_redirects=True)
    assert "The bots play as you chose" in answer.text
    with app.app_context():
        seats = db.session.get_one(Match, table.match_id).seats
        others = {seat.number: seat.bot for seat in seats if seat.user_id is None}
    assert others == {seat: bots[seat] for seat in others}
    assert table.mine().bot is None
    assert "I play at a glance" in table.ann.get(table.address).text
    # A bot that thinks is left to the worker, but not if I have gone back to before its turn.
    while not waiting(app, table.match_id):
        table.play(1)
    assert table.go_back(table.standing()[-1]).status_code == 303
    assert table.mine().on_turn and not waiting(app, table.match_id)
    # One that does not think moves when it takes its place.
    while not (thinking := waiting(app, table.match_id)):
        table.play(1)
    before = table.match().version
    form = {f"bot-{thinking[0]}": "steady", "bot-9": "steady", "bot-0": "nobody"}
    table.ann.post(f"{table.address}/seating", data={"do": "bots", **form})
    assert table.match().version > before and not waiting(app, table.match_id)

    with app.app_context(), changing(table.match_id) as turn:
        turn.match.practice = False
    data = {"do": "bots", **form}
    refused = table.ann.post(f"{table.address}/seating", data=data, follow_redirects=True)
    assert "at practice tables only" in refused.text and 'value="bots"' not in refused.text


def waiting(app, match_id):
    """Return the seats whose bots are to think."""
    with app.app_context():
        acting = select(Seat.number).where(Seat.match_id == match_id, Seat.acts_at.is_not(None))
        return db.session.scalars(acting).all()


def test_a_practice_table_counts_for_nothing_and_play_again_begins_another(app, sign_up):
    table = Practice(app, sign_up, "stonks")
    form = {f"bot-{seat}": "casual" for seat in range(4)}
    table.ann.post(f"{table.address}/seating", data={"do": "bots", **form})
    play(app, table.match_id)
    assert table.match().status == "over"
    with app.app_context():
        for counted in (Reckoning, Rating):
            assert db.session.scalars(select(counted)).all() == []
        kept = db.session.scalars(select(Archived)).all()
        assert [row.listed for row in kept] == [False]  # In Ann's own list, as practice.
    ann, stranger = table.ann, app.test_client()
    assert "You have finished no match yet" in ann.get("/people/ann").text
    assert len(ann.get("/people/ann/results.csv").text.splitlines()) == 1
    for page in ("/archive", "/people", "/feed.atom", "/tables/listed", "/people/ann"):
        assert table.address not in stranger.get(page).text
        assert "Abacus" not in stranger.get(page).text
    assert "practice</span>" in ann.get("/archive?mine=on").text

    again = ann.post(f"{table.address}/seating", data={"do": "rematch"}).location
    assert again != table.address and again == go_again(ann, table)
    with app.app_context():
        new = db.session.get_one(Match, int(again.rsplit("/", 1)[1]))
        assert (new.practice, new.listed, new.status) == (True, False, "playing")
        assert (new.game, new.options, new.size) == ("stonks", table.match().options, 4)
        assert [seat.bot for seat in new.seats if seat.user_id is None] == ["casual"] * 3
    assert "Back to before" in ann.get(again).text or "steady player" in ann.get(again).text


def go_again(client, table):
    return client.post(f"{table.address}/seating", data={"do": "rematch"}).location
