"""Notices: queues those that are due for their channels, and sends what is on the queues.

Several workers, on one machine or many, share the work by the leases of the queue.
"""

import logging
import secrets
import time
from functools import partial

from flask import Flask

from stockpile_web.notify.lanes import Lane
from stockpile_web.notify.queueing import queue_due
from stockpile_web.notify.sending import deliver, give_back, give_back_untried
from stockpile_web.notify.smtp import DEFAULT_SITE
from stockpile_web.storage import send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.trouble import insist, trouble_in

log = logging.getLogger(__name__)


def queue_once(app: Flask) -> int:
    """Queue some of what is due; return of how many people."""
    with app.app_context(), writing() as tx:
        return queue_due(tx, now())


def send_once(lane: Lane, app: Flask) -> int:
    """Lease and send some of what is due in a lane; return how many messages that were."""
    me = secrets.token_hex(8)
    began = time.monotonic()
    # Links in messages begin with the site's own address, as if it had been asked for.
    with app.test_request_context(base_url=app.config["SITE_URL"] or DEFAULT_SITE):
        with writing() as tx:
            batches = send_queue.claim(
                tx, me, lane.name, lane.batch, failing_last=lane.failing_last
            )
        for batch in batches:
            if time.monotonic() - began > send_queue.LEASE.total_seconds() / 4:
                break  # The rest falls due again, for whoever is faster.
            try:
                deliver(me, lane, batch)
            except Exception as error:
                give = give_back_untried
                if trouble_in(error) is None:
                    log.exception("A message could not be sent")
                    give = give_back
                db.session.rollback()
                # Otherwise it would wait for the end of its lease.
                insist(partial(give, me, lane, batch), send_queue.LEASE.total_seconds() / 4)
        return len(batches)
