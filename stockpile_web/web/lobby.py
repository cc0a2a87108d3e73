"""Finding a table: the first page, my tables, new tables, invitations, and before the start."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import selectinload
from werkzeug.datastructures import MultiDict

from stockpile_web.games import GAMES
from stockpile_web.match import absence, seating
from stockpile_web.match.seating import Refused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, PLAYING, Match, Seat
from stockpile_web.storage.models.people import Person
from stockpile_web.storage.transactions import transaction
from stockpile_web.web import sample
from stockpile_web.web.auth import me, sign_in_needed, someone

bp = Blueprint("lobby", __name__)

MOST_LISTED = 50


@bp.get("/")
def home() -> ResponseReturnValue:
    """Show a stranger what this is; send everybody else to their tables."""
    if someone() is not None:
        return redirect(url_for("lobby.mine"))
    games = [(slug, game.TITLE) for slug, game in GAMES.items()]
    return render_template(
        "lobby/home.html", games=games, sample=sample.table(), data=GAMES["stockpile"].data
    )


@bp.get("/tables")
@sign_in_needed
def mine() -> ResponseReturnValue:
    """List my tables: those that wait for me first, the oldest waiting on top."""
    mine = (
        select(Seat)
        .join(Match)
        .where(Seat.user_id == me().id)
        .options(selectinload(Seat.match).selectinload(Match.seats).selectinload(Seat.user))
    )
    begun = mine.where(Match.status == PLAYING).order_by(Seat.waiting_since, Match.id)
    seats = db.session.scalars(begun).all()
    forming = mine.where(Match.status == OPEN).order_by(Match.id.desc())
    past = mine.where(Match.status.in_((OVER, CLOSED))).order_by(Match.ended_at.desc())
    return render_template(
        "lobby/mine.html",
        my_turn=[seat for seat in seats if seat.on_turn],
        waiting=[seat for seat in seats if not seat.on_turn],
        forming=db.session.scalars(forming).all(),
        past=db.session.scalars(past.limit(MOST_LISTED)).all(),
        games=GAMES,
    )


@bp.get("/next")
@sign_in_needed
def next_table() -> ResponseReturnValue:
    """Go to the table that has waited for me the longest."""
    query = (
        select(Seat.match_id)
        .join(Match)
        .where(Seat.user_id == me().id, Seat.on_turn, Match.status == PLAYING)
        .order_by(Seat.waiting_since)
        .limit(1)
    )
    match_id = db.session.scalar(query)
    if match_id is None:
        flash("No table waits for you.")
        return redirect(url_for("lobby.mine"))
    return redirect(url_for("table.show", match_id=match_id))


@bp.get("/tables/listed")
def listed() -> ResponseReturnValue:
    """List the tables that anyone may join or watch."""
    query = (
        select(Match)
        .where(Match.listed, Match.status.in_((OPEN, PLAYING)))
        .options(selectinload(Match.seats).selectinload(Seat.user))
        .order_by(Match.status, Match.id.desc())
        .limit(MOST_LISTED)
    )
    matches = db.session.scalars(query).all()
    return render_template(
        "lobby/listed.html",
        forming=[match for match in matches if match.status == OPEN],
        playing=[match for match in matches if match.status == PLAYING],
        games=GAMES,
    )


@bp.get("/tables/new")
@sign_in_needed
def new() -> ResponseReturnValue:
    """Show the form of a new table."""
    return _new_form(request.args.to_dict())


@bp.post("/tables/new")
@sign_in_needed
def create() -> ResponseReturnValue:
    """Set up a table and go to it."""
    form = request.form
    game, size, pace = form.get("game", ""), form.get("size", ""), form.get("pace", "")
    if game not in GAMES or pace not in TIME_CONTROLS or not size.isascii() or not size.isdigit():
        return _new_form(form.to_dict(), "Please choose a game, how many play, and a pace."), 422
    try:
        with transaction() as connection:
            match_id = seating.create(
                connection,
                me(),
                game,
                int(size[:3]),
                _options(form),
                listed="listed" in form,
                pace=pace,
                open_chat="open_chat" in form,
            )
    except Refused as refusal:
        return _new_form(form.to_dict(), str(refusal)), 422
    return redirect(url_for("table.show", match_id=match_id), 303)


@bp.get("/join/<invitation>")
def invited(invitation: str) -> ResponseReturnValue:
    """Show the table behind an invitation, with a button to sit down."""
    match = _invited_to(invitation)
    user = someone()
    if user is not None and any(seat.user_id == user.id for seat in match.seats):
        return redirect(url_for("table.show", match_id=match.id))
    return render_template(
        "lobby/invited.html", match=match, game=GAMES[match.game], paces=TIME_CONTROLS
    )


@bp.post("/join/<invitation>")
@sign_in_needed
def accept(invitation: str) -> ResponseReturnValue:
    """Sit down at the table behind an invitation."""
    return _change(_invited_to(invitation).id, "join")


@bp.post("/table/<int:match_id>/seating")
@sign_in_needed
def change(match_id: int) -> ResponseReturnValue:
    """Change who sits at a table, begin, close, or play again with the same people."""
    return _change(match_id, request.form.get("do", ""))


def _change(match_id: int, what: str) -> ResponseReturnValue:
    shown = match_id
    try:
        with changing(match_id) as turn:
            shown = _carry_out(turn, what)
    except Refused as refusal:
        flash(str(refusal), "error")
    if what == "leave":
        return redirect(url_for("lobby.mine"), 303)
    return redirect(url_for("table.show", match_id=shown), 303)


def _carry_out(turn: Turn, what: str) -> int:
    """Do `what` if this person may; return the number of the table to show next."""
    user, match = me(), turn.match
    sits_here = any(seat.user_id == user.id for seat in turn.seats)
    if not (sits_here or match.listed or request.endpoint == "lobby.accept"):
        abort(404)
    if what == "join":
        sit_down = absence.take_over if match.status == PLAYING else seating.join
        sit_down(turn, user)
    elif what == "rematch" and sits_here:
        return seating.rematch(turn, user)
    elif not (
        (sits_here and _as_player(turn, user, what))
        or (user.id == match.host_id and _as_host(turn, what))
    ):
        abort(403)
    return match.id


def _as_player(turn: Turn, user: Person, what: str) -> bool:
    """Do what whoever sits at a table may; tell whether this was it."""
    match what.split():
        case ["leave"]:
            seating.leave(turn, user)
        case ["away"]:
            absence.give_to_bot(turn, user, request.form.get("bot", ""))
        case ["back"]:
            absence.come_back(turn, user)
        case ["vote", seat, wanted]:
            absence.vote(turn, user, seat, wanted)
        case _:
            return False
    return True


def _as_host(turn: Turn, what: str) -> bool:
    """Do what the host of a table may; tell whether this was it."""
    match what:
        case "bot":
            seating.add_bot(turn, request.form.get("bot", ""))
        case "fill":
            seating.start_with_bots(turn, request.form.get("bot", ""))
        case "start":
            seating.start(turn)
        case "remove":
            seating.remove(turn, request.form.get("seat", -1, int))
        case "close":
            seating.close(turn)
        case _:
            return False
    return True


def _invited_to(invitation: str) -> Match:
    match = db.session.scalar(select(Match).where(Match.invitation == invitation))
    if match is None:
        abort(404)
    return match


def _options(form: MultiDict[str, str]) -> list[str]:
    """Return the options chosen: ticked, or one of each group."""
    return [key for name, key in form.items(multi=True) if name.partition(".")[0] == "options"]


def _new_form(chosen: dict[str, str], error: str = "") -> str:
    asked_for = chosen.get("game", "")
    return render_template(
        "lobby/new.html",
        games=GAMES,
        slug=asked_for if asked_for in GAMES else next(iter(GAMES)),
        paces=TIME_CONTROLS,
        chosen=chosen,
        ticked=_options(request.values),
        error=error,
    )
