"""Requests that nobody sends in good faith: every address, with values that fit nowhere.

Which fields a page reads, and which words it knows, is taken from the constants of its module, so
that a new page is fuzzed without a line here.
"""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, quote_from_bytes

from flask import Flask
from werkzeug.routing import Rule

# As bytes, because some of it cannot be written as text.
ODD = [
    b"", b" ", b"0", b"-1", b"1", b"2", b"2147483647", b"2147483648", b"99999999999999999999",
    b"1e9", b"NaN", b"-0", b"0x1", b"1.5", b"true", b"null", b"{}", b"[]", b'{"do":1}', b'[[[[[[',
    b'"\\ud800"', b"a\nb", b"a\r\nSet-Cookie: x=1", b"\0", b"\xed\xa0\x80", b"\xff\xfe", b"%",
    b"%00", "٣".encode(), "²".encode(), "🂡".encode(), "\u202eann".encode(), "ＡＮＮ".encode(),
    "e\u0301".encode() * 40, b"<script>alert(1)</script>", b"' OR 1=1 --", b"../../etc/passwd",
    b"//evil.example", b"http://[::1", b"ann", b"bob", b"1900-01-01", b"9999-12-31", b"2026-02-30",
    b"x" * 300, b"x" * 5001, b"9" * 5000, b"[" * 5000,
]  # fmt: skip
IDS = ["0", "1", "2", "3", "2147483647", "2147483648", "9" * 20]
HEADERS: list[dict[str, str]] = [
    {}, {}, {}, {"HX-Request": "true"}, {"HX-Request": "true", "HX-Target": "room"},
    {"HX-Request": "true", "HX-Current-URL": "http://[::1"}, {"HX-Request": "x", "HX-Boosted": "x"},
    {"If-None-Match": '"'}, {"If-None-Match": 'W/"' + "x" * 900}, {"If-Modified-Since": "never"},
    {"Range": "bytes=9999999999999-"}, {"Range": "x"}, {"Accept-Encoding": "gzip;q=x,\xff"},
    {"Content-Type": "multipart/form-data"}, {"Content-Type": "application/json; charset=x"},
    {"Content-Type": "multipart/form-data; boundary=" + "x" * 300}, {"X-Forwarded-For": "[::"},
    {"User-Agent": "\xff" * 900}, {"Accept-Language": "\xff;q=9"}, {"Authorization": "Basic =="},
    {"Referer": "http://[bad"}, {"Origin": "null"}, {"X-CSRFToken": "\xff"}, {"Date": "never"},
]  # fmt: skip


class Asked(NamedTuple):
    """One request; `body` is sent as it is."""

    method: str
    address: str
    body: bytes
    headers: dict[str, str]


def requests(
    app: Flask, rule: Rule, known: list[str], tables: list[int], rng: Random
) -> Iterator[Asked]:
    """Give a request to `rule`, or one for each table and one more for none of them.

    `known` are names and codes that lead somewhere.
    """
    for table in (*tables, None) if "match_id" in rule.arguments else (None,):
        given = {} if table is None else {"match_id": str(table)}
        yield _request(app, rule, known, given, rng)


def _request(app: Flask, rule: Rule, known: list[str], given: dict[str, str], rng: Random) -> Asked:
    words = sorted(_own_words(app, rule.endpoint))
    if rng.random() < 0.3:
        words = _words(app, rule.endpoint)
    address = rule.rule
    for argument in rule.arguments:
        kind = f"<int:{argument}>" if f"<int:{argument}>" in address else f"<{argument}>"
        kind = kind if kind in address else f"<path:{argument}>"
        text = rng.choice(IDS) if "int:" in kind else _text(known, words, rng)
        text = given.get(argument, text)
        address = address.replace(kind, text or "x")
    methods = sorted((rule.methods or set()) & {"GET", "POST"})
    method = rng.choice(methods)
    if rng.random() < 0.7:
        address += f"?{_fields(known, words, rng)}"
    body = _fields(known, words, rng).encode() if method == "POST" else b""
    form = {"Content-Type": "application/x-www-form-urlencoded"} if method == "POST" else {}
    return Asked(method, address, body, {**form, **rng.choice(HEADERS)})


def _fields(known: list[str], words: list[str], rng: Random) -> str:
    """Return a form as it is sent; some fields come twice."""
    names = [rng.choice(words) for _ in range(rng.randint(0, 7))]
    names += names[:1] if rng.random() < 0.2 else []
    return "&".join(f"{quote(name)}={_text(known, words, rng)}" for name in names)


def _text(known: list[str], words: list[str], rng: Random) -> str:
    which = rng.random()
    if which < 0.5:
        return quote_from_bytes(rng.choice(ODD), safe="")
    return quote(rng.choice(known if which < 0.7 else words), safe="")


@cache
def _words(app: Flask, endpoint: str) -> list[str]:
    """Return the short texts in the module of a page, and in those of ours that it imports."""
    page = inspect.unwrap(app.view_functions[endpoint])
    module: Any = inspect.getmodule(page)
    texts = set(_own_words(app, endpoint))
    for name, value in vars(module).items():
        if (
            inspect.ismodule(value)
            and value.__name__.startswith("stockpile_web.")
            and value.__file__
        ):
            texts |= {name, *_constants(Path(value.__file__))}
    return sorted(texts) or ["x"]


@cache
def _own_words(app: Flask, endpoint: str) -> frozenset[str]:
    """Return the short texts in the function of a page and in those beside it that it calls."""
    page = inspect.unwrap(app.view_functions[endpoint])
    own, beside = inspect.getsource(page), vars(inspect.getmodule(page))
    names = {node.id for node in ast.walk(ast.parse(own)) if isinstance(node, ast.Name)}
    called: list[Any] = [beside.get(name) for name in sorted(names)]
    sources = [own, *(inspect.getsource(each) for each in called if _is_of_a_page(each))]
    return frozenset(text for source in sources for text in _texts(source)) or frozenset({"x"})


def _is_of_a_page(thing: object) -> bool:
    return inspect.isfunction(thing) and thing.__module__.startswith("stockpile_web.web.")


@cache
def _constants(path: Path) -> frozenset[str]:
    return _texts(path.read_text())


def _texts(source: str) -> frozenset[str]:
    nodes = ast.walk(ast.parse(source))
    texts = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(text for text in texts if 0 < len(text) <= 24 and " " not in text.strip())
