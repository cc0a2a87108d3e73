"""The page of a group, and what its members, organisers and owner do there."""

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from stockpile_web.games import GAMES
from stockpile_web.match import archive
from stockpile_web.match.naming import LONGEST_NAME
from stockpile_web.people import Refusal, friends, groups, standings
from stockpile_web.storage.database import db
from stockpile_web.storage.models.acquaintances import OPEN_TO_ALL, Group
from stockpile_web.storage.models.archive import list_of_group
from stockpile_web.storage.names import isolated
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.groups.blueprint import bp
from stockpile_web.web.groups.fields import ENTRIES_IN_WORDS, LONGEST_ABOUT, Form, read_form

MOST_TABLES, MOST_FINISHED = 30, 20


@bp.get("/groups/<int:group_id>")
def show(group_id: int) -> ResponseReturnValue:
    """Show a group: to its members all of it, to others what it is, if it is open to all."""
    group, role = _find(group_id)
    if role is None:
        (listed,) = groups.listing(reading(), Group.id == group_id)
        return render_template("groups/join.html", group=listed, action=request.path)
    return _page(group, role, Form(group.name, group.about, group.entry), {})


@bp.post("/groups/<int:group_id>")
@sign_in_needed
def change(group_id: int) -> ResponseReturnValue:
    """Join or leave a group, or do what one's role allows."""
    what, (group, role) = request.form.get("do", ""), _find(group_id)
    form = read_form()
    if role is None and what != "join":
        abort(403)
    if what in groups.MAY and role not in groups.MAY[what]:
        abort(403)
    if what == "edit" and (errors := form.errors()):
        return _page(group, role or "", form, errors), 422
    try:
        with writing() as tx:
            _carry_out(tx, group_id, what, form)
    except Refusal as refusal:
        if what == "edit":
            return _page(group, role or "", form, {"name": str(refusal)}), 422
        flash(str(refusal), "bad")
    if what == "leave":
        return redirect(url_for("groups.show_all"), 303)
    return redirect(url_for("groups.show", group_id=group_id), 303)


def _carry_out(tx: Session, group_id: int, what: str, form: Form) -> None:
    """Do what was asked, if it may still be asked now that nobody else changes the group."""
    groups.lock(tx, group_id)
    group, role = tx.get(Group, group_id), groups.role_of(tx, group_id, me().id)
    if group is None or (what in groups.MAY and role not in groups.MAY[what]):
        raise Refusal("That is not yours to do any more.")
    match what:
        case "join":
            if group.entry != OPEN_TO_ALL:
                raise Refusal("This group is not open to all any more: ask a member for its link.")
            groups.join(tx, group, me().id)
        case "leave":
            flash(f"You have left {isolated(group.name)}.")
            groups.leave(tx, group_id, me().id)
        case "edit":
            groups.edit(tx, group, *form)
        case "renew":
            groups.renew_link(group)
            flash("The group has a new link; the old one leads nowhere.")
        case "remove":
            groups.remove(tx, group, role or "", _whom(tx))
        case "organiser" | "member" | "owner":
            groups.set_role(tx, group_id, _whom(tx), what)
        case _:
            abort(400)


def _whom(tx: Session) -> int:
    return friends.named(tx, request.form.get("whom", "")).id


def _find(group_id: int) -> tuple[Group, str | None]:
    """Return a group and what I am in it; one that is not open is there for its members alone."""
    group, user = db.session.get(Group, group_id), someone()
    role = groups.role_of(reading(), group_id, user.id) if user else None
    if group is None or (role is None and group.entry != OPEN_TO_ALL):
        abort(404)
    return group, role


def _page(group: Group, role: str, form: Form, errors: dict[str, str]) -> str:
    session, lately = db.session(), "lately" in request.args
    ours = archive.Search(list_of_group(group.id), unlisted=True)
    return render_template(
        "groups/show.html",
        group=group,
        role=role,
        may=[what for what, roles in groups.MAY.items() if role in roles],
        members=groups.members(reading(), group.id),
        tables=standings.unfinished(session, group.id, MOST_TABLES),
        finished=archive.find(reading(), ours, MOST_FINISHED).matches,
        standings=standings.standings(reading(), group.id, lately=lately),
        lately=lately,
        games=GAMES,
        form=form,
        errors=errors,
        entries=ENTRIES_IN_WORDS,
        longest_name=LONGEST_NAME,
        longest_about=LONGEST_ABOUT,
    )
