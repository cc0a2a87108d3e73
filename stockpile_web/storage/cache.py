"""A cache in memory that is bounded in bytes, the oldest entries evicted first."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from stockpile_web import counters

Value = TypeVar("Value")
Key = tuple[object, ...]

ENTRY_BYTES = 250  # What an entry takes besides its texts.


class BoundedCache(Generic[Value]):
    """Keeps the newest values, up to `most` bytes; a key holds all that its value depends on.

    `size` says about how many bytes a value takes: its texts, which are most of it.
    """

    def __init__(self, name: str, most: int, size: Callable[[Value], int]) -> None:
        self._name = name
        self._most = most
        self._size = size
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._hits = self._misses = 0
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of `key`, or None."""
        entry = self._entries.get(key)
        if entry is None:
            self._misses += 1
            return None
        self._hits += 1
        return entry[0]

    def put(self, key: Key, value: Value) -> None:
        """Keep a value as the newest one, unless it is larger than all may be together."""
        size = ENTRY_BYTES + self._size(value) + sum(len(x) for x in key if isinstance(x, str))
        with self._lock:
            self._forget(self._entries.pop(key, None))
            if size <= self._most:
                self._entries[key] = value, size
                self._bytes += size
            while self._bytes > self._most:
                self._forget(self._entries.popitem(last=False)[1])
            if counters.CACHED.is_on:
                self._report()

    def clear(self) -> None:
        """Evict everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def _forget(self, entry: tuple[Value, int] | None) -> None:
        if entry is not None:
            self._bytes -= entry[1]

    def _report(self) -> None:
        """Count what was asked since the last value was put: a count for each would cost more."""
        hits, misses, self._hits, self._misses = self._hits, self._misses, 0, 0
        counters.LOOKUPS.add(self._name, "hit", count=hits)
        counters.LOOKUPS.add(self._name, "miss", count=misses)
        counters.CACHED.set(self._bytes, self._name)
