"""Names of tables: what a host may call one, and what it is called if they leave that to us."""

import unicodedata
from collections.abc import Container
from itertools import count, groupby

from stockpile_web.storage.models.people import Person

LONGEST_NAME = 40
# More signs over or under one letter than any language writes would run into other lines.
MOST_MARKS = 3
# Parts of words and of pictures in some scripts; all other signs that one cannot see are refused:
# they could turn around what stands beside the name.
_JOINERS = "\u200c\u200d"
_UNSEEN = ("Cc", "Cf", "Co", "Cs")


def tidy(typed: str) -> str:
    """Return a name as it is stored: one space between words, and letters in one piece."""
    return " ".join(unicodedata.normalize("NFC", typed).split())


def what_is_wrong_with(name: str, what: str = "a table") -> str | None:
    """Say why nothing can have a tidy `name`, or None if it can; none at all is allowed."""
    if len(name) > LONGEST_NAME:
        return f"The name of {what} has at most {LONGEST_NAME} characters."
    kinds = [unicodedata.category(letter) for letter in name if letter not in _JOINERS]
    marks = max((len(list(run)) for kind, run in groupby(kinds) if kind[0] == "M"), default=0)
    if any(kind in _UNSEEN for kind in kinds) or marks > MOST_MARKS or "://" in name:
        return f"The name of {what} has letters, digits and signs, and no address in it."
    if name and not any(kind[0] in "LNPS" for kind in kinds):
        return f"The name of {what} has something that one can see."
    return None


def usual_name(host: Person, taken: Container[str]) -> str:
    """Return what a table is called whose host has not said: one that no other table of theirs has.

    Tables of one host would otherwise look alike in every list.
    """
    first = f"{host.name}’s table"
    return next(name for number in count(1) if (name := _numbered(first, number)) not in taken)


def is_usual(name: str, host: Person) -> bool:
    """Tell whether a table is called after `host`, by us."""
    first = f"{host.name}’s table"
    rest = name.removeprefix(f"{first} ")
    return name == first or (rest != name and rest.isdecimal())


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"
