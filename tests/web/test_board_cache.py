"""Rendered boards that are cached: shared by those who see the same, and by nobody else."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from stockpile_web.match import table_view
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import Match
from stockpile_web.web import board_cache, http_cache
from tests.support.hourglass import miss_turns
from tests.support.people import HX, seated
from tests.support.playing import play


@pytest.mark.parametrize("headers", [{}, HX], ids=["page", "fragment"])
def test_after_an_upgrade_a_page_that_was_shown_before_is_shown_anew(
    app: Flask,
    sign_up: Callable[..., int],
    monkeypatch: pytest.MonkeyPatch,
    headers: dict[str, str],
) -> None:
    match_id, (ann, _) = seated(app, sign_up, 2)
    tag = ann.get(f"/table/{match_id}", headers=headers).headers["ETag"]
    again = {**headers, "If-None-Match": tag}
    assert ann.get(f"/table/{match_id}", headers=again).status_code == 304
    monkeypatch.setattr(http_cache, "build", lambda: "another build")
    # The upgraded server is another process: its response cache is empty.
    assert ann.get(f"/table/{match_id}?anew", headers=again).status_code == 200


def test_an_invitation_begins_with_the_address_under_which_its_reader_knows_the_site(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, (ann, _, _) = seated(app, sign_up, 3)
    miss_turns(app, match_id, "bob")
    with app.app_context(), changing(match_id) as turn:
        turn.match.listed = False
        seat = next(seat for seat in turn.seats if seat.name == "bob")
        seat.is_open, seat.bot = True, "steady"
    cookie = ann.get_cookie("session")
    assert cookie is not None
    for host in ("games.example.org", "play.example.org"):
        ann.set_cookie("session", cookie.value, domain=host)
        page = ann.get(f"/table/{match_id}", base_url=f"http://{host}", headers=HX)
        assert set(re.findall(r"//([^/]+)/join/", page.text)) == {host}


def test_a_board_takes_the_place_of_what_its_viewer_saw_before(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, players = seated(app, sign_up, 2)
    seen = set()
    for _ in range(5):
        play(app, match_id, 1)
        seen |= {player.get(f"/table/{match_id}", headers=HX).text for player in players}
    assert len(seen) == 10
    with app.app_context():
        match = db.session.get_one(Match, match_id)
    assert [key[0] for key in board_cache._boards._entries].count(match.invitation) == 2


def test_clearing_the_cache_forgets_everything_that_was_rendered_or_read(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, (ann, _) = seated(app, sign_up, 2)
    ann.get(f"/table/{match_id}")
    board_cache.clear()
    read: list[Any] = []
    real = table_view.happened

    def happened(*args: Any) -> Any:
        read.append(args)
        return real(*args)

    monkeypatch.setattr(table_view, "happened", happened)
    ann.get(f"/table/{match_id}?anew")
    assert read
