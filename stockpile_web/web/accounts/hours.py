"""When I am awake, and when I am away: my clocks run only then, and stand still there."""

from datetime import date, timedelta

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.match.hours import hours_changed
from stockpile_web.match.waking_hours import EVERY_DAY, local_day
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User, Vacation
from stockpile_web.storage.transactions import advisory_lock, writing
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.auth import me, sign_in_needed

DAYS_A_YEAR = 30
FARTHEST = timedelta(days=730)
WEEKDAYS = dict(
    zip(
        EVERY_DAY,
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        strict=True,
    )
)
HOURS = {str(hour): hour for hour in range(24)}


@bp.get("/account/hours")
@sign_in_needed
def hours() -> ResponseReturnValue:
    """Show my waking hours and my vacations."""
    return _page({}, 200)


@bp.post("/account/hours")
@sign_in_needed
def change_hours() -> ResponseReturnValue:
    """Set when I am awake."""
    form = request.form
    begin, end = HOURS.get(form.get("begin", "")), HOURS.get(form.get("end", ""))
    days = "".join(day for day in WEEKDAYS if day in form.getlist("days"))
    if begin is None or end is None:
        return _page({"begin": "Choose an hour from each list."}, 422)
    if not days:
        return _page({"days": "Choose one day at least: on no day your turn would never end."}, 422)
    with writing() as tx:
        user = tx.get_one(User, me().id)
        user.awake_from, user.awake_to, user.awake_days = begin, end, days
    hours_changed(me().id)
    return _done("Your waking hours are set.")


@bp.post("/account/vacations")
@sign_in_needed
def add_vacation() -> ResponseReturnValue:
    """Announce a vacation, from tomorrow on at the earliest."""
    first, last = _day(request.form.get("first_day", "")), _day(request.form.get("last_day", ""))
    if first is None or last is None:
        return _page({"first_day": "Give the first and the last day of it."}, 422)
    with writing() as tx:
        advisory_lock(tx, f"vacations of {me().id}")
        mine = tx.scalars(select(Vacation).where(Vacation.user_id == me().id)).all()
        announced = [(v.first_day, v.last_day) for v in mine]
        # Sent again it may be because the clocks could not be set: then that is what is left to do.
        is_new = (first, last) not in announced
        error = what_is_wrong(first, last, _today(), announced) if is_new else None
        if is_new and not error:
            tx.add(Vacation(user_id=me().id, first_day=first, last_day=last))
    if error:
        return _page({"first_day": error}, 422)
    hours_changed(me().id)
    return _done("Your vacation is announced: your clocks will stand still.")


@bp.post("/account/vacations/<int:vacation_id>/end")
@sign_in_needed
def end_vacation(vacation_id: int) -> ResponseReturnValue:
    """Take back a vacation to come, or let the one I am on end today."""
    with writing() as tx:
        theirs = (Vacation.id == vacation_id, Vacation.user_id == me().id)
        vacation, today = tx.scalar(select(Vacation).where(*theirs)), _today()
        if vacation is None:
            pass  # Taken back before, it may be, and only the clocks could not be set.
        elif vacation.first_day > today:
            tx.delete(vacation)
        elif vacation.last_day > today:
            vacation.last_day = today
    hours_changed(me().id)
    return _done("That vacation is over, or will not be.")


def what_is_wrong(
    first: date, last: date, today: date, others: list[tuple[date, date]]
) -> str | None:
    """Say why these days cannot be a vacation, or None if they can."""
    if last < first:
        return "The last day comes before the first."
    if first <= today:
        return "A vacation begins tomorrow at the earliest: let a bot play for you until then."
    if last > today + FARTHEST:
        return "That is too far away: two years ahead are enough."
    if any(first <= end and begin <= last for begin, end in others):
        return "You have announced some of these days already."
    for year in range(first.year, last.year + 1):
        left = days_left(year, others)
        wanted = _days_in(year, first, last)
        if wanted > left:
            return f"Of the {DAYS_A_YEAR} days of {year} you have {left} left; these are {wanted}."
    return None


def days_left(year: int, vacations: list[tuple[date, date]]) -> int:
    """Return how many days of vacation somebody has left in a year."""
    return DAYS_A_YEAR - sum(_days_in(year, first, last) for first, last in vacations)


def _days_in(year: int, first: date, last: date) -> int:
    first, last = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (last - first).days + 1)


def _page(errors: dict[str, str], status: int) -> ResponseReturnValue:
    user = db.session.get_one(User, me().id)
    today = _today()
    mine = select(Vacation).where(Vacation.user_id == user.id, Vacation.last_day >= today)
    coming = db.session.scalars(mine.order_by(Vacation.first_day)).all()
    everything = db.session.execute(
        select(Vacation.first_day, Vacation.last_day).where(Vacation.user_id == user.id)
    )
    taken = [(first, last) for first, last in everything]
    page = render_template(
        "accounts/hours.html",
        errors=errors,
        user=user,
        weekdays=WEEKDAYS,
        vacations=coming,
        today=today,
        left={year: days_left(year, taken) for year in (today.year, today.year + 1)},
        days_a_year=DAYS_A_YEAR,
    )
    return page, status


def _done(sentence: str) -> ResponseReturnValue:
    flash(sentence)
    return redirect(url_for("accounts.hours"), 303)


def _today() -> date:
    return local_day(now(), me().time_zone)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
