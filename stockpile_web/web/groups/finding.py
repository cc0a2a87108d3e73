"""Finding a group: mine, those open to all, a new one, and the one behind a link."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.match.naming import LONGEST_NAME
from stockpile_web.people import Refusal, groups
from stockpile_web.storage.database import db
from stockpile_web.storage.models.acquaintances import (
    BY_LINK,
    CLOSED_TO_ALL,
    OPEN_TO_ALL,
    Group,
    Member,
)
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.groups.blueprint import bp
from stockpile_web.web.groups.fields import ENTRIES_IN_WORDS, LONGEST_ABOUT, Form, read_form

MOST_LISTED = 50
FOUNDING = rate_limits.Limit("found a group", 10, 60)


@bp.get("/groups")
def show_all() -> ResponseReturnValue:
    """List my groups, and those open to all, some at a time."""
    user, after = someone(), request.args.get("after", "")
    mine: list[groups.Listed] = []
    if user is not None and not after:
        theirs = select(Member.group_id).where(Member.user_id == user.id)
        mine = groups.listing(reading(), Group.id.in_(theirs))
    which = (Group.entry == OPEN_TO_ALL, Group.name_key > after)
    found = groups.listing(reading(), *which, most=MOST_LISTED + 1)
    return render_template(
        "groups/list.html",
        mine=mine,
        others=[group for group in found[:MOST_LISTED] if group not in mine],
        after=after,
        more=found[MOST_LISTED - 1].key if len(found) > MOST_LISTED else "",
    )


@bp.get("/groups/new")
@sign_in_needed
def new() -> ResponseReturnValue:
    """Show the form of a new group."""
    return _new_form(Form("", "", BY_LINK), {})


@bp.post("/groups/new")
@sign_in_needed
def create() -> ResponseReturnValue:
    """Found a group and go to it."""
    form = read_form()
    if errors := form.errors():
        return _new_form(form, errors), 422
    try:
        rate_limits.count((FOUNDING, str(me().id)))
        with writing() as tx:
            group_id = groups.create(tx, me().id, *form)
    except (Refusal, rate_limits.TooMany) as refusal:
        return _new_form(form, {"name": str(refusal)}), 422
    return redirect(url_for("groups.show", group_id=group_id), 303)


@bp.get("/groups/join/<invitation>")
def invited(invitation: str) -> ResponseReturnValue:
    """Show the group behind a link, with a button to join."""
    group = _find(invitation)
    if group is None:
        return render_template("groups/no_group.html"), 404
    user = someone()
    if user is not None and groups.role_of(reading(), group.id, user.id):
        return redirect(url_for("groups.show", group_id=group.id))
    (listed,) = groups.listing(reading(), Group.id == group.id)
    return render_template("groups/join.html", group=listed, action=request.path)


@bp.post("/groups/join/<invitation>")
@sign_in_needed
def join(invitation: str) -> ResponseReturnValue:
    """Join the group behind a link."""
    group = _find(invitation)
    if group is None:
        return render_template("groups/no_group.html"), 404
    try:
        with writing() as tx:
            groups.join(tx, group, me().id)
    except Refusal as refusal:
        flash(str(refusal), "bad")
        return redirect(url_for("groups.invited", invitation=invitation), 303)
    return redirect(url_for("groups.show", group_id=group.id), 303)


def _find(invitation: str) -> Group | None:
    """Return the group behind a link, if it takes in anybody."""
    link = (Group.invitation == invitation, Group.entry != CLOSED_TO_ALL)
    return db.session.scalar(select(Group).where(*link))


def _new_form(form: Form, errors: dict[str, str]) -> str:
    return render_template(
        "groups/new.html",
        form=form,
        errors=errors,
        entries=ENTRIES_IN_WORDS,
        longest_name=LONGEST_NAME,
        longest_about=LONGEST_ABOUT,
    )
