"""A match as a file: what each viewer may know while it is played, everything when it is over."""

import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Event, codec
from stockpile_web.games import GAMES
from stockpile_web.match.take_back import take_back
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move
from stockpile_web.storage.models.matches import ORDER
from stockpile_web.storage.transactions import writing
from stockpile_web.web import fairness, rate_limits
from stockpile_web.worker.timeouts import play_for_absent
from tests.support.people import NAMES, close, seated, table
from tests.support.playing import play
from tests.support.stored import put
from tests.support.toy.site import SLUG, add_toy
from tests.support.worlds import worlds_of


def change_what_is_hidden(app: Any, match_id: int, viewer: int | None) -> None:
    """Let all be otherwise in the record that `viewer` may not know."""
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).seed = "7" * 64
        for move in tx.scalars(select(Move).where(Move.match_id == match_id)):
            events = codec.load(list[Event], move.events)
            told = [
                Event(
                    event.kind,
                    event.public,
                    {
                        seat: facts if seat == viewer else {**facts, "is": "otherwise"}
                        for seat, facts in event.private.items()
                    },
                )
                for event in events
            ]
            if viewer is None or move.seat != viewer:
                # A whisper that only others hear, by an order, a little later.
                told += [Event("x", None, {seat: {} for seat in range(2) if seat != viewer})]
                moment = move.made_at.replace(second=0)
                move.made_at = moment + timedelta(seconds=(move.made_at.second + 7) % 60)
                move.move = '{"move":"Another"}'
                move.made_by = ORDER if move.made_by == "" else move.made_by
            move.events = codec.dump(told)


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_the_file_of_a_running_match_tells_no_viewer_what_they_may_not_know(
    app, sign_up, monkeypatch, slug
):
    add_toy(app, monkeypatch)
    match_id, players = seated(app, sign_up, 2, game=slug)
    play(app, match_id, moves=0 if slug == SLUG else 12)
    address = f"/table/{match_id}/export.json"
    with app.app_context():
        seats = {seat.name: seat.number for seat in db.session.get_one(Match, match_id).seats}
    for name, viewer in [*zip(NAMES, players, strict=False), ("", app.test_client())]:
        here = viewer.get(address)
        file = here.json
        assert here.headers["Cache-Control"] == "private, no-cache"
        assert "ETag" not in here.headers
        assert file["viewer"] == seats.get(name) and file["view"] and file["result"] is None
        assert file["seal"]["secret"] is file["seal"]["seed"] is None
        own = {move["seat"] for move in file["moves"] if move["move"] is not None}
        assert own <= {seats.get(name)} - {None}
        assert not any(move["events"] for move in file["moves"])
        with app.app_context():
            rows = db.session.scalars(select(Move).where(Move.match_id == match_id)).all()
            kept = [(row.number, row.events, row.move, row.made_by, row.made_at) for row in rows]
            text = db.session.get_one(Match, match_id).state
        state = codec.load(GAMES[slug].State, text)
        other = worlds_of(slug).another_world(state, seats.get(name), Random(3))
        put(app, match_id, codec.dump(other))
        change_what_is_hidden(app, match_id, seats.get(name))
        there = viewer.get(address)
        assert there.data == here.data
        put(app, match_id, text)
        with app.app_context(), writing() as tx:
            for number, events, move, made_by, made_at in kept:
                row = tx.get_one(Move, (match_id, number))
                row.events, row.move, row.made_by, row.made_at = events, move, made_by, made_at


def test_a_match_with_all_that_can_happen_is_found_honest_at_its_table(app, sign_up, monkeypatch):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    address, stranger = f"/table/{match_id}", app.test_client()
    undo = None
    while not undo:
        play(app, match_id, moves=1)
        with app.app_context():
            undo = db.session.get_one(Match, match_id).undo
    with app.app_context(), changing(match_id) as turn:
        seat = next(seat for seat in turn.seats if f'"user_id":{seat.user_id}' in undo)
        take_back(turn, seat.user_id or 0, MultiDict({"moves_made": str(seat.moves_made)}))
    with app.app_context(), changing(match_id) as turn:
        late = next(seat for seat in turn.seats if seat.on_turn)
        late.deadline_at = turn.moment
        play_for_absent(turn, late.number)
    while True:  # Until an order has made a move of which the first event tells.
        with app.app_context(), changing(match_id) as turn:
            number = next(seat.number for seat in turn.seats if turn.legal(seat.number))
            owner = turn.seats[number].name
            turn.play(number, turn.legal(number)[0], made_by=ORDER)
            if '"ordered"' in turn.moves[-1]["events"]:
                break
    assert stranger.get(f"{address}/check").status_code == 404
    play(app, match_id)

    page = stranger.get(f"{address}/check").text
    assert "Everything is as it should be" in page and page.count(">right<") == 8
    assert stranger.get(f"{address}/check").text == page
    text = stranger.get(f"{address}/export.json").text
    assert all(word in text for word in ('"TakeBack"', '"time_ran_out"', '"clock"'))
    # That it was an order is for its owner, even then.
    mine, theirs = (ann, bob) if owner == "ann" else (bob, ann)
    for viewer in (stranger, theirs):
        assert not {"order", "ordered"} & _words(viewer.get(f"{address}/export.json").text)
    assert {"order", "ordered"} <= _words(mine.get(f"{address}/export.json").text)

    # A check takes time, so there is an end to it for one person; what is known is free.
    with monkeypatch.context() as patch:
        patch.setattr(fairness, "CHECKS", rate_limits.Limit("check", 0, 60))
        assert stranger.get(f"{address}/check").status_code == 200
        fairness.clear_cache()
        assert stranger.get(f"{address}/check").status_code == 429

    # What is wrong in the record is told, too.
    with app.app_context(), writing() as tx:
        tx.get_one(Move, (match_id, 1)).events = "[]"
    page = stranger.get(f"{address}/check").text
    assert "Something is wrong" in page and page.count(">wrong<") == 1


def _words(text: str) -> set[str]:
    return set(text.split('"'))


def test_only_those_who_may_see_a_match_have_its_file(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, listed="")
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).listed = False
    stranger, address = app.test_client(), f"/table/{match_id}"
    for path in ("export.json", "check"):
        assert stranger.get(f"{address}/{path}").status_code == 404
    assert bob.get(f"{address}/export.json").status_code == 200
    # Of one that was closed, no more than before: nobody has won, and the seed stays hidden.
    close(match_id, ann, bob)
    file = json.loads(ann.get(f"{address}/export.json").text)
    assert file["match"]["status"] == "closed" and file["seal"]["secret"] is None
    assert ann.get(f"{address}/check").status_code == 404


def test_there_is_no_file_of_a_table_that_waits_for_its_players(app, sign_up):
    match_id, ann = table(app, sign_up, 2)
    assert ann.get(f"/table/{match_id}/export.json").status_code == 404
