"""A rendered table in parts, so that a page is sent those alone which it does not have yet.

A part is one element with an id that a template puts between `<!--part-->` and `<!--end-->`; it may
hold others. It carries a fingerprint of itself (`data-fp`). A page that asks for a table names all
fingerprints that it shows, so the server keeps nothing about any page, and answers with an empty
element with `data-same` in place of each part that the page has. A list that only grows, with the
newest line on top (`<!--growing-->`), is sent as far as it is newer than what the page has, marked
by `data-adds`. What a page makes of them stands in static/board.js.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Set
from hashlib import blake2b
from itertools import takewhile
from weakref import WeakValueDictionary
from zlib import crc32

from flask import Flask, request
from markupsafe import Markup

HEADER = "Board-Has"
PLACE = "<!--place-->"
LINE = "<!--line-->"

_MARK = re.compile("<!--(part|growing|end)-->")
_ROOT = re.compile(r'\s*<(\w+)[^>]*? id="([^"]+)"')


def init_app(app: Flask) -> None:
    """Let templates whose page is always whole forget the marks."""
    app.jinja_env.filters["whole"] = whole


def whole(html: str) -> Markup:
    """Return HTML without any marks."""
    return Markup(_MARK.sub("", html))  # noqa: S704 (Jinja has escaped it)


class Rendered:
    """HTML with parts in it: a table, or a part that holds others."""

    __slots__ = ("__weakref__", "_content", "fingerprint")

    def __init__(self, content: list["str | Part"], fingerprint: str) -> None:
        self._content = content
        self.fingerprint = fingerprint

    def whole(self) -> str:
        """Return all of it."""
        return "".join([one if isinstance(one, str) else one.whole() for one in self._content])

    def beyond(self, known: Set[str]) -> str:
        """Return what a page that shows parts of these fingerprints does not have yet."""
        return "".join(
            [one if isinstance(one, str) else one.beyond(known) for one in self._content]
        )

    def size(self) -> int:
        """Return about how many bytes it takes; texts that other tables have too are shared."""
        return sum([len(one) if isinstance(one, str) else one.size() for one in self._content])

    def fingerprints(self) -> frozenset[str]:
        """Return those of all parts in it."""
        parts = [one for one in self._content if isinstance(one, Part)]
        inside = (part.fingerprints() for part in parts)
        return frozenset(part.fingerprint for part in parts).union(*inside)


class Part(Rendered):
    """One element; or nothing, where a template has nothing to show."""

    __slots__ = ("_same",)

    def __init__(self, content: list["str | Part"], html: str, fingerprint: str = "") -> None:
        root = _ROOT.match(html)
        if root is None and html.strip():
            raise ValueError(f"A part is an element with an id: {html[:80]!r}")
        super().__init__(content, fingerprint or (_fingerprint(html) if root else ""))
        self._same = ""
        if root is not None:
            first = str(content[0])
            content[0] = f'{root[0]} data-fp="{self.fingerprint}"{first[root.end() :]}'
            # What replaces its like elsewhere on the page is left out if the page has it.
            if "hx-swap-oob" not in first[: first.index(">")]:
                self._same = f'<{root[1]} id="{root[2]}" data-same></{root[1]}>'

    def beyond(self, known: Set[str]) -> str:
        return self._same if self.fingerprint in known else super().beyond(known)


class Growing(Part):
    """A list to which lines are only ever added, the newest on top, with marks between them."""

    __slots__ = ()

    def __init__(self, _content: list["str | Part"], html: str) -> None:
        begin, *lines, end = html.split(LINE)
        newest = lines[0] if lines else ""
        # Whoever has the newest line has them all, whatever else they still show below.
        super().__init__([begin, *lines, end], begin, _fingerprint(newest))

    def beyond(self, known: Set[str]) -> str:
        begin, *lines, end = map(str, self._content)
        new = list(takewhile(lambda line: _fingerprint(line) not in known, lines))
        if len(new) == len(lines):
            return self.whole()
        return "".join([begin[:-1], " data-adds>", *new, end]) if new else self._same


def cut(html: str) -> Rendered:
    """Cut a table at its marks, and put the fingerprint of all of it where it says `data-table`."""
    fingerprint = _fingerprint(html)
    html = html.replace(" data-table ", f' data-table="{fingerprint}" ', 1)
    content, _ = _read(iter(_MARK.split(html)))
    return Rendered(content, fingerprint)


def shown_already() -> str:
    """Return the fingerprints that the asking page names."""
    return request.headers.get(HEADER, "")


def answer(table: Rendered) -> str:
    """Return what the asking page does not have yet of a table."""
    has = shown_already()
    html = table.beyond(set(has.split())) if has else table.whole()
    return html.replace(PLACE, "")


def _read(words: Iterator[str]) -> tuple[list[str | Part], str]:
    """Read up to the next end, where text and marks come in turn; return it cut and as it was."""
    text = next(words)
    content: list[str | Part] = [text]
    html = [text]
    while (kind := next(words, "end")) != "end":
        inside, text = _read(words), next(words)
        content += [_part(kind, *inside), text]
        html += [inside[1], text]
    return content, "".join(html)


_shared: WeakValueDictionary[tuple[str, int, bytes], Part] = WeakValueDictionary()


def _part(kind: str, content: list[str | Part], html: str) -> Part:
    """Return a part; the one that other tables have too, if it is the same.

    Most parts are the same for all who look at a table, and outlive many a move.
    """
    digest = blake2b(html.encode(), digest_size=20).digest()
    key = kind, len(content), digest
    part = _shared.get(key)
    if part is None:
        part = _shared[key] = (Part if kind == "part" else Growing)(content, html)
    return part


def _fingerprint(html: str) -> str:
    # It only has to tell a part from what the same page showed of it before: a checksum does, at a
    # seventh of the price of a hash. Pages send some seventy of them with each move.
    return urlsafe_b64encode(crc32(html.encode()).to_bytes(4))[:6].decode()
