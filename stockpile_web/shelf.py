"""Shelves for what was made at some cost and is likely to be asked for again."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """What was made last, by all that it depends on; the oldest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[object, ...], Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> Kept | None:
        """Return what is kept for `key`."""
        return self._kept.get(key)

    def put(self, key: tuple[object, ...], what: Kept) -> None:
        """Keep something."""
        with self._lock:
            self._kept[key] = what
            self._kept.move_to_end(key)  # What is made anew is the newest, wherever it stood.
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()
