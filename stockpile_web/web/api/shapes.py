"""The shapes of what programs are sent; `openapi.py` describes them."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta

from stockpile_web.engine import Facts, Result
from stockpile_web.match.rows import SeatRow
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, PLAYING, Seat
from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.web.api.operations import Shape

STATUSES = (OPEN, PLAYING, OVER, CLOSED)
Status = Annotated[
    str, Meta(pattern=f"^({'|'.join(STATUSES)})$", extra_json_schema={"enum": [*STATUSES]})
]
# A number that a row can have.
RowNumber = Annotated[int, Meta(ge=0, lt=2**31)]
# Postgres keeps no zero bytes.
Text = Annotated[str, Meta(pattern=r"^[^\x00]*$")]


class Me(Shape):
    """Who asks, by which token, and what it may do."""

    name: str
    time_zone: str
    token: str
    may_play: bool
    ends_at: datetime | None


class Numbers(Shape):
    """The whole numbers from `least` to `most`, in steps."""

    least: int
    most: int
    step: int


class OptionOfGame(Shape):
    """A rule that a table may switch on; one with `numbers` is always there, with a number."""

    key: str
    title: str
    help: str
    needs: str
    unless: str
    group: Annotated[str, Meta(description="Of the options of a group a table has one at most.")]
    usual: bool
    seats: Annotated[list[int] | None, Meta(description="For how many players; null: for all.")]
    numbers: Numbers | None
    number: int


class BotOfGame(Shape):
    """A bot that can sit at a table."""

    key: str
    title: str
    says: str


class GameOffered(Shape):
    """A game, for how many it is, its options and its bots."""

    key: str
    title: str
    rules_version: int
    seats: list[int]
    options: list[OptionOfGame]
    bots: list[BotOfGame]
    phases: dict[str, str]


class Pace(Shape):
    """How much time people give each other for a turn."""

    key: str
    title: str
    help: str


class Games(Shape):
    """The games that can be played here, and at which paces."""

    games: list[GameOffered]
    paces: list[Pace]


class Schemas(Shape):
    """JSON Schema of the moves of a game, and of what a seat sees of it."""

    move: dict[str, Any]
    view: dict[str, Any]


class SeatAtTable(Shape):
    """A seat, and who sits there."""

    number: int
    name: str
    is_person: Annotated[bool, Meta(description="False: the seat is a bot's own.")]
    bot: Annotated[str | None, Meta(description="Which bot plays here, if one does.")]
    on_turn: bool
    waiting_since: datetime | None
    deadline_at: Annotated[datetime | None, Meta(description="When the time for a turn runs out.")]
    is_free: Annotated[bool, Meta(description="A substitute may sit down here.")]
    place: Annotated[int | None, Meta(description="Place 1 has won, and may be shared.")]
    score: int | None


class TableInList(Shape):
    """A table, as lists show it."""

    id: int
    name: str
    game: str
    options: dict[str, int]
    size: int
    status: Status
    pace: str
    practice: bool
    seats: list[SeatAtTable]
    is_my_turn: bool


class Tables(Shape):
    """A page of a list, newest first."""

    tables: list[TableInList]
    before: Annotated[int | None, Meta(description="Ask with this for what comes next.")]


class TurnOfMine(Shape):
    """A table that waits for me."""

    table: int
    name: str
    game: str
    moves_made: int
    waiting_since: datetime | None
    deadline_at: datetime | None


class Turns(Shape):
    """The tables that wait for me, the one that has waited longest first."""

    tables: list[TurnOfMine]


class Table(TableInList):
    """A table as my seat sees it; or as everybody does, if I only watch."""

    host: str | None
    listed: bool
    version: Annotated[int, Meta(description="How many moves are recorded, the deal included.")]
    table_version: Annotated[int, Meta(description="Counts all else that one can see here.")]
    started_at: datetime | None
    ended_at: datetime | None
    invitation: Annotated[
        str | None, Meta(description="By which others may sit down; for players alone.")
    ]
    side: Annotated[str, Meta(description="From where it is seen: a seat, public, or all.")]
    my_seat: int | None
    moves_made: Annotated[int, Meta(description="The counter that a move must carry.")]
    bank: Annotated[int | None, Meta(description="Spare seconds of mine for the whole match.")]
    view: Annotated[Any, Meta(description="What is seen of the game; null before the deal.")]
    moves: Annotated[
        list[dict[str, Any]],
        Meta(description="What I may do now; after the steps, if the turn is built in steps."),
    ]
    steps: Annotated[
        list[str], Meta(description="Those kinds of `moves` that are but a step of a turn.")
    ]
    result: Result | None


class LoggedMove(Shape):
    """A move, as far as I may know what happened."""

    number: int
    events: list[Facts]


class Log(Shape):
    """What has happened, move by move; of some moves one learns nothing."""

    moves: list[LoggedMove]
    next: Annotated[int, Meta(description="Ask since this number for what comes next.")]
    has_more: bool


class Message(Shape):
    """A line of the chat."""

    name: str
    text: str
    said_at: datetime
    is_blocked: Annotated[bool, Meta(description="I have blocked whoever has said it.")]


class Chat(Shape):
    """The newest lines of the chat, oldest first."""

    messages: list[Message]


def seat_shape(seat: Seat | SeatRow, name: str) -> SeatAtTable:
    """Return what all who may see a table may know of a seat."""
    return SeatAtTable(
        number=seat.number,
        name=name,
        is_person=seat.user_id is not None,
        bot=seat.bot,
        on_turn=seat.on_turn,
        waiting_since=seat.waiting_since if seat.on_turn else None,
        deadline_at=seat.deadline_at,
        is_free=seat.is_free,
        place=seat.place,
        score=seat.score,
    )


def name_of(seat: Seat) -> str:
    """Return who sits somewhere, without the signs that a page needs around it."""
    if seat.user_id is None:
        return seat.bot_name
    return (seat.user and seat.user.name) or FORMER_PLAYER
