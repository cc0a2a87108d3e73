"""Guests who have not been seen for two weeks are removed."""

import logging

from flask import Flask
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from stockpile_web.match import removal
from stockpile_web.people.guests import STAYS
from stockpile_web.storage.database import db, now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.trouble import trouble_in

NEXT = earliest(User.guest_until)

log = logging.getLogger(__name__)


def remove_next(app: Flask) -> bool:
    """Remove the guest who is due first; tell whether there was one.

    Two workers may be at the same one: what one has removed, the other does not find.
    """
    with app.app_context():
        due = select(User).where(User.guest_until <= now())
        guest = db.session.scalar(due.order_by(User.guest_until).limit(1))
        if guest is None:
            return False
        db.session.expunge(guest)  # A copy, which no transaction changes.
        try:
            removal.remove(guest)
        except Exception as error:  # Whatever is wrong with one, the other guests must not wait.
            if isinstance(error, SQLAlchemyError) or trouble_in(error):
                raise
            log.exception("Guest %s cannot be removed", guest.id)
            with writing() as tx:
                later = update(User).where(User.id == guest.id)
                tx.execute(later.values(guest_until=now() + STAYS))
        return True
