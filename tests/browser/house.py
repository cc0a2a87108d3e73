"""The real site as its host runs it, and an application on the same database to set scenes with."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from flask import Flask
from sqlalchemy import select

from stockpile_web import create_app
from stockpile_web.cli import GUNICORN
from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat, User
from tests.conftest import FAST
from tests.support.live_site import free_port, wait_until

SETTINGS = {"SECRET_KEY": str(FAST["SECRET_KEY"]), "SQLITE_SYNCHRONOUS": "OFF", "DATABASE_URL": ""}


class House:
    """A gunicorn that serves the site, and `app`, which changes the database behind its back."""

    def __init__(self, folder: Path, served: str = "wsgi:app", **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        places = {"STOCKPILE_INSTANCE": str(folder), "PYTHONPATH": str(ROOT), **settings}
        command = [*GUNICORN, "-c", "gunicorn.conf.py"]
        command += ["--bind", f"127.0.0.1:{self.port}", "--log-level", "warning", served]
        self.process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **SETTINGS, **places})
        own = {**FAST, **SETTINGS, "STOCKPILE_INSTANCE": str(folder), **settings}
        self.app: Flask = create_app(own)

    def is_up(self) -> bool:
        """Tell whether the site answers; a server that has ended never will."""
        assert self.process.poll() is None, "gunicorn did not start"
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", "/sign-in")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def mark(self, match_id: int) -> str:
        """Return the version that pages of this match should show."""
        with self.app.app_context():
            match = db.session.get_one(Match, match_id)
            return f"{match.version}.{match.table_version}"

    def moves_made(self, match_id: int, name: str) -> int:
        """Return how many moves somebody has made at a table."""
        with self.app.app_context():
            theirs = select(Seat.moves_made).join(User)
            return db.session.scalars(
                theirs.where(Seat.match_id == match_id, User.name == name)
            ).one()

    def on_turn(self, match_id: int) -> list[str]:
        """Return the names of the people who are to move."""
        with self.app.app_context():
            names = select(User.name).join(Seat).where(Seat.match_id == match_id, Seat.on_turn)
            return list(db.session.scalars(names))


@contextmanager
def open_house(folder: Path, served: str = "wsgi:app", **settings: str) -> Iterator[House]:
    """Start the site, and stop it in the end."""
    house = House(folder, served, **settings)
    try:
        wait_until(house.is_up, seconds=60)
        yield house
    finally:
        house.process.terminate()
        house.process.wait(30)
        with house.app.app_context():
            db.engine.dispose()
