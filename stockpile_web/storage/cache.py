"""A bounded cache in memory: a fixed number of entries, the oldest evicted first."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Keeps the `most` newest values; a key holds all that its value depends on."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[tuple[object, ...], Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> Value | None:
        """Return the value of `key`, or None."""
        return self._entries.get(key)

    def put(self, key: tuple[object, ...], value: Value) -> None:
        """Keep a value as the newest one."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)  # A value made anew is the newest, wherever it stood.
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)

    def clear(self) -> None:
        """Evict everything."""
        with self._lock:
            self._entries.clear()
