"""Brings open pages the board itself: what several viewers share is made once and sent to all.

One thread asks, for each source of a match that has moved on, for what its pages do not have yet.
A source asks anew each time in the name of its viewers, so that whoever has lost the right to see a
board is sent no byte of it.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple

from stockpile_web.storage.trouble import trouble_in

log = logging.getLogger(__name__)

Context = Callable[[], AbstractContextManager[object]]
"""Opens what a source needs around it to answer: the application."""


class Brought(NamedTuple):
    """What a source's pages are sent, and what they show then; no message: let them fetch it."""

    message: bytes | None
    shown: Any


@dataclass(frozen=True)
class Source:
    """In whose name a board is asked for: viewers of one source see the same."""

    key: str
    # Given the match and what the pages show; None if those viewers may not see it any more.
    ask: Callable[[int, Any], Brought | None] = field(compare=False)
    # The rows on which the right to watch hangs: the hash of a device's token, and of a table that
    # is open to a group alone, the group and its member.
    device: str | None = None
    member: tuple[int, int] | None = None

    @property
    def is_guarded(self) -> bool:
        """Tell whether the right to watch may end without news of a match."""
        return self.device is not None or self.member is not None


class Boards:
    """The thread; `bring(match_id, source, brought)` is called with each answer."""

    def __init__(
        self,
        sources: Callable[[int], Iterable[Source]],
        bring: Callable[[int, Source, Brought | None], None],
        context: Context,
    ) -> None:
        self._sources = sources
        self._bring = bring
        self._context = context
        self._wanted: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._pending: set[int] = set()
        self._shown: dict[int, dict[Source, Any]] = {}
        self._thread = threading.Thread(target=self._run, name="live-boards", daemon=True)
        self._thread.start()

    def note(self, match_id: int, source: Source, shown: Any) -> None:
        """Note what a page shows that has just begun to watch."""
        self._wanted.put(lambda: self._note(match_id, source, shown))

    def want(self, match_id: int) -> None:
        """Ask for the boards of a match; what is waiting to be asked is asked once."""
        if match_id not in self._pending:
            self._pending.add(match_id)
            self._wanted.put(lambda: self._ask(match_id))

    def forget(self, match_id: int, source: Source) -> None:
        """Nobody watches this match any more in the name of `source`."""
        self._wanted.put(lambda: self._forget(match_id, source))

    def close(self) -> None:
        self._wanted.put(None)
        self._thread.join(2)

    def _run(self) -> None:
        while (act := self._wanted.get()) is not None:
            act()

    def _note(self, match_id: int, source: Source, shown: Any) -> None:
        self._shown.setdefault(match_id, {})[source] = shown

    def _forget(self, match_id: int, source: Source) -> None:
        shown = self._shown.get(match_id, {})
        shown.pop(source, None)
        if not shown:
            self._shown.pop(match_id, None)

    def _ask(self, match_id: int) -> None:
        self._pending.discard(match_id)  # Before asking: a change from now on is asked for again.
        before, after = self._shown.get(match_id, {}), {}
        for source in self._sources(match_id):
            try:
                with self._context():
                    brought = source.ask(match_id, before.get(source))
            except Exception as error:  # Its pages fetch, and see themselves; others do not wait.
                if trouble_in(error) is None:
                    log.exception("A board of match %s could not be brought", match_id)
                brought = Brought(None, None)
            if brought is not None:
                after[source] = brought.shown
            self._bring(match_id, source, brought)
        if after:
            self._shown[match_id] = after
