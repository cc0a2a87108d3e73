"""Any turn of any match: from which sides it may be seen, and how one gets about."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from stockpile_web.engine import Event
from stockpile_web.match.perspective import Perspective
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Chapter, Match, Seat
from stockpile_web.storage.transactions import writing
from tests.support.clicking import make_any_move
from tests.support.people import close, on_turn, seated

NOT_YET = "everything is open"  # What is said to those who are curious too early.


class Played:
    """Three people in the middle of a match, an administrator, and a stranger."""

    def __init__(self, app: Flask, sign_up: Callable[..., int]) -> None:
        self.app, self.admin, self.stranger = app, app.test_client(), app.test_client()
        sign_up(self.admin, "zoe")  # Whoever comes first is the administrator.
        self.id, self.players = seated(app, sign_up, 3)
        self.address = f"/table/{self.id}"
        chooser = Random(3)
        for _ in range(14):
            make_any_move(on_turn(app, self.id, self.players)[0], self.id, chooser)
        with app.app_context():
            seats = db.session.query(Seat).filter_by(match_id=self.id)
            self.seat = {seat.name: seat.number for seat in seats}
            self.newest = db.session.get_one(Match, self.id).version - 1

    def look(self, client: FlaskClient, side: object = None, number: int = 9) -> tuple[int, str]:
        """Return what somebody gets who asks for a turn."""
        query = "" if side is None else f"?as={side}"
        answer = client.get(f"{self.address}/turn/{number}{query}")
        return answer.status_code, answer.text

    def end(self) -> None:
        """Let the match be over, as it lies."""
        self.change(status="over")

    def change(self, **columns: object) -> None:
        """Change the row of the match."""
        with self.app.app_context(), writing() as tx:
            tx.execute(update(Match).where(Match.id == self.id).values(columns))


@pytest.fixture
def played(app: Flask, sign_up: Callable[..., int]) -> Played:
    """A match in the middle."""
    return Played(app, sign_up)


def test_while_a_match_runs_nobody_sees_more_than_the_public_and_their_own_side(
    played: Played,
) -> None:
    ann, mine = played.players[0], played.seat["ann"]
    assert played.look(ann)[0] == played.look(ann, mine)[0] == played.look(ann, "public")[0] == 200
    assert "Your side" in played.look(ann)[1]
    assert "Your side" not in played.look(ann, "public")[1]
    theirs = {str(seat) for seat in played.seat.values() if seat != mine}
    for client, closed in (
        (ann, theirs),
        (played.admin, {"0", "1", "2"}),
        (played.stranger, {"1"}),
    ):
        for side in (*closed, "all"):
            status, page = played.look(client, side)
            assert status == 403
            assert NOT_YET in page
            assert "Pile 1" not in page
            assert client.get(f"{played.address}/log?as={side}").status_code == 403
    assert [played.look(ann, side)[0] for side in ("3", "-1", "nobody")] == [404] * 3
    # A link that I pass on names no side that is mine alone.
    assert f"as={mine}" not in played.look(ann)[1].replace(f'as={mine}"', "", 1)


def test_when_it_is_over_every_side_is_open_to_all_and_told_in_full(played: Played) -> None:
    before = played.look(played.stranger, "public", 0)[1]
    assert "You are dealt" not in before and "To bob:" not in before
    played.end()
    for seat in played.seat.values():
        status, page = played.look(played.stranger, seat, 0)
        assert status == 200
        assert "Your side" in page
        assert "You are dealt" in page
    status, page = played.look(played.stranger, "all", 0)
    assert status == 200
    for name in played.seat:
        assert f"<b>To {name}:</b> You begin with a share of" in page
    assert page.count("Worth now") == 3  # Each player's side lies open beneath the board.
    assert page.count("In hand:") >= 1
    for number in range(played.newest + 1):
        assert "face-down card</span>" not in played.look(played.stranger, "all", number)[1]
    assert "<b>To bob:</b> You" in played.stranger.get(f"{played.address}/log?as=all").text
    assert "<b>To bob:</b> You" not in played.stranger.get(f"{played.address}/log").text
    # What is asked for by nobody in particular stays what it was.
    assert "Your side" not in played.look(played.stranger)[1]
    assert "Your side" in played.look(played.players[0])[1]


def test_what_was_secret_stays_so_in_a_match_that_its_host_has_closed(played: Played) -> None:
    close(played.id, *played.players)
    assert [played.look(played.stranger, side)[0] for side in ("public", "all")] == [200, 403]


def test_an_unlisted_match_has_no_turns_for_strangers(played: Played) -> None:
    played.end()
    played.change(listed=False)
    for client in (played.stranger, played.admin):
        assert played.look(client, "all")[0] == 404
        assert client.get(f"{played.address}/turn").status_code == 404
    assert played.look(played.players[1], "all")[0] == 200


def test_that_an_order_acted_is_told_to_its_owner_alone_even_when_it_is_over() -> None:
    event = Event("passed", {"seat": 1}, {1: {"ordered": True}})
    told = {"kind": "passed", "seat": 1}
    assert Perspective("1", 1, is_mine=True).told(event) == {**told, "ordered": True}
    for side in (Perspective("1", 1), Perspective("public"), Perspective("all", is_open=True)):
        assert side.told(event) == told
    whispered = Event("dealt", None, {1: {"card": "x"}})
    assert Perspective("public").told(whispered) is None
    in_full = {"kind": "dealt", "card": "x", "heard_by": 1}
    assert Perspective("all", is_open=True).told(whispered) == in_full


def test_one_gets_about_by_links_by_the_slider_and_by_rounds_and_phases(played: Played) -> None:
    here, stranger = f"{played.address}/turn", played.stranger
    page = played.look(stranger, "public", 5)[1]
    for words in (f'rel="prev" href="{here}/4?as=public"', f'rel="next" href="{here}/6?as=public"'):
        assert words in page
    assert ", round 1, " in page and ", move 5</title>" in page
    assert 'rel="prev"' not in played.look(stranger, None, 0)[1]
    assert 'rel="next"' not in played.look(stranger, None, played.newest)[1]
    # Without scripts the slider is a form.
    to = {"?move=3&as=public": "/3?as=public", "?move=999": f"/{played.newest}", "?move=-4": "/0"}
    to |= {"": f"/{played.newest}", "?move=x": f"/{played.newest}"}
    for query, where in to.items():
        assert stranger.get(here + query).location == here + where
    with played.app.app_context():
        begun = db.session.query(Chapter).filter_by(match_id=played.id).all()
    assert {(1, "supply"), (1, "demand")} <= {(each.round, each.phase) for each in begun}
    for each in begun:
        title = f"round {each.round}, {each.phase.capitalize()}, move {each.number}</title>"
        assert title in played.look(stranger, None, each.number)[1]
    supply = next(each.number for each in begun if each.phase == "supply")
    assert f'<a href="{here}/{supply}?as=public">Supply</a>' in page
    assert played.look(stranger, None, 10**6)[0] == 404


def test_the_log_beside_a_turn_ends_with_it(played: Played) -> None:
    page = played.look(played.stranger, "public", 6)[1]
    assert f'href="{played.address}/turn/6?as=public" aria-label="The table after move 6"' in page
    assert page.index('aria-current="step"') < page.index("The table after move 5")
    assert "The table after move 7" not in page
