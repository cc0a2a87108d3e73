"""The dealer: the only source of chance in a game, and the only writer of its events."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from struct import Struct as Layout
from typing import Any

import msgspec

Seat = int
Viewer = Seat | None  # None is a spectator.
Facts = dict[str, Any]

_WORDS = Layout("<16I")


class Event(msgspec.Struct, frozen=True):
    """One thing that happened: what all may know, and what each seat alone may know."""

    kind: str
    public: Facts | None = None
    private: dict[Seat, Facts] = {}

    def seen_by(self, viewer: Viewer) -> Facts | None:
        """Return what `viewer` may know of this event, or None if nothing."""
        secret = self.private.get(viewer) if viewer is not None else None
        if self.public is None and secret is None:
            return None
        return {"kind": self.kind, **(self.public or {}), **(secret or {})}

    def in_full(self) -> Facts:
        """Return all that anybody knows of this event: for matches that are over.

        Of something that one seat alone was told, `heard_by` says which.
        """
        facts = {"kind": self.kind, **(self.public or {})}
        for secret in self.private.values():
            facts |= secret
        return facts if self.public is not None else {**facts, "heard_by": next(iter(self.private))}


class Dealer:
    """Shuffles and tells: the only source of chance and the only writer of events.

    Chance is BLAKE2b keyed with the match's secret seed over the move's number: the same on every
    Python, out of reach without the seed, and checkable by anyone once the seed is shown.
    """

    __slots__ = ("_block", "_is_shown", "_number", "_seed", "_words", "events")

    def __init__(self, seed: str, number: int = 0) -> None:
        self.events: list[Event] = []
        self._seed = seed
        self._number = number
        self._block = 0
        self._words: list[int] = []
        self._is_shown = False  # Something that lay hidden.

    def below(self, limit: int) -> int:
        """Return a number from 0 up to but without `limit`, each equally likely."""
        fair = 2**32 - 2**32 % limit
        while True:
            if not self._words:
                self._draw()
            word = self._words.pop()
            if word < fair:
                return word % limit

    def shuffle(self, cards: list[Any]) -> None:
        """Put `cards` in a random order, in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    def announce(self, kind: str, /, **public: Any) -> None:
        """Tell everyone what was done, and what came of it by the rules.

        Whoever did it could have said so beforehand: what lay hidden from them is turned up.
        """
        self.events.append(Event(kind, public))

    def turn_up(self, kind: str, /, **public: Any) -> None:
        """Tell everyone what lay hidden until now, from all or from some."""
        self._is_shown = True
        self.events.append(Event(kind, public))

    def reveal(self, to: Iterable[Seat], kind: str, secret: Facts, /, **public: Any) -> None:
        """Tell everyone that it happened, and the seats in `to` what it was."""
        self.events.append(Event(kind, public, dict.fromkeys(to, secret)))

    def whisper(self, seat: Seat, kind: str, /, **secret: Any) -> None:
        """Tell one seat; the others learn nothing, not even that it happened."""
        self.events.append(Event(kind, None, {seat: secret}))

    def let_slip(self) -> None:
        """Note that all learn something without a word, as by who is asked next."""
        self._is_shown = True

    @property
    def done(self) -> tuple[int, ...]:
        """How much was told and drawn so far: another value after anything else is."""
        return len(self.events), self._block, len(self._words), self._is_shown

    def has_news_for(self, seat: Seat, move: Any) -> bool:
        """Tell whether in `move` anything was drawn, or told to anybody, that `seat` did not know.

        The first event tells of the move itself: what the move says is no secret to its maker. So
        with a move that has steps: they and the move are given as a list.
        """
        if self._block or self._is_shown:
            return True
        for place, event in enumerate(self.events):
            is_own = place == 0 and [*event.private] == [seat]
            if event.private and not (is_own and _says(move, event.private[seat])):
                return True
        return False

    def _draw(self) -> None:
        block = f"{self._number}:{self._block}".encode()
        self._words.extend(_WORDS.unpack(blake2b(block, key=self._seed.encode()).digest()))
        self._block += 1


def _says(move: Any, secret: Facts) -> bool:
    """Tell whether every word of a secret stands in the move."""
    return {*_words_of(secret)} <= {*_words_of(msgspec.to_builtins(move))}


def _words_of(facts: Any) -> Iterator[Any]:
    if isinstance(facts, dict):
        facts = [*facts.values()]
    if not isinstance(facts, list | tuple):
        yield facts
        return
    for each in facts:
        yield from _words_of(each)
