"""One person, as an administrator sees them, and what may be done to their account."""

from flask import abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select

from stockpile_web.match import departure
from stockpile_web.notify.recipients import can_be_mailed
from stockpile_web.people import administrators
from stockpile_web.storage import audit, mail_queue, names
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Device, Match, Seat, User
from stockpile_web.storage.models.matches import PLAYING, title_of
from stockpile_web.storage.models.people import CHANGED
from stockpile_web.storage.transactions import advisory_lock, writing
from stockpile_web.web.accounts import fields, new_account
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.admin.person_acts import ACTS, open_to
from stockpile_web.web.auth import me

TABLES_SHOWN = 50
LINES_SHOWN = 20

NOT_THE_NAME = "This is not the name. Nothing was done."


@bp.get("/people/<int:user_id>")
def person(user_id: int) -> ResponseReturnValue:
    """Show what an administrator may know of somebody."""
    return _page(_find(user_id), {}, 200)


@bp.post("/people/<int:user_id>/rename")
def rename(user_id: int) -> ResponseReturnValue:
    """Give somebody another name, by the rules of signing up."""
    user, name = _find(user_id), names.tidy(request.form.get("name", ""))
    if user.is_guest:
        abort(404)
    if wrong := fields.what_is_wrong_with_name(name):
        return _page(user, {"name": wrong}, 422)
    chosen = names.columns(name)
    with writing() as tx:
        advisory_lock(tx, "sign up")
        wrong = new_account.why_not_free(tx, chosen, besides=user_id)
        if not wrong:
            user = tx.get_one(User, user_id)
            for column, value in chosen.items():
                setattr(user, column, value)
            if user.email and can_be_mailed(user):  # They sign in by it.
                told = {"name": name, "detail": "the name"}
                mail_queue.write(tx, CHANGED, user.email, user_id=user_id, **told)
            audit.note(tx, me().id, "renamed", about=user_id)
    if wrong:
        return _page(user, {"name": wrong}, 422)
    page = url_for("admin.person", user_id=user_id)
    return _done(page, "The name is changed. They sign in by the new one from now on.")


@bp.route("/people/<int:user_id>/<act>", methods=["GET", "POST"])
def do_to_person(user_id: int, act: str) -> ResponseReturnValue:
    """Ask whether that shall be done to an account, and do it."""
    user = _find(user_id)
    if act not in open_to(user, me()):
        abort(404)
    if request.method != "POST":  # A HEAD request is a look, too.
        return _sure(user, act, "", 200)
    chosen = ACTS[act]
    if chosen.typed and names.key_of(request.form.get("name", "")) != user.name_key:
        return _sure(user, act, NOT_THE_NAME, 422)
    shown = None
    try:
        if chosen.do is None:
            departure.forget(user, by=me())
        else:
            with writing() as tx:
                shown = chosen.do(tx, tx.get_one(User, user_id))
                audit.note(tx, me().id, chosen.event, about=user_id)
    except administrators.LastOne as refusal:
        return _sure(user, act, str(refusal), 422)
    if shown:
        return render_template("admin/person_link.html", person=user, link=shown)
    return _done(_next_page(user, act), chosen.done)


def _next_page(user: User, act: str) -> str:
    """Return where an administrator finds themselves after what they have done to an account."""
    if act == "delete":
        return url_for("admin.people")
    if act == "unmake-administrator" and user.id == me().id:
        return url_for("accounts.settings")
    return url_for("admin.person", user_id=user.id)


def _find(user_id: int) -> User:
    user = db.session.get(User, user_id)
    if user is None or user.deleted_at is not None:
        abort(404)
    return user


def _page(user: User, errors: dict[str, str], status: int) -> ResponseReturnValue:
    seen_at = db.session.scalar(select(func.max(Device.seen_at)).where(Device.user_id == user.id))
    found = db.session.execute(
        select(Match.id, Match.name, Match.game, Seat.bot, Seat.on_turn)
        .join(Seat, Seat.match_id == Match.id)
        .where(Seat.user_id == user.id, Seat.place.is_(None), Match.status == PLAYING)
        .order_by(Match.id.desc())
        .limit(TABLES_SHOWN)
    ).mappings()
    tables = [{**row, "title": title_of(row["name"], row["id"])} for row in found]
    played = select(func.count()).where(Seat.user_id == user.id, Seat.place.is_not(None))
    page = render_template(
        "admin/person.html",
        person=user,
        seen_at=seen_at,
        tables=tables,
        played=db.session.scalar(played),
        has_mail_server=bool(current_app.config["SMTP_HOST"]),
        acts={key: ACTS[key] for key in open_to(user, me())},
        lines=audit.read(db.session(), LINES_SHOWN, before=audit.NEWEST, user_id=user.id),
        errors=errors,
    )
    return page, status


def _sure(user: User, act: str, error: str, status: int) -> ResponseReturnValue:
    return render_template(
        "admin/person_sure.html", person=user, act=ACTS[act], key=act, error=error
    ), status


def _done(page: str, sentence: str) -> ResponseReturnValue:
    flash(sentence)
    return redirect(page, 303)
