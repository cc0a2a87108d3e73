"""What an administrator reads of the site itself: mails that were kept, backups, and the log."""

from flask import current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, select

from stockpile_web.notify.smtp import DEFAULT_SITE
from stockpile_web.storage import audit, names
from stockpile_web.storage.database import db
from stockpile_web.storage.models import KeptMail, User
from stockpile_web.storage.models.upkeep import ONLY, ScheduledBackup
from stockpile_web.storage.transactions import writing
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.auth import me
from stockpile_web.web.security import row_number

LINES_ON_A_PAGE = 100


@bp.get("/mail")
def mail() -> ResponseReturnValue:
    """Show the mails that could not be sent, newest first."""
    mails = db.session.scalars(select(KeptMail).order_by(KeptMail.id.desc())).all()
    # Without SITE_URL the server does not know its address; whoever reads this page does.
    here = request.url_root.rstrip("/")
    texts = {mail.id: mail.text.replace(DEFAULT_SITE, here) for mail in mails}
    return render_template("admin/mail.html", mails=mails, texts=texts)


@bp.post("/mail/<int:mail_id>/remove")
def remove_mail(mail_id: int) -> ResponseReturnValue:
    """Throw away a mail that was passed on, or that nobody needs."""
    with writing() as tx:
        gone = delete(KeptMail).where(KeptMail.id == mail_id).returning(KeptMail.id)
        if tx.scalar(gone) is not None:
            audit.note(tx, me().id, "dropped", "a mail that was kept")
    flash("That mail is removed.")
    return redirect(url_for("admin.mail"), 303)


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
