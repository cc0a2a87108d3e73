"""Calls in a chat: whoever is named after an @ and sits at the table is told."""

import re

from stockpile_web.match.table_view import Glance

_CALLED = re.compile(r"(?<![\w.+-])@([a-z0-9_-]+)", re.ASCII)


def called_in(text: str, seen: Glance) -> list[int]:
    """Return who is called by a message of this viewer; a bot, a stranger and oneself are not."""
    named = set(_CALLED.findall(text.casefold()))
    others = (seat for seat in seen.seats if seat.number != seen.viewer)
    return [
        seat.user_id
        for seat in others
        if seat.user_id is not None and seat.name.casefold() in named
    ]
