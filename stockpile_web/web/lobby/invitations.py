"""Invitations: the table behind a link, sitting down there, and inviting people by name."""

import re

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.match import calls
from stockpile_web.match.seating import INVITATION_LENGTH, Refused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.turn import changing
from stockpile_web.people import Refusal, friends, guests, invitations
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import OPEN, Match
from stockpile_web.storage.models.notices import INVITED
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.lobby.blueprint import bp
from stockpile_web.web.lobby.room import blocked_among
from stockpile_web.web.lobby.seats import sit_down

# Each tells somebody.
INVITATIONS = rate_limits.Limit("invite by name", 30, 60)

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
        "lobby/invited.html",
        match=match,
        game=GAMES[match.game],
        paces=TIME_CONTROLS,
        asked_by=invitations.inviter(reading(), match.id, user.id) if user else None,
        blocked_here=blocked_among((seat.user_id, seat.name) for seat in match.seats),
        guest_name=request.args.get("name") or guests.chosen_name(user.name or "" if user else ""),
    )


@bp.post("/join/<invitation>")
@sign_in_needed
def accept(invitation: str) -> ResponseReturnValue:
    """Sit down at the table behind an invitation."""
    return sit_down_at(invitation)


@bp.post("/join/<invitation>/decline")
@sign_in_needed
def decline(invitation: str) -> ResponseReturnValue:
    """Decline an invitation that somebody has sent me."""
    match = _find(invitation)
    if match is None:
        return _lost(invitation)
    with writing() as tx:
        invitations.decline(tx, match.id, me().id)
    flash("You have declined.")
    return redirect(url_for("lobby.mine"), 303)


@bp.post("/table/<int:match_id>/invite")
@sign_in_needed
def invite(match_id: int) -> ResponseReturnValue:
    """Invite somebody by name to a table at which I sit."""
    try:
        rate_limits.count((INVITATIONS, str(me().id)))
        with changing(match_id) as turn:
            if all(seat.user_id != me().id for seat in turn.seats):
                abort(404)
            whom = friends.named(turn.connection, request.form.get("name", ""))
            if turn.match.status != OPEN or len(turn.seats) >= turn.match.size:
                raise Refusal("No seat is free here any more.")
            if any(seat.user_id == whom.id for seat in turn.seats):
                raise Refusal("They sit here already.")
            if invitations.invite(turn.connection, match_id, me().id, whom.id):
                calls.call(turn, INVITED, [whom.id])
    except Refusal as refusal:
        flash(str(refusal), "bad")
    except rate_limits.TooMany as refusal:
        flash(f"Those were many invitations: please wait {refusal.wait} minutes.", "bad")
    return redirect(url_for("table.show", match_id=match_id, _anchor="invite"), 303)


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
            sit_down(turn, me(), request.form.get("contribution", ""))
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
