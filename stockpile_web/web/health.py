"""Is the server well? For load balancers and monitors, who need no name, no page and no table.

`/health` says that this process answers; `/ready` that it can do its work. Neither tells a stranger
more than that: what is wrong stands in the log.
"""

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from pathlib import Path
from threading import Lock

from flask import Blueprint, Response, current_app
from sqlalchemy import Engine

from stockpile_web.storage import worker_seen
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import is_at, newest_migration

log = logging.getLogger(__name__)

bp = Blueprint("health", __name__)

PATIENCE = 2.0  # Seconds within which the database must answer.


class DatabaseCheck:
    """Asks the database one question at a time: if it hangs, so does one thread and no more."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked: Future[bool] | None = None
        self._thread: ThreadPoolExecutor | None = None

    def ask(self, engine: Engine) -> str:
        """Return what is wrong with the database, or nothing."""
        with self._lock:
            if self._asked is None or self._asked.done():
                # Not before it is needed: a thread does not survive a fork.
                self._thread = self._thread or ThreadPoolExecutor(1, "ready")
                self._asked = self._thread.submit(_is_up_to_date, engine)
            asked = self._asked
        try:
            return "" if asked.result(PATIENCE) else "the database is of another version"
        except TooLate:
            return "the database does not answer"
        except Exception as error:  # noqa: BLE001 (whatever it is, it is not well)
            log.warning("Not ready: %s", type(error).__name__)
            return "the database cannot be asked"


_database = DatabaseCheck()


@bp.get("/health")
def health() -> Response:
    """Say that this process answers, and ask nobody else."""
    return _plain("well")


@bp.get("/ready")
def ready() -> Response:
    """Say whether the site works: its database, and the worker that it has started."""
    wrong = _database.ask(db.engine) or _worker_problem()
    return _plain(wrong or "ready", 503 if wrong else 200)


def _worker_problem() -> str:
    """Say so if our own worker was not seen; one that runs elsewhere is not ours to judge."""
    if current_app.config["WORKER"] != "on":
        return ""
    seen = worker_seen.seconds_ago(Path(current_app.instance_path))
    return "" if seen is not None and seen < worker_seen.SILENT_SECONDS else "the worker is silent"


def _is_up_to_date(engine: Engine) -> bool:
    with engine.connect() as connection:
        return is_at(connection, newest_migration())


def _plain(said: str, status: int = 200) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(f"{said}\n", status, headers, content_type="text/plain; charset=utf-8")
