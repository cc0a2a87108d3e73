"""After a restore everybody who is asked has their whole time: none ran while there was no site."""

from flask import Flask
from sqlalchemy import select

from stockpile_web.match import pause
from stockpile_web.match.rows import is_paused
from stockpile_web.match.turn import changing
from stockpile_web.storage.models.matches import PLAYING, Match
from stockpile_web.storage.transactions import reading
from stockpile_web.storage.trouble import trouble_in

AT_ONCE = 200


def give_anew(app: Flask) -> int:
    """Let the clocks of all who are on turn begin now; return at how many tables."""
    last, count = 0, 0
    while True:
        with app.app_context():
            running = select(Match.id).where(Match.status == PLAYING, Match.id > last)
            numbers = reading().scalars(running.order_by(Match.id).limit(AT_ONCE)).all()
            for number in numbers:
                count += _ask_anew(number)
        if not numbers:
            return count
        last = numbers[-1]


def _ask_anew(match_id: int) -> bool:
    try:
        with changing(match_id) as turn:
            if is_paused(turn.match, turn.seats):  # Whoever lets it go on asks anew.
                return False
            pause.ask_all_anew(turn)
            return True
    except Exception as error:  # A table that cannot be played is the worker's to find.
        if trouble_in(error):
            raise
        return False
