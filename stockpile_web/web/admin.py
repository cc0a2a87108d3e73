"""Pages for the administrator; for everybody else they are not there."""

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select, update

from stockpile_web.games import GAMES
from stockpile_web.match.rules_versions import can_be_carried_on
from stockpile_web.notify.smtp import DEFAULT_SITE
from stockpile_web.storage import audit, names
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import KeptMail, Match, Report, User
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.models.notices import BROKEN, Notice
from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.storage.models.upkeep import ONLY, ScheduledBackup
from stockpile_web.storage.transactions import writing
from stockpile_web.web import broken
from stockpile_web.web.auth import me, someone
from stockpile_web.web.security import row_number

bp = Blueprint("admin", __name__, url_prefix="/admin")

REPORTS_ON_A_PAGE = 50
LINES_ON_A_PAGE = 100
BROKEN_ON_A_PAGE = 50


@bp.before_request
def _administrators_only() -> None:
    user = someone()
    if user is None or not user.is_admin:
        abort(404)


@bp.get("/mail")
def mail() -> ResponseReturnValue:
    """Show the mails that could not be sent, newest first."""
    mails = db.session.scalars(select(KeptMail).order_by(KeptMail.id.desc())).all()
    # Without SITE_URL the server does not know its address; whoever reads this page does.
    here = request.url_root.rstrip("/")
    texts = {mail.id: mail.text.replace(DEFAULT_SITE, here) for mail in mails}
    return render_template("admin/mail.html", mails=mails, texts=texts)


@bp.get("/held")
def held() -> ResponseReturnValue:
    """List the matches that wait for rules which this server does not have, or cannot be read."""
    running = select(Match.id, Match.game, Match.rules_version).where(Match.status == PLAYING)
    held = {
        match_id: version
        for match_id, game, version in db.session.execute(running.order_by(Match.id))
        if not can_be_carried_on(GAMES[game], version)
    }
    told = select(Notice.match_id).where(Notice.user_id == me().id, Notice.event == BROKEN)
    newest = db.session.scalars(told.order_by(Notice.id.desc()).limit(BROKEN_ON_A_PAGE)).all()
    tables = [broken.look(number) for number in dict.fromkeys([*newest, *held])]
    shown = [table for table in tables if table is not None]
    return render_template("admin/held.html", tables=shown, versions=held)


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


@bp.get("/backups")
def backups() -> ResponseReturnValue:
    """Show when the site was last saved by itself, and what is wrong if it was not."""
    row = db.session.get(ScheduledBackup, ONLY)
    config = current_app.config
    return render_template(
        "admin/backups.html",
        row=row,
        size=f"{row.size / 1_000_000:.1f} MB" if row else "",
        folder=config["BACKUPS"],
        hours=config["BACKUP_HOURS"],
        kept=config["BACKUPS_KEPT"],
    )


@bp.get("/audit")
def show_audit() -> ResponseReturnValue:
    """Show what people did to their accounts, and administrators to the site, newest first."""
    name, whose = request.args.get("name", "").strip(), None
    if name:
        same = select(User.id).where(User.name_key == names.key_of(name))
        whose = db.session.scalar(same) or 0
    before = request.args.get("before", audit.NEWEST, row_number)
    lines = audit.read(db.session(), LINES_ON_A_PAGE, before=before, user_id=whose)
    more = lines[-1].row.id if len(lines) == LINES_ON_A_PAGE else None
    return render_template("admin/audit.html", lines=lines, name=name, more=more)
