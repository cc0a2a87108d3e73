"""What a program is told when something cannot be done: one shape of JSON, whatever the status."""

from typing import Any

import msgspec
from flask import Response, request

PATH = "/api/"  # Below it programs ask; everywhere else people do, and are shown a page.

# The code and the sentence of each status, if nothing more can be said.
USUAL = {
    400: ("bad_request", "This request cannot be read."),
    401: ("no_token", "Send a token that is good: “Authorization: Bearer spw_…”."),
    403: ("forbidden", "This belongs to other people."),
    404: ("not_found", "There is no such thing, or it is not for you."),
    405: ("method_not_allowed", "This address cannot be used that way."),
    409: ("conflict", "Somebody was faster: look how it is now."),
    413: ("too_large", "That is more than this site takes at once."),
    415: ("not_json", "Send JSON: “Content-Type: application/json”."),
    422: ("unprocessable", "Something in what you sent cannot be used."),
    429: ("too_many", "Those were too many requests: wait as long as Retry-After says."),
    500: ("our_mistake", "Something went wrong here. Nothing is lost; please try again."),
    503: ("busy", "What you sent was not done, because the site was busy: please send it again."),
}


class Error(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong: a word for programs, a sentence for people, and where in what was sent."""

    code: str
    message: str
    where: str = ""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that says what went wrong; where it helps, with the table as it stands."""

    error: Error
    table: Any = None


def is_for_program() -> bool:
    """Tell whether a program asks."""
    return request.path.startswith(PATH)


def answer(
    status: int,
    message: str = "",
    code: str = "",
    *,
    where: str = "",
    table: Any = None,
    headers: list[tuple[str, str]] | None = None,
) -> Response:
    """Say to a program what went wrong."""
    usual_code, usual_message = USUAL.get(status, USUAL[400 if status < 500 else 500])
    problem = Problem(Error(code or usual_code, message or usual_message, where), table)
    response = Response(
        msgspec.json.encode(problem), status, headers, content_type="application/json"
    )
    response.headers["Cache-Control"] = "no-store"
    return response
