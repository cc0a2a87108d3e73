"""What may be typed into the form of a group."""

import unicodedata
from typing import NamedTuple

from flask import request

from stockpile_web.match import naming
from stockpile_web.storage.models.acquaintances import BY_LINK, CLOSED_TO_ALL, ENTRIES, OPEN_TO_ALL

SHORTEST_NAME = 2
LONGEST_ABOUT = 500

ENTRIES_IN_WORDS = {
    OPEN_TO_ALL: ("Anybody", "The group is in the list of groups, and whoever wants to may join."),
    BY_LINK: ("Whoever has the link", "Members see the link and pass it on."),
    CLOSED_TO_ALL: ("Nobody just now", "The link leads nowhere until you open the group again."),
}


class Form(NamedTuple):
    """The form of a group as it was sent, tidy."""

    name: str
    about: str
    entry: str

    def errors(self) -> dict[str, str]:
        """Say by field what is wrong."""
        found = {
            "name": self._wrong_name(),
            "about": self._wrong_about(),
            "entry": "" if self.entry in ENTRIES else "Choose who may join.",
        }
        return {field: error for field, error in found.items() if error}

    def _wrong_name(self) -> str:
        if len(self.name) < SHORTEST_NAME:
            return f"Give the group a name of {SHORTEST_NAME} to {naming.LONGEST_NAME} characters."
        return naming.what_is_wrong_with(self.name, "a group") or ""

    def _wrong_about(self) -> str:
        if len(self.about) > LONGEST_ABOUT:
            return f"Say it in at most {LONGEST_ABOUT} characters."
        unseen = (unicodedata.category(letter) in ("Cc", "Cs") for letter in self.about)
        return "Use letters, digits and signs." if any(unseen) else ""


def read_form() -> Form:
    """Return what was sent."""
    form = request.form
    about = " ".join(form.get("about", "").split())
    return Form(naming.tidy(form.get("name", "")), about, form.get("entry", ""))
