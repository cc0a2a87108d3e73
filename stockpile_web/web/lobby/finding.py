"""Finding a table: the first page, my tables, the next that waits, and those open to all."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from stockpile_web.games import GAMES
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, PLAYING, Match, Seat
from stockpile_web.web import sample
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.lobby.blueprint import bp

MOST_LISTED = 50


@bp.get("/")
def home() -> ResponseReturnValue:
    """Show a stranger what this is; send everybody else to their tables."""
    if someone() is not None:
        return redirect(url_for("lobby.mine"))
    page, data = f"games/{sample.GAME}/front.html", GAMES[sample.GAME].data
    return render_template(page, games=GAMES, table=sample.table(), since=(), data=data)


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
        my_turn=[seat for seat in seats if seat.on_turn and not seat.bot],
        waiting=[seat for seat in seats if not seat.on_turn or seat.bot],
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
        .where(Seat.user_id == me().id, Seat.on_turn, Seat.bot.is_(None))
        .where(Match.status == PLAYING)
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
        .where(Match.listed, ~Match.practice, Match.status.in_((OPEN, PLAYING)))
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
        paces=TIME_CONTROLS,
    )
