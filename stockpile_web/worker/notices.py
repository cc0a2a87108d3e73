"""The worker's first duty: leases notices that are due, and sends them.

Several workers, on one machine or many, share the work by the leases of the outbox.
"""

import logging
import secrets
import time

from flask import Flask

from stockpile_web.notify.sending import give_back, tell
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db
from stockpile_web.storage.transactions import writing

THREADS = 4
PERSONS = 4  # Leased at once by a thread.
DEFAULT_SITE = "http://127.0.0.1:8000"

log = logging.getLogger(__name__)


def work_once(app: Flask) -> int:
    """Lease and send some of what is due; return how many people were told."""
    me = secrets.token_hex(8)
    began = time.monotonic()
    # Links in messages begin with the site's own address, as if it had been asked for.
    with app.test_request_context(base_url=app.config["SITE_URL"] or DEFAULT_SITE):
        with writing() as tx:
            claimed = outbox.claim(tx, me, PERSONS)
        for user_id, notices in claimed.items():
            if time.monotonic() - began > outbox.LEASE.total_seconds() / 4:
                break  # The rest falls due again, for whoever is faster.
            try:
                tell(me, user_id, notices)
            except Exception:
                log.exception("Somebody could not be told")
                db.session.rollback()
                give_back(me, notices)
        return len(claimed)
