"""E-mail: to the address of the account."""

from flask import current_app, render_template

from stockpile_web.notify.composing import Message
from stockpile_web.notify.lanes import Lane
from stockpile_web.notify.smtp import compose, keep_for_administrator, smtp_send
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User

LABEL = "E-mail"
HINT = ""


def check(address: str) -> str:
    """Nothing is typed here: the address is the account's."""
    return ""


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return user.email or ""


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Send a mail with text and HTML, and a header by which one click ends them."""
    to = user.email or ""
    if not current_app.config["SMTP_HOST"]:
        # The administrator may sit at the same table: what only the reader may know is left out.
        text = render_template("mail/notice.txt", message=message, private=False)
        keep_for_administrator(to, message.subject, text, "No mail server is set up.")
        return "No mail server is set up here: kept for the administrator."
    mail = compose(
        to,
        message.subject,
        render_template("mail/notice.txt", message=message, private=True),
        render_template("mail/notice.html", message=message),
    )
    mail.replace_header("Message-ID", f"<{message.key}@{mail['From'].addresses[0].domain}>")
    mail["List-Unsubscribe"] = f"<{message.stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return smtp_send(mail)
