"""The description of the API for programs and their tools: OpenAPI 3.1, from its operations."""

import re
from functools import cache
from typing import Any

import msgspec

from stockpile_web.web.api.operations import OPERATIONS, Operation
from stockpile_web.web.problems import USUAL, Problem

TOKEN = "token"  # noqa: S105 (the name of the scheme)
ABOUT = (
    "What people do at tables, for their programs. Make a token in your settings and send it as "
    "“Authorization: Bearer …”. New fields may be added: ignore what you do not know."
)
_ARGUMENT = re.compile(r"<(?:(\w+):)?(\w+)>")
_REF = "#/components/schemas/{name}"

Json = dict[str, Any]


@cache
def document() -> Json:
    """Return the description, as it is sent."""
    kinds = [kind for each in OPERATIONS for kind in (each.gives, each.body) if kind]
    _, schemas = msgspec.json.schema_components([*kinds, Problem], ref_template=_REF)
    paths: dict[str, Json] = {}
    for each in OPERATIONS:
        path = _ARGUMENT.sub(r"{\2}", each.path)
        paths.setdefault(path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Stockpile Web", "version": "1", "description": ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {TOKEN: {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(about: Operation) -> Json:
    described: Json = {
        "operationId": about.name,
        "summary": about.summary,
        "security": [] if about.is_open else [{TOKEN: []}],
        "parameters": [*_in_path(about), *_in_query(about)],
        "responses": {str(about.status): _answer(about)}
        | {str(status): _error(status) for status in _errors(about)},
    }
    if about.body is not None:
        needed = any(field.required for field in msgspec.structs.fields(about.body))
        described["requestBody"] = {"required": needed, "content": _json(about.body)}
    return described


def _in_path(about: Operation) -> list[Json]:
    kinds = {"int": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": kinds.get(kind, {"type": "string"}),
        }
        for kind, name in _ARGUMENT.findall(about.path)
    ]


def _in_query(about: Operation) -> list[Json]:
    if about.query is None:
        return []
    # Written out: a parameter has a schema of its own, and none of them is a struct.
    (schema,) = msgspec.json.schema_components([about.query])[1].values()
    return [
        {"name": name, "in": "query", "required": False, "schema": shape}
        for name, shape in schema["properties"].items()
    ]


def _errors(about: Operation) -> list[int]:
    """Return what can go wrong: what its author says, and what follows from what it takes."""
    found = {400, 429, 500, 503, *about.errors}
    found |= set() if about.is_open else {401}
    found |= {403} if about.method == "POST" else set()
    # Of an address with a number that no row can have, Werkzeug may know another method alone.
    found |= {404, 405} if _ARGUMENT.search(about.path) else set()
    found |= {413, 415, 422} if about.body else set()
    found |= {422} if about.query else set()
    return sorted(found)


def _answer(about: Operation) -> Json:
    answer: Json = {"description": about.summary}
    if about.gives is not None:
        answer["content"] = _json(about.gives)
    elif about.status != 204:
        answer["content"] = {"application/json": {"schema": {"type": "object"}}}
    return answer


def _error(status: int) -> Json:
    if status == 304:
        return {"description": "Nothing has changed since the answer with this ETag."}
    return {"description": USUAL[status][1], "content": _json(Problem)}


def _json(kind: type[msgspec.Struct]) -> Json:
    return {"application/json": {"schema": {"$ref": _REF.format(name=kind.__name__)}}}
