"""What travels: the bytes of a first visit to a table, and of one move."""

import gzip
import re
from collections.abc import Iterable, Iterator
from statistics import mean, median

from bench._load import ask
from bench._seed import Person

_LINKED = re.compile(r'<(?:link|script|use|img)\b[^>]*?\b(?:href|src)="(/[^"#]+)')
_COOKIE = re.compile(rb"Cookie: [^\r]+")
_PART = re.compile(rb' id="([^"]+)" data-fp="([^"]+)"')
_STYLED = re.compile(r"url\([\"']?(/[^\"')#]+)")


def first_load(port: int, person: Person, match_id: int) -> dict[str, int]:
    """Return the bytes of each file that a browser with an empty cache fetches for a table."""
    found = {f"/table/{match_id}": 0}
    queue = list(found)
    while queue:
        address = queue.pop()
        packed, text = _fetch(port, person, address)
        found[address] = len(packed)
        for linked in _links(text):
            if linked not in found:
                found[linked] = 0
                queue.append(linked)
    return found


def _fetch(port: int, person: Person, address: str) -> tuple[bytes, str]:
    headers = f"Host: localhost\r\n{person.headers}"
    request = f"GET {address} HTTP/1.1\r\n{headers}"
    _, packed = ask(port, f"{request}Accept-Encoding: gzip\r\n\r\n".encode())
    _, plain = ask(port, f"{request}\r\n".encode())
    return packed, plain.decode()


def _links(text: str) -> Iterator[str]:
    for pattern in (_LINKED, _STYLED):
        yield from (address.replace("&amp;", "&") for address in pattern.findall(text))


def of_moves(
    port: int, people: list[Person], match_id: int, moves: Iterable[bytes]
) -> dict[str, float]:
    """Return the bytes of the answers to moves, made on pages that have been kept up to date."""
    pages: dict[bytes, dict[bytes, bytes]] = {}
    looks = {_cookie(look): look for look in (person.look(match_id) for person in people)}
    whole, sizes = [], []
    for move in moves:
        page = pages.setdefault(_cookie(move), {})
        whole.append(_ask(port, looks[_cookie(move)], {}))
        _ask(port, looks[_cookie(move)], page)
        sizes.append(_ask(port, move, page))
    return {"median": median(sizes), "mean": round(mean(sizes)), "whole_tables": round(mean(whole))}


def _ask(port: int, request: bytes, page: dict[bytes, bytes]) -> int:
    """Ask as a page that has these parts; return the bytes of the answer."""
    has = b" ".join(page.values())
    if has:
        request = request.replace(b"\r\n", b"\r\nBoard-Has: %b\r\n" % has, 1)
    head, packed = ask(port, request)
    text = gzip.decompress(packed) if b"gzip" in head else packed
    page.update(_PART.findall(text))
    return len(packed)


def _cookie(request: bytes) -> bytes:
    found = _COOKIE.search(request)
    return found[0] if found else b""
