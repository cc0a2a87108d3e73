"""Calls in a chat: whoever is named after an @ and sits at the table is told."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import takewhile

from stockpile_web.match.glance import Glance
from stockpile_web.storage.names import is_in_names, key_of

# Not in the middle of an address.
_AT = re.compile(r"(?<![\w.+-])@")


def called_in(text: str, seen: Glance) -> list[int]:
    """Return who is called by a message of this viewer; a bot, a stranger and oneself are not."""
    people = {
        key_of(seat.name): seat.user_id
        for seat in seen.seats
        if seat.user_id is not None and seat.number != seen.viewer
    }
    called = (_whose(word, list(people)) for word in _words_after_at(key_of(text)))
    return [people[name] for name in dict.fromkeys(called) if name]


def _words_after_at(text: str) -> Iterator[str]:
    for at in _AT.finditer(text):
        yield "".join(takewhile(is_in_names, text[at.end() :]))


def _whose(word: str, names: list[str]) -> str:
    """Return the name that a word begins with, and that ends there; the longest of several.

    In scripts without capitals words often follow without a space: @田中さん calls 田中.
    """
    ends = (name for name in names if word.startswith(name) and _is_end(word[len(name) :]))
    return max(ends, key=len, default="")


def _is_end(rest: str) -> bool:
    return not rest or unicodedata.category(rest[0]) == "Lo"
