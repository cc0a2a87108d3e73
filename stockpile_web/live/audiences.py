"""Who watches which match in this process: by match, by source and by person.

The hub's thread alone adds and removes; other threads may ask at any time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from socket import socket
from typing import Any

from stockpile_web.live.boards import Source

Version = tuple[int, int]
"""How often a match has moved on, and how often somebody has spoken: both only grow."""

STREAMS_PER_KEY = 6
STILL_HERE = b": still here\n\n"


@dataclass(eq=False, slots=True)
class Viewer:
    """An open page: where to write, what it watches, whose it is, and what it shows."""

    connection: socket
    match_id: int
    key: str | None
    chunked: bool
    source: Source | None = None
    shown: Any = None


@dataclass(slots=True)
class Audience:
    """All who watch one match, by their source, and the newest version they were told."""

    by_source: dict[Source | None, set[Viewer]] = field(default_factory=dict)
    version: Version | None = None

    def viewers(self) -> list[Viewer]:
        return list(chain.from_iterable(self.by_source.values()))

    def of(self, source: Source | None) -> list[Viewer]:
        """Return those who see a match as `source` does, or those who have none."""
        return list(self.by_source.get(source, ()))

    def sources(self) -> set[Source]:
        return {source for source in list(self.by_source) if source}

    def message(self) -> bytes:
        """Return the hint for this audience, or a comment while the version is not known yet."""
        if self.version is None:
            return STILL_HERE
        return b"event: state\ndata: %d.%d\n\n" % self.version


class Audiences:
    """The audience of each match that somebody watches, and the pages of each person."""

    def __init__(self) -> None:
        self._by_match: dict[int, Audience] = {}
        self._by_key: dict[str, list[Viewer]] = {}

    def add(self, viewer: Viewer) -> tuple[Audience, bool]:
        """Take in a viewer; return their audience, and whether they are the first of it."""
        is_first = viewer.match_id not in self._by_match
        audience = self._by_match.setdefault(viewer.match_id, Audience())
        audience.by_source.setdefault(viewer.source, set()).add(viewer)
        if viewer.key is not None:
            self._by_key.setdefault(viewer.key, []).append(viewer)
        return audience, is_first

    def remove(self, viewer: Viewer) -> bool:
        """Forget a viewer; tell whether they were here."""
        audience = self._by_match.get(viewer.match_id)
        alike = audience.by_source.get(viewer.source, set()) if audience else set()
        if audience is None or viewer not in alike:
            return False
        alike.remove(viewer)
        if not alike:
            del audience.by_source[viewer.source]
        if not audience.by_source:
            del self._by_match[viewer.match_id]
        if viewer.key is not None:
            self._by_key[viewer.key].remove(viewer)
            if not self._by_key[viewer.key]:
                del self._by_key[viewer.key]
        return True

    def has(self, match_id: int, source: Source) -> bool:
        """Tell whether somebody watches a match in the name of `source`."""
        audience = self.at(match_id)
        return audience is not None and source in audience.by_source

    def at(self, match_id: int) -> Audience | None:
        return self._by_match.get(match_id)

    def all(self) -> list[Audience]:
        return list(self._by_match.values())

    def of(self, sources: set[Source]) -> list[Viewer]:
        """Return all viewers of these sources, whichever match they watch."""
        return [v for audience in self.all() for source in sources for v in audience.of(source)]

    def sources(self, match_id: int) -> set[Source]:
        """Return in whose names the boards of a match are asked for."""
        audience = self.at(match_id)
        return audience.sources() if audience else set()

    def guarded(self) -> set[Source]:
        """Return all sources whose right to watch may end without news of a match."""
        sources = chain.from_iterable(audience.sources() for audience in self.all())
        return {source for source in sources if source.is_guarded}

    def watched(self) -> list[int]:
        """Return the matches that somebody watches."""
        return list(self._by_match)

    def watches(self, match_id: int) -> bool:
        return match_id in self._by_match

    def newer(self, versions: Mapping[int, Version]) -> Iterator[tuple[int, Audience, bool]]:
        """Take in versions; yield each match of which that is news, and whether it is the first."""
        for match_id, (moves, words) in versions.items():
            if (audience := self.at(match_id)) is None:
                continue
            known = audience.version or (-1, -1)
            # Readings may arrive out of order; what only grows is never told backwards.
            newest = (max(moves, known[0]), max(words, known[1]))
            if newest != known:
                is_first = audience.version is None
                audience.version = newest
                yield match_id, audience, is_first

    def oldest_of(self, key: str | None) -> Viewer | None:
        """Return the oldest page of somebody who has too many of them."""
        pages = self._by_key.get(key, []) if key is not None else []
        return pages[0] if len(pages) > STREAMS_PER_KEY else None
