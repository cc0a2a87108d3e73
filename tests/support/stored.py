"""The state of a match, put into the database as a test wants it."""

from flask import Flask

from stockpile_web.storage import snapshots
from stockpile_web.storage.models import Match, Move
from stockpile_web.storage.transactions import writing


def put(app: Flask, match_id: int, text: str) -> int:
    """Make `text` the state of a match, and of its last turn; return that turn's number."""
    with app.app_context(), writing() as session:
        match = session.get_one(Match, match_id)
        number = match.version - 1
        key = snapshots.key_of(number)
        rows = session.query(Move).filter(Move.match_id == match_id, Move.number >= key)
        kept = [(move.number, move.frame) for move in rows.order_by(Move.number)]
        before = ["", *snapshots.unpack(kept[:-1])][-1]
        match.state = text
        session.get_one(Move, (match_id, number)).frame = snapshots.pack(number, text, before)
        return number
