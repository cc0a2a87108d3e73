"""JSON both ways for states, moves, events and views, by msgspec."""

from functools import cache
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder()


class Unreadable(ValueError):
    """The text is not what it should be."""


def dump(value: Any) -> str:
    """Write `value` as JSON text."""
    return _encoder.encode(value).decode()


def load(kind: Any, text: str) -> Any:
    """Read a value of type `kind` from JSON text."""
    try:
        return _decoder(kind).decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise Unreadable(str(error)) from None


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
