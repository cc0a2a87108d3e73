"""What a site needs around it: a mail server, the right time, a proxy, backups."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text

from stockpile_web.notify.failed import Failed
from stockpile_web.notify.smtp import check_server
from stockpile_web.upkeep import Refused, schedule
from stockpile_web.upkeep.backup import kind_of, sqlite_path
from stockpile_web.upkeep.doctor import Check, Finding, Settings
from stockpile_web.upkeep.postgres import connected

APART = 5.0  # Seconds by which two clocks may differ.
WRONG_CLOCK = "deadlines are wrong then. Have it set over the network (timedatectl set-ntp true)."


def mail(settings: Settings) -> Iterator[Finding]:
    """Sign in at the mail server."""
    if not settings["SMTP_HOST"]:
        text = "there is no mail server (SMTP_HOST): mails are kept for you at /admin/mail."
        yield Finding("note", "mail", text)
        return
    try:
        check_server(settings)
    except Failed as failed:
        text = f"{failed} Are SMTP_HOST, SMTP_PORT, SMTP_SECURITY and SMTP_USER right?"
        yield Finding("WRONG", "mail", text)
    else:
        yield Finding("ok", "mail", f"{settings['SMTP_HOST']} would take mails.")


def clock(settings: Settings) -> Iterator[Finding]:
    """Compare the clock with what else knows the time."""
    if kind_of(settings["DATABASE_URL"]) == "sqlite":
        path = sqlite_path(settings["DATABASE_URL"])
        ahead = path.stat().st_mtime - time.time() if path.exists() else 0.0
        if ahead > APART:
            text = f"it is {ahead:.0f} s behind the last change of the database; {WRONG_CLOCK}"
            yield Finding("WRONG", "clock", text)
            return
    else:
        apart = _from_postgres(settings["DATABASE_URL"])
        if abs(apart) > APART:
            text = f"it is {apart:.0f} s apart from that of the database; {WRONG_CLOCK}"
            yield Finding("WRONG", "clock", text)
            return
    now = datetime.now(UTC)
    if _is_synchronised() is False:
        yield Finding(
            "note", "clock", f"{now:%Y-%m-%d %H:%M} UTC, but nothing sets it. {WRONG_CLOCK}"
        )
    else:
        yield Finding("ok", "clock", f"{now:%Y-%m-%d %H:%M} UTC.")


def address(settings: Settings) -> Iterator[Finding]:
    """Links in mails, cookies and rate limits depend on these."""
    site, proxies = settings["SITE_URL"], settings["BEHIND_PROXY"]
    if not site:
        text = "SITE_URL is not set: set it to the address that people type."
        yield Finding("note", "address", text)
    elif site.startswith("https:") and not proxies:
        text = "SITE_URL is https, so a proxy must speak TLS for the server: set BEHIND_PROXY=1."
        yield Finding("WRONG", "address", text)
    elif site.startswith("http:"):
        text = f"{site} is without TLS: others on the way can read passwords and cards."
        yield Finding("note", "address", text)
    else:
        yield Finding("ok", "address", f"{site}, behind {proxies} of your own proxies.")


def backups(settings: Settings) -> Iterator[Finding]:
    """A site without backups is well until the day it is not."""
    is_postgres = kind_of(settings["DATABASE_URL"]) == "postgresql"
    if is_postgres and shutil.which("pg_dump") is None:
        text = "pg_dump is not installed (Debian: apt-get install postgresql-client)."
        yield Finding("WRONG" if settings["BACKUPS"] else "note", "backups", text)
    if not settings["BACKUPS"]:
        text = "none are made by themselves: set BACKUPS to a folder, best on another disk."
        yield Finding("note", "backups", text)
        return
    folder = Path(settings["BACKUPS"])
    # What is not there yet is made in whatever is.
    nearest = next(each for each in (folder, *folder.parents) if os.path.exists(each))
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        text = f"{nearest} cannot be written to by this account"
        text += "." if nearest == folder else f", so {folder} cannot be made."
        yield Finding("WRONG", "backups", text)
        return
    newest = max((path.stat().st_mtime for path in schedule.made_in(folder)), default=None)
    if newest is None:
        yield Finding("note", "backups", f"there is none in {folder} yet; the worker makes it.")
        return
    hours = (time.time() - newest) / 3600
    if hours > 2 * settings["BACKUP_HOURS"]:
        text = f"the last one is {hours:.0f} hours old: is the worker running? See /admin/backups."
        yield Finding("WRONG", "backups", text)
    else:
        yield Finding("ok", "backups", f"the last one is {hours:.0f} hours old.")


def _from_postgres(url: str) -> float:
    """Return by how many seconds our clock is ahead of the database's."""
    try:
        with connected(url) as connection:
            theirs = connection.scalar(text("select extract(epoch from clock_timestamp())"))
            return time.time() - float(theirs or 0)
    except Refused:  # Of which another line tells.
        return 0.0


def _is_synchronised() -> bool | None:
    """Tell whether the clock is set over the network; None if nobody knows."""
    program = shutil.which("timedatectl")
    if program is None:
        return None
    asked = subprocess.run(  # noqa: S603 (a program of the host's own)
        [program, "show", "--property=NTPSynchronized", "--value"],
        capture_output=True,
        text=True,
        check=False,
        timeout=5,
    )
    return {"yes": True, "no": False}.get(asked.stdout.strip())


CHECKS: tuple[Check, ...] = (mail, clock, address, backups)
