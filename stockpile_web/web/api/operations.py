"""What programs can ask for: each operation says what it takes and gives, and is held to it.

The routes and their description (`openapi.py`) come from the same lines, so neither can be wrong
about the other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import msgspec
from flask import Response, request
from werkzeug.exceptions import UnsupportedMediaType

from stockpile_web.web.api.blueprint import bp

VERSION = "/api/v1"

View = TypeVar("View", bound=Callable[..., Any])


class Shape(msgspec.Struct, kw_only=True):
    """What is sent to a program."""


class Asked(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a program sends: in its body, or after the question mark."""


@dataclass(frozen=True)
class Operation:
    """One thing that a program can ask for."""

    method: str
    path: str  # As Flask writes it.
    name: str
    summary: str
    gives: type[Shape] | None
    status: int
    query: type[Asked] | None
    body: type[Asked] | None
    errors: tuple[int, ...]
    is_open: bool  # Without a token.


OPERATIONS: list[Operation] = []


def operation(
    method: str,
    path: str,
    gives: type[Shape] | None = None,
    *,
    status: int = 200,
    query: type[Asked] | None = None,
    body: type[Asked] | None = None,
    errors: tuple[int, ...] = (),
    is_open: bool = False,
) -> Callable[[View], View]:
    """Make a function an operation: it is given `query` and `body` as they were read.

    What it returns is sent as JSON, unless it is an answer already. `errors` are those that do not
    follow from the rest.
    """

    def add(view: View) -> View:
        summary = (view.__doc__ or "").splitlines()[0]
        about = Operation(
            method, VERSION + path, view.__name__, summary, gives, status, query, body, errors,
            is_open,
        )  # fmt: skip
        OPERATIONS.append(about)

        @wraps(view)
        def asked(**values: Any) -> Response:
            if query is not None:
                values["query"] = _read_query(query)
            if body is not None:
                values["body"] = _read_body(body)
            given = view(**values)
            return given if isinstance(given, Response) else as_json(given, status)

        bp.add_url_rule(about.path, view.__name__, asked, methods=[method])
        return view

    return add


def as_json(given: Any, status: int = 200) -> Response:
    """Return an answer with `given` in it."""
    return Response(msgspec.json.encode(given), status, content_type="application/json")


def _read_query(kind: type[Asked]) -> Any:
    """Read what stands after the question mark; a list is one that may come several times."""
    lists = {one.encode_name for one in msgspec.structs.fields(kind) if one.default_factory is list}
    sent = {name: values if name in lists else values[-1] for name, values in request.args.lists()}
    return msgspec.convert(sent, kind, strict=False)


def _read_body(kind: type[Asked]) -> Any:
    """Read the body; where nothing has to be said, there need not be one."""
    if not request.get_data() and not any(each.required for each in msgspec.structs.fields(kind)):
        return kind()
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except (RecursionError, UnicodeDecodeError):
        raise msgspec.DecodeError("It is no text, or nested too deeply.") from None
