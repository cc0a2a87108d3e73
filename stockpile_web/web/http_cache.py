"""How answers travel: compressed, and cached as far as their kind allows."""

import gzip
import hashlib
import os
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request

from stockpile_web.settings import ROOT
from stockpile_web.storage.cache import BoundedCache

SMALLEST = 1024
A_YEAR = 365 * 24 * 3600
SCRIPTS = ("text/javascript", "application/javascript")
_IN_SHEETS = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
_IN_SCRIPTS = re.compile(rb"^ *// .*\n", re.MULTILINE)
COMPRESSED = 512 * 1024  # Bytes.
TEXT = (
    "text/",
    "image/svg+xml",
    "application/javascript",
    "application/json",
    "application/atom+xml",
)

_compressed: BoundedCache[bytes] = BoundedCache("compressed", COMPRESSED, len)


def init_app(app: Flask) -> None:
    """Take care of how the answers of `app` travel."""
    app.url_defaults(_add_version)
    app.after_request(_say_how_long_to_keep)
    app.after_request(_compress)  # Runs first: the last one given is the first one called.


@cache
def build() -> str:
    """Return a fingerprint of this version of the site: of its code, templates and static files."""
    known = hashlib.blake2b(digest_size=8)
    for folder in ("stockpile_web", "templates", "static"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                known.update(path.read_bytes())
    return known.hexdigest()


def varies_by(response: Response, header: str) -> None:
    """Let caches keep apart the answers to requests that differ in `header`."""
    known = response.headers.get("Vary")
    response.headers["Vary"] = f"{known}, {header}" if known else header


def _add_version(endpoint: str, values: dict[str, Any]) -> None:
    """Name a static file's content in its address, so that it can be kept for ever."""
    if endpoint == "static" and "filename" in values:
        version = _version_of(values["filename"])
        if version:
            values["v"] = version


def _version_of(filename: str) -> str:
    path = f"{current_app.static_folder}/{filename}"
    try:
        return _digest(path, os.stat(path).st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _digest(path: str, _changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def _say_how_long_to_keep(response: Response) -> Response:
    if request.endpoint == "static" and response.status_code in (200, 206, 304):
        version = request.args.get("v")
        if version and version == _version_of((request.view_args or {})["filename"]):
            response.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
        else:
            response.headers["Cache-Control"] = "no-cache"
    elif request.blueprint in ("accounts", "admin"):
        # Going back after signing out must not show them.
        response.headers["Cache-Control"] = "no-store"
    elif "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "private, no-cache"
    return response


def _compress(response: Response) -> Response:
    """Compress text, but no streams.

    A page mixes secrets with what somebody sent, which compression can give away to a site that
    makes a browser ask again and again; our cookies do not travel with such requests.
    """
    if not (response.mimetype or "").startswith(TEXT) or "Content-Encoding" in response.headers:
        return response
    is_file = request.endpoint == "static"
    if response.status_code in (204, 206, 304) or (response.is_streamed and not is_file):
        return response
    varies_by(response, "Accept-Encoding")
    if not request.accept_encodings.quality("gzip"):
        return response
    response.direct_passthrough = False
    plain = response.get_data()
    if len(plain) < SMALLEST:
        return response
    if is_file:
        packed = _well_compressed(without_comments(plain, response.mimetype or ""))
    elif "HX-Request" in request.headers:
        packed = _compressed_once(plain)
    else:  # A page holds a token of its own: nobody will be sent the same again.
        packed = _quickly_compressed(plain)
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"
    tag, _weak = response.get_etag()
    if tag:
        response.set_etag(tag, weak=True)
    return response


def without_comments(plain: bytes, mimetype: str) -> bytes:
    """Leave out of a script or a sheet of ours what is said to its readers: a tenth of a page.

    Of scripts these are the lines that begin with `//`: a vendored one is a single long line.
    """
    if mimetype == "text/css":
        return _IN_SHEETS.sub(b"", plain)
    return _IN_SCRIPTS.sub(b"", plain) if mimetype in SCRIPTS else plain


@lru_cache(maxsize=64)
def _well_compressed(plain: bytes) -> bytes:
    """Compress what is asked for by all and never changes: once, as well as can be."""
    return gzip.compress(plain, 9, mtime=0)


def _quickly_compressed(plain: bytes) -> bytes:
    """Compress well enough: twice as fast as level 5, for a tenth more bytes."""
    return gzip.compress(plain, 3, mtime=0)


def _compressed_once(plain: bytes) -> bytes:
    """Compress what several may be sent; only what comes of it is kept, under its fingerprint."""
    key = (hashlib.blake2b(plain, digest_size=16).digest(),)
    packed = _compressed.get(key)
    if packed is None:
        packed = gzip.compress(plain, 6, mtime=0)  # It is short: a good level takes hardly longer.
        _compressed.put(key, packed)
    return packed
