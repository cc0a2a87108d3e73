"""Finding a table: the first page, my tables, the next that waits, and those open to all."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import defer, selectinload

from stockpile_web.games import GAMES
from stockpile_web.match import archive
from stockpile_web.match.listed import read_listed
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.people import invitations
from stockpile_web.storage.database import db
from stockpile_web.storage.models.archive import list_of
from stockpile_web.storage.models.matches import OPEN, PLAYING, Match, Seat
from stockpile_web.storage.transactions import reading
from stockpile_web.web import sample
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.lobby.blueprint import bp

MOST_PAST = 10
# Lists do not open what is played.
_NO_STATE = defer(Match.state), defer(Match.seed), defer(Match.undo)
_WITH_PEOPLE = selectinload(Match.seats).selectinload(Seat.user)


@bp.get("/")
def home() -> ResponseReturnValue:
    """Show a stranger what this is; send everybody else to their tables."""
    if someone() is not None:
        return redirect(url_for("lobby.mine"))
    page, data = f"games/{sample.GAME}/front.html", GAMES[sample.GAME].data
    shown = {"table": sample.table(), "since": (), "data": data}
    return render_template(page, games=GAMES, watch=to_watch(), **shown)


def to_watch() -> int | None:
    """Return the newest match that is being played and that anybody may watch."""
    listed = select(Match.id).where(Match.listed, ~Match.practice, Match.status == PLAYING)
    return reading().scalar(listed.order_by(Match.id.desc()).limit(1))


@bp.get("/tables")
@sign_in_needed
def mine() -> ResponseReturnValue:
    """List my tables: those that wait for me first, the oldest waiting on top."""
    mine = (
        select(Seat)
        .join(Match)
        .where(Seat.user_id == me().id, Seat.place.is_(None))
        .options(selectinload(Seat.match).options(*_NO_STATE, _WITH_PEOPLE))
    )
    begun = mine.where(Match.status == PLAYING).order_by(Seat.waiting_since, Match.id)
    seats = db.session.scalars(begun).all()
    forming = mine.where(Match.status == OPEN).order_by(Match.id.desc())
    mine_past = archive.Search(list_of(me().id), unlisted=True, closed=True, begun=False)
    past = archive.find(reading(), mine_past, MOST_PAST)
    asked_to = invitations.waiting_for(reading(), me().id)
    invited = select(Match).where(Match.id.in_(asked_to)).order_by(Match.id.desc())
    invited = invited.options(*_NO_STATE, _WITH_PEOPLE)
    return render_template(
        "lobby/mine.html",
        invited=db.session.scalars(invited).all() if asked_to else [],
        my_turn=[seat for seat in seats if seat.on_turn and not seat.bot],
        waiting=[seat for seat in seats if not seat.on_turn or seat.bot],
        forming=db.session.scalars(forming).all(),
        past=past.matches,
        has_more_past=past.after is not None,
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
    return render_template(
        "lobby/listed.html",
        forming=read_listed(reading(), OPEN),
        playing=read_listed(reading(), PLAYING),
        games=GAMES,
        paces=TIME_CONTROLS,
    )
