"""A whole match as a file: what is in it, in which form, and how it is read.

`docs/export.md` explains it and `docs/export.schema.json` is its JSON Schema, made from these types
(tested). A change that older readers would misread raises `VERSION`.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from stockpile_web.engine import Event, Facts, Piece, Result, codec

FORMAT = "stockpile-web match"
VERSION = 1
LARGEST = 2 * 1024 * 1024  # Bytes.

Made = Literal["player", "bot", "order", "clock"]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Number = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class NotReadable(Exception):
    """This is no file of a match; the message says to a person what is wrong with it."""


class MatchFacts(Piece, frozen=True):
    """What was played, and when."""

    id: int
    name: str
    game: str
    options: list[str]  # The rules that were added, as words (`engine/options.py`).
    pace: str
    status: Literal["playing", "over", "closed"]
    started_at: Moment
    ended_at: Moment | None
    is_practice: bool


class SeatFacts(Piece, frozen=True):
    """Who sat where."""

    number: int
    name: str
    is_bot: bool


class ContributionFacts(Piece, frozen=True):
    """The random number that a player has added to the seed."""

    seat: int
    number: Number
    source: Literal["browser", "server"]


class SealFacts(Piece, frozen=True):
    """Where all chance came from; the secret and the seed are there when the match is over."""

    fingerprint: str
    contributions: list[ContributionFacts]
    places: list[int]  # For each seat its place in the waiting room.
    secret: str | None  # Of a match dealt before players added numbers there is none.
    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None


class MoveFacts(Piece, frozen=True):
    """A move; number 0 is the deal. Of a match that is not over, only what this viewer may know."""

    number: int
    seat: int | None
    made_by: Made
    made_at: Moment
    rules_version: int
    move: Any  # As the rules record it; a list if steps came before it. None: the deal, or hidden.
    told: list[Facts] | None = None  # What this viewer was told, while the match is not over.
    events: list[Event] | None = None  # All that happened, and who was told what, when it is.


class MatchFile(Piece, frozen=True):
    """A whole match, as far as whoever asked for it may know it."""

    format: Literal["stockpile-web match"]
    version: int
    match: MatchFacts
    seats: list[SeatFacts]
    viewer: int | None  # The seat of whoever asked; None is a spectator.
    seal: SealFacts
    moves: list[MoveFacts]
    view: Any  # What the viewer sees of the table now, while the match is not over.
    result: Result | None


def read(text: bytes) -> MatchFile:
    """Read a file, or say what is wrong with it."""
    if len(text) > LARGEST:
        raise NotReadable(f"This file is too large: a match takes at most {LARGEST >> 20} MB.")
    try:
        head = codec.load(dict[str, Any], text.decode())
    except (codec.Unreadable, UnicodeDecodeError):
        raise NotReadable("This is not JSON: the file is broken, or of another kind.") from None
    if head.get("format") != FORMAT:
        raise NotReadable("This is no match of Stockpile Web: its format is another one.")
    if head.get("version") != VERSION:
        wanted = f"version {head.get('version')!s:.20} of the format; this server reads {VERSION}"
        raise NotReadable(f"This file is written in {wanted}.")
    try:
        file: MatchFile = codec.load(MatchFile, text.decode())
    except codec.Unreadable as error:
        raise NotReadable(f"This file is broken: {error}.") from None
    return file


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a file."""
    return msgspec.json.schema(MatchFile)
