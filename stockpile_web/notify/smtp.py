"""Mail: sent by SMTP, or kept for the administrator where there is no mail server."""

import logging
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email import policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Any

from flask import current_app, request
from sqlalchemy import delete, select

from stockpile_web.notify.failed import Failed
from stockpile_web.storage.database import now
from stockpile_web.storage.models import KeptMail
from stockpile_web.storage.transactions import writing

# How links in mails begin where SITE_URL is empty: what a browser claims might lead anywhere.
# Whoever administers the site sees them with the address that they came by.
DEFAULT_SITE = "http://127.0.0.1:8000"
KEEP = 200
TIMEOUT = 20
# A header longer than a line would be written in code words, but mail programs that unsubscribe for
# their reader look for a plain address. This is as long as a line may be.
LONG_LINES = policy.default.clone(max_line_length=990)

log = logging.getLogger(__name__)


def send_mail(to: str, subject: str, text: str) -> None:
    """Send a mail; raise Failed if it is not taken. Not inside a writing() block."""
    if current_app.config["SMTP_HOST"]:
        smtp_send(compose(to, subject, text, None))
    else:
        keep_for_administrator(to, subject, text, "No mail server is set up.")


def site_url() -> str:
    """Return how links begin on pages and in feeds; those in mails are made by a worker."""
    return str(current_app.config["SITE_URL"]) or request.url_root.rstrip("/")


def compose(to: str, subject: str, text: str, html: str | None) -> EmailMessage:
    """Return a mail from this site."""
    mail = EmailMessage(LONG_LINES)
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


class _Answering(smtplib.SMTP):
    """Keeps what the server says when it has taken a mail."""

    answer = ""

    def data(self, msg: Any) -> tuple[int, bytes]:
        code, words = super().data(msg)
        self.answer = f"{code} {words.decode(errors='replace')}"
        return code, words


class _AnsweringOverTls(_Answering, smtplib.SMTP_SSL):
    """The same, where the way is encrypted from the start."""


def smtp_send(mail: EmailMessage) -> str:
    """Give a mail to the mail server and return its answer; raise Failed if it is not taken."""
    with _in_words(), _signed_in(current_app.config) as connection:
        connection.send_message(mail)
        return connection.answer


def check_server(config: Mapping[str, Any]) -> None:
    """Sign in at the mail server and send nothing; raise Failed if that cannot be done."""
    with _in_words(), _signed_in(config) as connection:
        connection.noop()


@contextmanager
def _in_words() -> Iterator[None]:
    """Say as Failed what goes wrong at the mail server."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as error:
        code, words = next(iter(error.recipients.values()))
        raise _failed(code, words) from None
    except smtplib.SMTPResponseException as error:
        raise _failed(error.smtp_code, error.smtp_error) from None
    except ssl.SSLError as error:
        said = f"The mail server is not safe to connect to: {error.reason}"
        raise Failed(said, for_good=False) from None
    except (OSError, smtplib.SMTPException) as error:
        raise Failed(f"The mail server cannot be reached: {error}", for_good=False) from None


def _failed(code: int, words: bytes | str) -> Failed:
    said = words.decode(errors="replace") if isinstance(words, bytes) else words
    return Failed(f"{code} {said}", for_good=500 <= code < 600)


@contextmanager
def _signed_in(config: Mapping[str, Any]) -> Iterator[_Answering]:
    place = (config["SMTP_HOST"], config["SMTP_PORT"])
    if config["SMTP_SECURITY"] == "tls":
        context = ssl.create_default_context()
        connection: _Answering = _AnsweringOverTls(*place, timeout=TIMEOUT, context=context)
    else:
        connection = _Answering(*place, timeout=TIMEOUT)
    with connection:
        if config["SMTP_SECURITY"] == "starttls":
            connection.starttls(context=ssl.create_default_context())
        if config["SMTP_USER"]:
            connection.login(config["SMTP_USER"], config["SMTP_PASSWORD"])
        yield connection


def keep_for_administrator(to: str, subject: str, text: str, reason: str) -> None:
    """Keep a mail for the administrator. Not inside a writing() block."""
    # Never its text: a link to a new password would be in every log.
    log.warning("A mail to %s is kept for the administrator: %s", to, reason)
    mail = KeptMail(to=to, subject=subject, text=text, reason=reason, created_at=now())
    with writing() as tx:
        tx.add(mail)
        tx.flush()
        newest = select(KeptMail.id).order_by(KeptMail.id.desc()).limit(KEEP)
        tx.execute(delete(KeptMail).where(KeptMail.id.not_in(newest)))
