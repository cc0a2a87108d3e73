"""Invitations: the table behind a link, and sitting down there."""

import re

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.match.seating import INVITATION_LENGTH, Refused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import Match
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.lobby.blueprint import bp
from stockpile_web.web.lobby.seats import sit_down

_CODE = re.compile(r"[\w-]*", re.ASCII)
_PATH = re.compile(r"/join/([\w-]+)", re.ASCII)


@bp.get("/join/", defaults={"invitation": ""})
@bp.get("/join/<invitation>")
def invited(invitation: str) -> ResponseReturnValue:
    """Show the table behind an invitation, with a button to sit down."""
    match = _find(invitation)
    if match is None:
        # A full stop or a bracket after a link often ends up in it.
        tidy = _CODE.match(invitation)
        if tidy and tidy[0] != invitation and _find(tidy[0]):
            return redirect(url_for("lobby.invited", invitation=tidy[0]))
        return _lost(invitation)
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
    return sit_down_at(invitation)


def invited_by(path: str) -> Match | None:
    """Return the table to which the page at `path` invites, if a seat is free there."""
    found = _PATH.fullmatch(path)
    match = _find(found[1]) if found else None
    return match if match is not None and match.has_room else None


def sit_down_at(invitation: str) -> ResponseReturnValue:
    """Seat whoever asks at the table behind an invitation, or say why that cannot be."""
    match = _find(invitation)
    if match is None:
        return _lost(invitation)
    try:
        with changing(match.id) as turn:
            sit_down(turn, me())
    except Refused as refusal:
        # Whoever is not seated may not see the table itself.
        flash(str(refusal), "error")
        return redirect(url_for("lobby.invited", invitation=invitation), 303)
    return redirect(url_for("table.show", match_id=match.id), 303)


def _find(invitation: str) -> Match | None:
    return db.session.scalar(select(Match).where(Match.invitation == invitation))


def _lost(invitation: str) -> ResponseReturnValue:
    """Say what is wrong with a link that leads to no table, and what to do."""
    is_short = len(invitation) < INVITATION_LENGTH
    return render_template("lobby/no_invitation.html", is_short=is_short), 404
