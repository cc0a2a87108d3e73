"""What travels: the bytes of a first visit to a table, and of one move."""

import re
from collections.abc import Iterator

from bench._load import ask
from bench._seed import Person

_LINKED = re.compile(r'<(?:link|script|use|img)\b[^>]*?\b(?:href|src)="(/[^"#]+)')
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
