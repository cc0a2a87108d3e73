"""Mails about accounts: links to a new password, to confirm an address; that something was changed.

A request only leaves a row. Nobody who asks for a page waits for a mail server, and how long it
takes to answer tells nothing about who has an account.
"""

import logging
import secrets
from functools import partial

from flask import Flask, render_template

from stockpile_web.notify.failed import Failed
from stockpile_web.notify.smtp import DEFAULT_SITE, keep_for_administrator, send_mail
from stockpile_web.storage import mail_queue
from stockpile_web.storage.database import db
from stockpile_web.storage.due import retry_at
from stockpile_web.storage.models.people import (
    CHANGED,
    CONFIRM,
    LINK,
    LINK_ASKED,
    AccountMail,
    User,
)
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.trouble import insist
from stockpile_web.web.accounts import confirming, reset

# With the pauses between them these are 20 minutes; then the administrator can pass it on.
MOST_ATTEMPTS = 6

Mail = tuple[str, str, str]  # To whom, about what, and the text.

log = logging.getLogger(__name__)


def send_next(app: Flask) -> bool:
    """Send the mail that has waited longest; tell whether there was one."""
    me = secrets.token_hex(8)
    # Links begin with the site's own address, never with what a browser has claimed.
    with app.test_request_context(base_url=app.config["SITE_URL"] or DEFAULT_SITE):
        with writing() as tx:
            row = mail_queue.claim(tx, me)
        if row is None:
            return False
        try:
            _handle(me, row)
        except Exception as error:  # noqa: BLE001 (its words may hold a link: only its kind is said)
            log.error("A mail about an account could not be made: %s", type(error).__name__)
            db.session.rollback()
            later = partial(_try_later, me, row, "It could not be made.")
            insist(later, mail_queue.LEASE.total_seconds())
        return True


def _handle(me: str, row: AccountMail) -> None:
    if row.kind == LINK_ASKED:
        _find_accounts(me, row)
        return
    mail = _write(row)
    if mail is not None:
        try:
            send_mail(*mail)
        except Failed as failed:
            if not failed.for_good and row.attempts < MOST_ATTEMPTS:
                log.warning("A mail about an account could not be sent: %s", failed)
                _try_later(me, row, str(failed))
                return
            keep_for_administrator(*mail, f"The mail server refused: {failed}"[:200])
    # What was sent is not to be sent again only because the database is away.
    insist(partial(_remove, me, row), mail_queue.LEASE.total_seconds())


def _remove(me: str, row: AccountMail) -> None:
    with writing() as tx:
        mail_queue.remove(tx, me, row)


def _find_accounts(me: str, row: AccountMail) -> None:
    """Let each account that was named get a mail of its own."""
    found = [user.id for user in reset.accounts_of(row.to)]
    with writing() as tx:
        for user_id in found:
            mail_queue.write(tx, LINK, "", user_id=user_id)
        mail_queue.remove(tx, me, row)


def _write(row: AccountMail) -> Mail | None:
    """Put a mail into words; None if there is nobody any more to whom it could go."""
    if row.kind == CHANGED:
        text = render_template("mail/changed.txt", name=row.name, what=row.detail)
        return row.to, "Your account at Stockpile Web was changed", text
    user = db.session.get(User, row.user_id)
    if user is None or not user.email:
        return None
    to, name = user.email, user.display_name
    if row.kind == CONFIRM:
        if user.email_confirmed_at or to != row.to:
            return None
        text = render_template("mail/confirm.txt", name=name, link=confirming.link_for(user))
        return to, "Is this your address at Stockpile Web?", text
    assert row.kind == LINK
    with writing() as tx:
        link = reset.new_link(tx, user.id)
    text = render_template("mail/reset.txt", name=name, link=link)
    return to, "A new password for Stockpile Web", text


def _try_later(me: str, row: AccountMail, problem: str) -> None:
    with writing() as tx:
        if row.attempts < MOST_ATTEMPTS:
            mail_queue.put_off(tx, me, row, retry_at(row.attempts), problem)
        else:
            mail_queue.remove(tx, me, row)
