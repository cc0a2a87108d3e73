"""Problems that people have reported at a turn of a match."""

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select, update

from stockpile_web.games import GAMES
from stockpile_web.storage import audit
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Match, Report, User
from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.storage.transactions import writing
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.auth import me
from stockpile_web.web.security import row_number

REPORTS_ON_A_PAGE = 50


@bp.get("/reports")
def reports() -> ResponseReturnValue:
    """Show the problems that people have reported and that are not done, newest first."""
    name = func.coalesce(User.name, FORMER_PLAYER).label("name")
    found = (
        select(*Report.__table__.c, name, Match.game)
        .join(User, User.id == Report.user_id)
        .join(Match, Match.id == Report.match_id)
        .where(Report.done_at.is_(None))
        .order_by(Report.id.desc())
        .limit(REPORTS_ON_A_PAGE)
    )
    if before := request.args.get("before", 0, row_number):
        found = found.where(Report.id < before)
    rows = db.session.execute(found).mappings().all()
    shown = [{**row, "title": GAMES[row["game"]].TITLE} for row in rows]
    more = rows[-1]["id"] if len(rows) == REPORTS_ON_A_PAGE else None
    return render_template("admin/reports.html", reports=shown, more=more)


@bp.post("/reports/<int:report_id>/done")
def done(report_id: int) -> ResponseReturnValue:
    """Put a report away."""
    with writing() as tx:
        this = update(Report).where(Report.id == report_id, Report.done_at.is_(None))
        if tx.scalar(this.values(done_at=now()).returning(Report.id)) is not None:
            audit.note(tx, me().id, "report", f"number {report_id}")
    return redirect(url_for("admin.reports"), 303)
