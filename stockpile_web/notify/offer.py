"""Whom to offer a way to be told of their turns: whoever wants to hear of them and has none."""

from flask import current_app
from sqlalchemy import Connection, and_, bindparam, exists, false, func, select
from sqlalchemy.orm import Session

from stockpile_web.notify import recipients
from stockpile_web.notify.channels import channels_here
from stockpile_web.storage.models.notices import EVENTS, OFF, TURN, Channel, Choice, PushDevice
from stockpile_web.storage.models.people import User

# A row for each channel, and one without if there is none. Every page of a table asks, so it is one
# statement and no objects.
_REACHED = (
    select(
        func.coalesce(Choice.events, " ".join(EVENTS)).label("events"),
        func.coalesce(Choice.no_offer, false()).label("no_offer"),
        User.email_confirmed_at.is_not(None).label("has_mail"),
        exists().where(PushDevice.user_id == User.id).label("has_device"),
        Channel.kind,
        and_(Channel.use != OFF, Channel.failures < recipients.TOO_MANY_FAILURES).label("works"),
    )
    .outerjoin(Choice, Choice.user_id == User.id)
    .outerjoin(Channel, Channel.user_id == User.id)
    .where(User.id == bindparam("user_id"))
)


def is_due(connection: Connection, user_id: int) -> bool:
    """Tell whether nothing reaches a person who would like to know of their turns."""
    rows = connection.execute(_REACHED, {"user_id": user_id}).all()
    known = rows[0]
    if known.no_offer or TURN not in known.events.split():
        return False
    works = {"mail": True} | {row.kind: row.works for row in rows}  # Mail needs no row.
    leads_there = {
        "mail": known.has_mail and current_app.config["SMTP_HOST"],  # Else it reaches the host.
        "push": known.has_device,
    }
    return not any(works.get(kind) and leads_there.get(kind, True) for kind in channels_here())


def put_away(session: Session, user_id: int) -> None:
    """Offer this person nothing any more."""
    recipients.stored_choice(session, user_id).no_offer = True
