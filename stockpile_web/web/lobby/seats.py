"""Who sits at a table: coming, leaving, beginning, votes, closing, playing again; and its name."""

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from stockpile_web.match import absence, closing, practice, rematch, seating
from stockpile_web.match.glance import may_watch
from stockpile_web.match.seating import Refused
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import PLAYING, Match
from stockpile_web.storage.models.people import Person
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.lobby.blueprint import bp

# Each time, all the others are told.
ASKS = rate_limits.Limit("ask to close a match", 10, 60)
REMATCHES = rate_limits.Limit("ask for a rematch", 20, 60)


@bp.post("/table/<int:match_id>/seating")
@sign_in_needed
def change(match_id: int) -> ResponseReturnValue:
    """Change who sits at a table or its name, begin, close, or play again with the same people."""
    what, shown = request.form.get("do", ""), match_id
    try:
        if what == "close" and _is_played(match_id):
            rate_limits.count((ASKS, str(me().id)))
        elif what == "rematch" and not _is_practice(match_id):
            rate_limits.count((REMATCHES, str(me().id)))
        with changing(match_id) as turn:
            shown = carry_out(turn, what, request.form)
        if what == "bots":
            flash("The bots play as you chose from now on.")
        if shown != match_id:
            rematch.come(shown, me(), request.form.get("contribution", ""))
            rematch.begin_practice(shown)
    except Refused as refusal:
        shown = match_id
        flash(str(refusal), "error")
    except rate_limits.TooMany as refusal:
        flash(f"You have asked often enough: please wait {refusal.wait} minutes.", "error")
    if what == "leave":
        return redirect(url_for("lobby.mine"), 303)
    return redirect(url_for("table.show", match_id=shown), 303)


def _is_played(match_id: int) -> bool:
    status = select(Match.status).where(Match.id == match_id)
    return db.session.scalar(status) == PLAYING


def _is_practice(match_id: int) -> bool:
    return bool(db.session.scalar(select(Match.practice).where(Match.id == match_id)))


def sit_down(turn: Turn, user: Person, contribution: str) -> None:
    """Seat somebody: before the match begins, or as a substitute."""
    if turn.match.status == PLAYING:
        absence.take_over(turn, user)
    else:
        seating.join(turn, user, contribution)
    # If they were invited, they know.
    outbox.see(turn.connection, user.id, turn.match.id, turn.match.version)


def carry_out(turn: Turn, what: str, form: MultiDict[str, str]) -> int:
    """Do `what` if this person may; return the number of the table to show next."""
    user, match = me(), turn.match
    sits_here = any(seat.user_id == user.id for seat in turn.seats)
    if not (sits_here or may_watch(turn.connection, match, user.id)):
        abort(404)
    if what == "join":
        sit_down(turn, user, form.get("contribution", ""))
    elif what == "rematch" and sits_here:
        return rematch.rematch(turn, user, form.get("contribution", ""))
    elif not (
        (sits_here and _as_player(turn, user, what, form))
        or (user.id == match.host_id and _as_host(turn, what, form))
    ):
        abort(403)
    return match.id


def _as_player(turn: Turn, user: Person, what: str, form: MultiDict[str, str]) -> bool:
    """Do what whoever sits at a table may; tell whether this was it."""
    match what.split():
        case ["leave"]:
            seating.leave(turn, user)
        case ["contribute"]:
            seating.contribute(turn, user, form.get("contribution", ""))
        case ["away"]:
            absence.give_to_bot(turn, user, form.get("bot", ""))
        case ["back"]:
            absence.come_back(turn, user)
        case ["vote", seat, wanted]:
            absence.vote(turn, user, seat, wanted)
        case ["closing", wanted]:
            closing.answer(turn, user, wanted)
        case _:
            return False
    return True


def _as_host(turn: Turn, what: str, form: MultiDict[str, str]) -> bool:
    """Do what the host of a table may; tell whether this was it."""
    match what:
        case "bot":
            seating.add_bot(turn, form.get("bot", ""))
        case "fill":
            seating.start_with_bots(turn, form.get("bot", ""))
        case "start":
            seating.start(turn)
        case "remove":
            seating.remove(turn, form.get("seat", -1, int))
        case "rename":
            seating.rename(turn, me(), form.get("name", ""))
        case "bots":
            asked = {seat.number: f"bot-{seat.number}" for seat in turn.seats}
            chosen = {seat: form.get(name, "") for seat, name in asked.items()}
            practice.change_bots(turn, me().id, chosen)
        case "close":
            closing.ask_to_close(turn)
        case _:
            return False
    return True
