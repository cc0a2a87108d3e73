"""Mail: sent by SMTP, or kept for the administrator where there is no mail server."""

import logging
import smtplib
import ssl
import threading
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Any

from flask import Flask, current_app, request
from sqlalchemy import delete, select

from stockpile_web.database import now, writing
from stockpile_web.models import KeptMail

KEEP = 200

log = logging.getLogger(__name__)


def send_mail(to: str, subject: str, text: str, html: str | None = None) -> None:
    """Send a mail, or keep it if it cannot be sent. Not inside a writing() block."""
    if not current_app.config["SMTP_HOST"]:
        _keep(to, subject, text, "No mail server is set up.")
        return
    try:
        _hand_over(_compose(to, subject, text, html))
    except (OSError, smtplib.SMTPException) as error:
        log.warning("A mail could not be sent: %s", error)
        _keep(to, subject, text, f"The mail server refused: {error}"[:200])


def in_background(job: Callable[..., None], *args: Any) -> None:
    """Run `job` beside the request: how long it takes must not tell what it found to do."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]

    def run() -> None:
        with app.app_context():
            try:
                job(*args)
            except Exception:
                log.exception("%s failed", job.__name__)

    thread = threading.Thread(target=run)
    thread.start()
    if app.testing:
        thread.join()


def site_url() -> str:
    """Return how links in mails begin."""
    return str(current_app.config["SITE_URL"]) or request.url_root.rstrip("/")


def _compose(to: str, subject: str, text: str, html: str | None) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = current_app.config["SMTP_FROM"]
    mail["To"] = to
    mail["Subject"] = subject
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain=mail["From"].addresses[0].domain or None)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    if html is not None:
        mail.add_alternative(html, subtype="html")
    return mail


def _hand_over(mail: EmailMessage) -> None:
    config = current_app.config
    place = (config["SMTP_HOST"], config["SMTP_PORT"])
    if config["SMTP_SECURITY"] == "tls":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            *place, timeout=20, context=ssl.create_default_context()
        )
    else:
        connection = smtplib.SMTP(*place, timeout=20)
    with connection:
        if config["SMTP_SECURITY"] == "starttls":
            connection.starttls(context=ssl.create_default_context())
        if config["SMTP_USER"]:
            connection.login(config["SMTP_USER"], config["SMTP_PASSWORD"])
        connection.send_message(mail)


def _keep(to: str, subject: str, text: str, reason: str) -> None:
    log.warning("Mail kept for the administrator, to %s: %s\n%s", to, subject, text)
    mail = KeptMail(to=to, subject=subject, text=text, reason=reason, created_at=now())
    with writing() as tx:
        tx.add(mail)
        tx.flush()
        newest = select(KeptMail.id).order_by(KeptMail.id.desc()).limit(KEEP)
        tx.execute(delete(KeptMail).where(KeptMail.id.not_in(newest)))
