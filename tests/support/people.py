"""Tables with people at them, in one line."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from stockpile_web.match import sealing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Seat, User
from stockpile_web.storage.transactions import writing
from tests.support.known import FIRST

# What htmx says of itself when it asks for a fragment.
HX = {"HX-Request": "true"}
NAMES = ("ann", "bob", "carol", "dave", "eve")


def table(
    app: Flask, sign_up: Callable[..., int], size: int, *, options: Iterable[str] = (), **form: str
) -> tuple[int, FlaskClient]:
    """Let Ann set up a table; return its number and her browser."""
    ann = app.test_client()
    sign_up(ann, "ann")
    data = {"game": FIRST, "size": str(size), "pace": "day", **_chosen(options), **form}
    answer = ann.post("/tables/new", data=data)
    assert answer.status_code == 303, answer.text
    ann.get("/tables")  # Her welcome is said there, once.
    return int(answer.location.rsplit("/", 1)[1]), ann


def _chosen(words: Iterable[str]) -> dict[str, str | list[str]]:
    """Return the fields of the form for options, which are words as they are stored."""
    parts = [word.partition("=") for word in words]
    numbers = {f"number.{key}": number for key, _, number in parts if number}
    return {"options": [key for key, _, number in parts if not number], **numbers}


def seated(
    app: Flask, sign_up: Callable[..., int], size: int, **form: Any
) -> tuple[int, list[FlaskClient]]:
    """Fill a table with people, so that the match begins; return its number and their browsers."""
    match_id, ann = table(app, sign_up, size, **{"listed": "on", **form})
    players = [ann]
    for name in NAMES[1:size]:
        player = app.test_client()
        sign_up(player, name)
        assert player.post(f"/table/{match_id}/seating", data={"do": "join"}).status_code == 303
        player.get("/tables")
        players.append(player)
    return match_id, players


def on_turn(app: Flask, match_id: int, players: list[FlaskClient]) -> list[FlaskClient]:
    """Return the browsers of those who are to move."""
    with app.app_context():
        rows = db.session.execute(
            select(User.name).join(Seat).where(Seat.match_id == match_id, Seat.on_turn)
        )
        return [players[NAMES.index(row.name)] for row in rows]


def close(match_id: int, host: FlaskClient, *others: FlaskClient) -> None:
    """Let the host ask to close a table, and the others agree."""
    assert host.post(f"/table/{match_id}/seating", data={"do": "close"}).status_code == 303
    for other in others:
        answer = other.post(f"/table/{match_id}/seating", data={"do": "closing close"})
        assert answer.status_code == 303


def fix_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every match have the same seed, and seat people in the order in which they came."""
    monkeypatch.setattr(sealing, "seed_of", lambda *_: "5" * 64)
    monkeypatch.setattr(sealing, "order_of", lambda _, count: [*range(count)])


def choose_the_deal(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Let every match be dealt by this seed, to seats that are shuffled by it."""

    def order_of(_seed: str, count: int) -> list[int]:
        Random(seed).shuffle(places := list(range(count)))
        return places

    monkeypatch.setattr(sealing, "seed_of", lambda *_: f"{seed}")
    monkeypatch.setattr(sealing, "order_of", order_of)


def set_address(app: Flask, name: str, address: str) -> None:
    """Give somebody an address that they have confirmed."""
    with app.app_context(), writing() as tx:
        user = tx.scalars(select(User).where(User.name == name)).one()
        user.email, user.email_key = address, address
        user.email_confirmed_at = user.created_at


def let_anybody_leave(app: Flask) -> None:
    """Let everybody administer the site: nobody is the last who does, and all may go."""
    with app.app_context(), writing() as tx:
        tx.execute(update(User).values(is_admin=True))
