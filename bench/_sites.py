"""Sites with a great many matches that have ended, on both databases."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, Response, session
from flask.testing import FlaskClient
from sqlalchemy import text

from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.models import User
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import transaction
from stockpile_web.web import auth
from tests.support import many_matches, pgtest


@contextmanager
def sqlite() -> Iterator[str]:
    """Give the address of an empty SQLite database."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/bench.db"


@contextmanager
def postgres() -> Iterator[str]:
    """Give the address of an empty Postgres database."""
    with pgtest.server() as server:
        yield server.create("bench")


@contextmanager
def site(url: str, count: int) -> Iterator[Flask]:
    """Give an application on a database with so many matches."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(
            {"STOCKPILE_INSTANCE": folder, "DATABASE_URL": url, "SQLITE_SYNCHRONOUS": "OFF"}
        )
        migrate(app)
        with app.app_context():
            with transaction() as connection:
                many_matches.fill(connection, count)
                many_matches.add_up(connection)
                many_matches.fill_notices(connection)
            if db.engine.dialect.name == "postgresql":  # As autovacuum does, before long.
                with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as own:
                    own.execute(text("VACUUM ANALYZE"))
        yield app
        with app.app_context():
            db.engine.dispose()


def signed_in(app: Flask, name: str) -> FlaskClient:
    """Return a browser in which somebody is signed in."""
    with app.test_request_context():
        auth.sign_in(db.session.query(User).filter_by(name=name).one())
        answer = Response()
        app.session_interface.save_session(app, session, answer)
    client = app.test_client()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    client.set_cookie("session", cookie.removeprefix("session="))
    return client
