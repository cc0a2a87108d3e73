"""From whose side a match may be looked at: the one gate before what is secret while it runs.

While a match runs there are two sides: the public's, and one's own if one sits there. That holds
for everybody, administrators too. When it is over nothing is secret any more: there is every
seat's side, and the table with everything open. What its host has closed before stays as it was.
"""

from dataclasses import dataclass, replace
from typing import Any

from stockpile_web.engine import Event, Facts, Game, Viewer
from stockpile_web.match.glance import Glance
from stockpile_web.match.rows import MatchRow
from stockpile_web.storage.models.matches import OVER

PUBLIC, ALL = "public", "all"


class StillSecret(Exception):
    """Nobody may look from that side before the match is over."""


class NoSuchSide(LookupError):
    """There is no such side."""


@dataclass(frozen=True)
class Perspective:
    """A side from which a match is shown: a seat's, the public's, or with everything open."""

    key: str  # As it stands in an address.
    seat: Viewer = None
    is_open: bool = False
    is_mine: bool = False  # The seat is the reader's own.

    def view(self, game: Game, state: Any) -> Any:
        """Return what is seen of a state from here."""
        return game.open_view(state) if self.is_open else game.view(state, self.seat)

    def told(self, event: Event) -> Facts | None:
        """Return what is known of an event from here; what an order did is its owner's alone."""
        facts = event.in_full() if self.is_open else event.seen_by(self.seat)
        if facts is None or self.is_mine:
            return facts
        return {name: fact for name, fact in facts.items() if name != "ordered"}

    def look(self, seen: Glance) -> Glance:
        """Return the match as it is seen from here, without what is for its reader alone."""
        seats = [seat if self.is_mine else seat.as_others_see() for seat in seen.seats]
        return replace(seen, seats=seats, viewer=self.seat)


def is_open(match: MatchRow) -> bool:
    """Tell whether nothing of a match is secret any more."""
    return match.status == OVER


def own_side(seen: Glance) -> Perspective:
    """Return the side from which somebody sees a match unless they choose another."""
    if seen.viewer is None:
        return Perspective(PUBLIC)
    return Perspective(str(seen.viewer), seen.viewer, is_mine=True)


def perspectives(seen: Glance) -> list[Perspective]:
    """Return the sides from which this match may be seen, by whoever looks."""
    mine = own_side(seen)
    sides = [Perspective(PUBLIC), *([] if mine.seat is None else [mine])]
    if is_open(seen.match):
        others = (seat.number for seat in seen.seats if seat.number != mine.seat)
        sides += (Perspective(str(number), number) for number in others)
        sides.append(Perspective(ALL, is_open=True))
    return sides


def choose(seen: Glance, key: str | None) -> Perspective:
    """Return the side that was asked for, if it may be; without a key, one's own."""
    if not key:
        return own_side(seen)
    found = next((side for side in perspectives(seen) if side.key == key), None)
    if found is not None:
        return found
    if key == ALL or key in {str(seat.number) for seat in seen.seats}:
        raise StillSecret
    raise NoSuchSide
