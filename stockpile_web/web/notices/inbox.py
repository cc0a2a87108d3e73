"""What I was told: the list, what pages of mine have shown, and ending messages by a link."""

from typing import Any

from flask import (
    abort,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlalchemy import and_, false, func, select

from stockpile_web.notify.channels import CHANNELS
from stockpile_web.notify.composing import headline, read_stop_token, table_in_words
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import PLAYING, Match, Seat
from stockpile_web.storage.models.notices import (
    BROKEN,
    INVITED,
    OF_A_TURN,
    OFF,
    PASSED,
    Channel,
    Notice,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.notices.blueprint import bp

NEWEST, LOOKED_AT = 50, 300  # Tables that are listed, and notices of which they are gathered.


@bp.get("/notices")
@sign_in_needed
def show() -> ResponseReturnValue:
    """List the tables of which I was told something, with the newest of it."""
    lately = select(Notice.id, Notice.match_id, Notice.seen_at).where(Notice.user_id == me().id)
    newest = lately.order_by(Notice.id.desc()).limit(LOOKED_AT).subquery().c
    told = (
        select(
            func.max(newest.id).label("newest"),
            func.count().label("count"),
            (func.count() - func.count(newest.seen_at)).label("unseen"),
        )
        .group_by(newest.match_id)
        .order_by(func.max(newest.id).desc())
        .limit(NEWEST)
        .subquery()
    )
    mine = and_(Seat.match_id == Notice.match_id, Seat.user_id == Notice.user_id)
    is_my_turn = and_(Match.status == PLAYING, func.coalesce(Seat.on_turn, false()))
    rows = db.session.execute(
        select(
            Notice,
            Match.name,
            Match.game,
            Match.invitation,
            is_my_turn.label("is_my_turn"),
            told.c.count,
            told.c.unseen,
        )
        .join(told, told.c.newest == Notice.id)
        .join(Match, Match.id == Notice.match_id)
        .outerjoin(Seat, mine)  # A substitute may sit there now.
        .order_by(Notice.id.desc())
    )
    return render_template("notices/list.html", tables=[_news(*row) for row in rows])


@bp.post("/notices/seen")
@sign_in_needed
def see_all() -> ResponseReturnValue:
    """Mark all my notices as seen."""
    with writing() as tx:
        outbox.see_all(tx, me().id)
    return redirect(url_for("notices.show"), 303)


@bp.post("/table/<int:match_id>/seen")
@sign_in_needed
def see(match_id: int) -> ResponseReturnValue:
    """Hear from a visible page of mine which version of a table it shows."""
    version = request.form.get("version", type=int)
    if version is None or not 0 <= version < 2**31:
        abort(400)
    mine = (Notice.user_id == me().id, Notice.match_id == match_id, Notice.version <= version)
    unseen = select(Notice.id).where(*mine, Notice.seen_at.is_(None)).limit(1)
    if db.session.scalar(unseen) is not None:  # Most often there is nothing to write.
        with writing() as tx:
            outbox.see(tx, me().id, match_id, version)
    return "", 204


@bp.get("/notices/stop/<token>")
def show_stop(token: str) -> ResponseReturnValue:
    """Ask whether to end messages; mail programs open links by themselves, so looking does not."""
    _, kind = _read(token)
    label = CHANNELS[kind].LABEL
    return render_template("notices/stop.html", token=token, label=label, stopped=False)


@bp.post("/notices/stop/<token>")
def stop(token: str) -> ResponseReturnValue:
    """End a person's messages through one channel: from our page, or by a mail program's button."""
    user_id, kind = _read(token)
    with writing() as tx:
        channel = tx.scalar(select(Channel).where(Channel.user_id == user_id, Channel.kind == kind))
        if channel is None and tx.get(User, user_id) is not None:
            channel = Channel(user_id=user_id, kind=kind)
            tx.add(channel)
        if channel is not None:
            channel.use = OFF
    label = CHANNELS[kind].LABEL
    return render_template("notices/stop.html", token=token, label=label, stopped=True)


def _news(
    notice: Notice,
    name: str,
    game: str,
    invitation: str,
    is_my_turn: bool,
    count: int,
    unseen: int,
) -> dict[str, Any]:
    """Return what the list shows of a table."""
    has_passed = notice.event in OF_A_TURN and not is_my_turn
    table = table_in_words(name, notice.match_id, game)
    words = headline(PASSED if has_passed else notice.event, table)
    link = url_for("table.show", match_id=notice.match_id)
    if notice.event == INVITED:  # The table itself may not be there for them.
        link = url_for("lobby.invited", invitation=invitation)
    elif notice.event == BROKEN and me().is_admin:  # Nor for an administrator.
        link = url_for("admin.held")
    return {
        "newest": notice,
        "link": link,
        "headline": words,
        "is_my_turn": is_my_turn,
        "count": count,
        "unseen": unseen,
    }


def _read(token: str) -> tuple[int, str]:
    found = read_stop_token(token)
    if found is None or found[1] not in CHANNELS:
        abort(404)
    return found
