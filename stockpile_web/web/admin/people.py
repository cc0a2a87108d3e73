"""The people of the site: those who came last, finding somebody, and who signed up when."""

from datetime import timedelta
from typing import Any, NamedTuple

from flask import current_app, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select, tuple_

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User
from stockpile_web.web.accounts.signing import find_users
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.guests.blueprint import are_welcome
from stockpile_web.web.security import row_number

PEOPLE_ON_A_PAGE = 50
GUESTS_SHOWN = 100
LATELY = timedelta(days=7)


class SignUps(NamedTuple):
    """Who may make an account, in a few words and in a sentence."""

    title: str
    words: str


SIGN_UPS = {
    "open": SignUps("open to all", "Anybody may make an account."),
    "code": SignUps("by invitation code", "Whoever knows the invitation code may make an account."),
    "closed": SignUps("closed", "Nobody may make an account at present."),
}

# In the words of the index that has them in their order.
ACCOUNTS = (User.deleted_at.is_(None), User.guest_until.is_(None))


@bp.get("/people")
def people() -> ResponseReturnValue:
    """List people, those who came last first, or find somebody by name or address."""
    name = request.args.get("name", "").strip()
    found, more = (find_users(name), None) if name else _newest()
    return render_template("admin/people.html", people=found, name=name, more=more, guests=False)


@bp.get("/people/guests")
def guest_list() -> ResponseReturnValue:
    """List the guests who were seen last."""
    here = select(User).where(User.guest_until.is_not(None), User.deleted_at.is_(None))
    found = db.session.scalars(here.order_by(User.guest_until.desc()).limit(GUESTS_SHOWN))
    return render_template("admin/people.html", people=found.all(), name="", more=None, guests=True)


@bp.get("/sign-ups")
def sign_ups() -> ResponseReturnValue:
    """Show who may sign up, by which setting, and who came when."""
    found, more = _newest()
    return render_template(
        "admin/sign_ups.html",
        people=found,
        more=more,
        new=new_people(),
        days=LATELY.days,
        sign_ups=SIGN_UPS[current_app.config["SIGN_UP"]],
        guests=are_welcome(),
    )


def new_people() -> int:
    """Count who has signed up lately."""
    new = select(func.count()).where(*ACCOUNTS, User.created_at > now() - LATELY)
    return db.session.scalar(new) or 0


def _newest() -> tuple[list[User], int | None]:
    """Return one page of people with accounts, and after whom the next begins, if there is one."""
    place: Any = tuple_(User.created_at, User.id)
    found = select(User).where(*ACCOUNTS).order_by(User.created_at.desc(), User.id.desc())
    last = db.session.get(User, request.args.get("before", 0, row_number))
    if last is not None:
        found = found.where(place < tuple_(last.created_at, last.id))
    shown = list(db.session.scalars(found.limit(PEOPLE_ON_A_PAGE)))
    return shown, shown[-1].id if len(shown) == PEOPLE_ON_A_PAGE else None
