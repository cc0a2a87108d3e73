"""The first page of administrators: how the site is, at a glance, and the way to all the rest."""

from flask import current_app, render_template
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import KeptMail, Match, Report
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.models.upkeep import ONLY, ScheduledBackup
from stockpile_web.upkeep.backup_file import own_version
from stockpile_web.web import http_cache
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.admin.people import LATELY, SIGN_UPS, new_people
from stockpile_web.web.admin.queues import (
    LOOKED_AT,
    mails_waiting,
    not_taken_lately,
    notices_not_queued,
    waiting_by_channel,
)
from stockpile_web.web.admin.rules import held_tables, versions_in_use


@bp.get("")
def start() -> ResponseReturnValue:
    """Show how the site is."""
    versions, channels = versions_in_use(), waiting_by_channel()
    open_reports = select(func.count()).where(Report.done_at.is_(None))
    kept = select(func.count()).select_from(KeptMail)
    halted = select(func.count()).where(Match.status == PLAYING, Match.halted_for != "")
    return render_template(
        "admin/start.html",
        sign_ups=SIGN_UPS[current_app.config["SIGN_UP"]],
        new=new_people(),
        days=LATELY.days,
        running=sum(each.running for each in versions),
        held=len(held_tables()),
        halted=db.session.scalar(halted),
        reports=db.session.scalar(open_reports),
        kept=db.session.scalar(kept),
        mails=mails_waiting(),
        waiting=notices_not_queued() + sum(each.waiting for each in channels),
        tried=sum(each.tried for each in channels),
        failed=not_taken_lately(),
        looked_at=LOOKED_AT,
        backup=db.session.get(ScheduledBackup, ONLY),
        backups=current_app.config["BACKUPS"],
        version=own_version(),
        build=http_cache.build(),
    )
