"""The tables of the site, and what an administrator may do to one; none of it shows a board."""

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import RowMapping, select

from stockpile_web.games import GAMES
from stockpile_web.match import administration
from stockpile_web.match.rows import MatchRow, SeatRow, read_table
from stockpile_web.match.rules_versions import can_be_carried_on
from stockpile_web.match.seating import Refused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage import audit
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, PLAYING, title_of
from stockpile_web.storage.transactions import reading
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.auth import me
from stockpile_web.web.security import row_number

TABLES_ON_A_PAGE = 50
# How a table stands: in the list, where it is not simply played, and on its own page.
BADGES = {OPEN: "not begun", PLAYING: "", OVER: "over", CLOSED: "closed"}
STANDING = {
    OPEN: "it has not begun",
    PLAYING: "it is played",
    OVER: "it is over",
    CLOSED: "it was closed",
}


class Act(NamedTuple):
    """Something that may be done to a table for a reason, after a page that says what it means."""

    event: str  # As the audit log knows it.
    title: str
    words: str  # What will happen.
    button: str
    do: Callable[[Turn, str], None]
    typed: bool = False  # It cannot be undone: the number has to be typed.


ACTS = {
    "pause": Act(
        administration.PAUSED,
        "Pause this table",
        "No clock runs and nothing is played, not by orders and bots either, until you let it go "
        "on. Those at the table read why. Then all who are on turn have their whole time again.",
        "Pause",
        administration.halt,
    ),
    "end": Act(
        administration.ENDED,
        "End this table",
        "It ends here, for good and without a winner. Those who play are told, and read why.",
        "End for good",
        administration.end,
        typed=True,
    ),
}


@bp.get("/tables")
def tables() -> ResponseReturnValue:
    """List the tables that are played, newest first, or find one by number or name."""
    name = request.args.get("name", "").strip()
    found = _by_name(name) if name else _newest()
    more = found[-1]["id"] if not name and len(found) == TABLES_ON_A_PAGE else None
    return render_template("admin/tables.html", tables=found, games=GAMES, name=name, more=more)


@bp.get("/tables/<int:match_id>")
def table(match_id: int) -> ResponseReturnValue:
    """Show who sits at a table and how it stands; nothing of what is played there."""
    return _page(match_id, "", 200)


@bp.route("/tables/<int:match_id>/<any(pause, end):act>", methods=["GET", "POST"])
def halt_table(match_id: int, act: str) -> ResponseReturnValue:
    """Ask why a table shall be paused or ended, and do it."""
    if request.method != "POST":  # A HEAD request is a look, too.
        return _sure(match_id, act, "", 200)
    chosen, why = ACTS[act], request.form.get("why", "")
    if chosen.typed and request.form.get("number", "").strip() != str(match_id):
        return _sure(match_id, act, "This is not its number. Nothing was done.", 422)
    try:
        with changing(match_id) as turn:
            chosen.do(turn, why)
            _note(turn, chosen.event)
    except Refused as refusal:
        return _sure(match_id, act, str(refusal), 422)
    return _done(match_id)


@bp.post("/tables/<int:match_id>/change")
def change_table(match_id: int) -> ResponseReturnValue:
    """Let a table go on, or see to the seat of somebody who is gone."""
    try:
        with changing(match_id) as turn:
            _note(turn, _carry_out(turn, request.form.get("do", "")))
    except Refused as refusal:
        return _page(match_id, str(refusal), 422)
    return _done(match_id)


def _carry_out(turn: Turn, what: str) -> str:
    """Do what a button says; return how the audit log calls it."""
    seat = request.form.get("seat", -1, row_number)
    match what:
        case "go on":
            administration.go_on(turn)
            return administration.WENT_ON
        case administration.TO_BOT:
            administration.leave_to_bot(turn, seat)
        case administration.OPENED:
            administration.open_seat(turn, seat)
        case _:
            abort(400)
    return what


def _newest() -> list[dict[str, Any]]:
    """Return one page of the tables that are being played."""
    before = request.args.get("before", 2**31 - 1, row_number)
    playing = (Match.status == PLAYING, Match.id < before)
    return _rows(select(Match.id).where(*playing))


def _by_name(typed: str) -> list[dict[str, Any]]:
    """Return the table of this number, or those not over yet that have this in their names."""
    number = typed.lstrip("#")
    if number.isascii() and number.isdigit() and len(number) < 10:
        return _rows(select(Match.id).where(Match.id == int(number)))
    unfinished = Match.status.in_((OPEN, PLAYING))
    return _rows(select(Match.id).where(unfinished, Match.name.icontains(typed, autoescape=True)))


def _rows(which: Any) -> list[dict[str, Any]]:
    columns = (Match.id, Match.name, Match.game, Match.status, Match.moved_at, Match.halted_for)
    found = which.with_only_columns(*columns).order_by(Match.id.desc())
    rows = db.session.execute(found.limit(TABLES_ON_A_PAGE)).mappings()
    return [
        {**row, "title": title_of(row["name"], row["id"]), "badge": _badge(row)} for row in rows
    ]


def _badge(row: RowMapping) -> str:
    is_paused = row["status"] == PLAYING and row["halted_for"]
    return "paused" if is_paused else BADGES[row["status"]]


def _read(match_id: int) -> tuple[MatchRow, list[SeatRow]]:
    found = read_table(reading(), match_id)
    if found is None:
        abort(404)
    match, seats = found
    return match, [seat.as_others_see() for seat in seats]


def _page(match_id: int, error: str, status: int) -> ResponseReturnValue:
    match, seats = _read(match_id)
    game = GAMES[match.game]
    page = render_template(
        "admin/table.html",
        match=match,
        standing=STANDING[match.status],
        seats=[(seat, _who_plays(seat)) for seat in seats],
        gone=administration.gone(reading(), seats),
        game=game,
        pace=TIME_CONTROLS[match.pace],
        is_held=match.status == PLAYING and not can_be_carried_on(game, match.rules_version),
        error=error,
    )
    return page, status


def _who_plays(seat: SeatRow) -> str:
    if seat.user_id is None:
        return "a bot"
    if seat.bot:
        return "a bot plays for them"
    return "plays" if seat.is_here else "away: turns were played for them"


def _sure(match_id: int, act: str, error: str, status: int) -> ResponseReturnValue:
    match, _seats = _read(match_id)
    page = render_template(
        "admin/table_sure.html",
        match=match,
        key=act,
        act=ACTS[act],
        error=error,
        longest=administration.LONGEST_REASON,
    )
    return page, status


def _note(turn: Turn, event: str) -> None:
    """Note in the audit log what is done, where it is done: neither is without the other."""
    audit.note(turn.connection, me().id, event, f"table {turn.match.id}")


def _done(match_id: int) -> ResponseReturnValue:
    flash("That is done; the log of the table says so.")
    return redirect(url_for("admin.table", match_id=match_id), 303)
