"""Watching a table as an open page does, without a connection."""

from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.live import Source
from stockpile_web.match.glance import glance
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache, watching
from stockpile_web.web.auth import someone


def begin_to_watch(app: Flask, client: FlaskClient, match_id: int) -> tuple[Source, watching.Shown]:
    """Return what a stream begins with: its source, and what the page shows."""
    cookie = client.get_cookie("session")
    headers = {"Cookie": f"session={cookie.value}"} if cookie else {}
    with app.test_request_context(f"/table/{match_id}/events", headers=headers):
        user = someone()
        seen = glance(reading(), match_id, user.id if user else None)
        assert seen is not None
        table = board_cache.render(reading(), seen, user)
        shown = watching.shown_of(table)
        assert shown is not None
        return watching.source_of(seen, user), shown


def brought(app: Flask, client: FlaskClient, match_id: int) -> str:
    """Return all that the stream would bring to a page that shows nothing yet."""
    source, _ = begin_to_watch(app, client, match_id)
    with app.app_context():
        event = source.ask(match_id, watching.Shown("", frozenset()))
    assert event is not None and event.message is not None
    return event.message.decode()
