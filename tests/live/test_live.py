"""Live updates: the bus on both databases, and the stream without gunicorn."""

import gc
import gzip
import re
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import URL, Engine, create_engine, make_url, text
from sqlalchemy.orm import Session

from stockpile_web import live
from stockpile_web.live import Brought, Source
from stockpile_web.live.audiences import Version
from stockpile_web.live.bus import Bus, open_bus
from stockpile_web.live.hub import Hub
from stockpile_web.web.http_cache import without_comments
from tests.support import live_app, pgtest
from tests.support.live_site import wait_until


@pytest.fixture(scope="module")
def postgres_url(postgres: pgtest.Server) -> str:
    url = postgres.create("live")
    live_app.create_tables(url)
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path) -> Iterator[Engine]:
    """A database with matches, as another process would have it open."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/a b?.db".replace("?", "%3F")
        live_app.create_tables(url)
    else:
        url = request.getfixturevalue("postgres_url")
    engine = create_engine(url)
    yield engine
    engine.dispose()


class Ear:
    """Stands in for the hub: watches match 1 and remembers what it was told."""

    def __init__(self, url: URL) -> None:
        self.matches = [1]
        self.sources: set[Source] = set()
        self.told: list[Mapping[int, Version]] = []
        self.gone: list[set[Source]] = []
        self.bus: Bus = open_bus(url, self)

    def begin(self) -> "Ear":
        """Let the bus run, and wait until it has read what is watched."""
        self.bus.start()
        wait_until(lambda: bool(self.told))
        return self

    def watched(self) -> list[int]:
        return self.matches

    def tell(self, versions: Mapping[int, Version]) -> None:
        self.told.append(versions)

    def guarded(self) -> set[Source]:
        return self.sources

    def let_go(self, sources: set[Source]) -> None:
        self.sources -= sources
        self.gone.append(sources)

    def wait_for(self, version: Version) -> None:
        wait_until(lambda: self.told[-1] == {1: version})


@pytest.fixture
def ear(database) -> Iterator[Ear]:
    ear = Ear(database.url).begin()
    yield ear
    ear.bus.close()


def move(engine: Engine, match_id: int = 1) -> Version:
    """Change a match in a transaction of its own and return its version."""
    with Session(engine) as session:
        change = text('UPDATE "match" SET version = version + 1 WHERE id = :id')
        session.execute(change, {"id": match_id})
        live.notify_in(session.connection(), match_id)
        read = text('SELECT version, table_version FROM "match" WHERE id = :id')
        moves, words = session.execute(read, {"id": match_id}).one()
        session.commit()
        return moves, words


def test_a_commit_of_another_process_is_heard(ear, database):
    for _ in range(3):
        ear.wait_for(move(database))


def test_what_is_rolled_back_is_not_told(ear, database):
    with Session(database) as session:
        session.execute(text('UPDATE "match" SET version = 999 WHERE id = 1'))
        live.notify_in(session.connection(), 1)
        session.rollback()
    ear.wait_for(move(database))
    assert all(versions[1][0] < 999 for versions in ear.told)


def test_a_match_nobody_watches_is_not_read(ear, database):
    move(database, match_id=2)
    ear.wait_for(move(database))
    assert all(set(versions) == {1} for versions in ear.told)


def test_a_match_can_be_looked_at_without_news_of_it(ear):
    ear.matches.append(2)
    ear.bus.look(2)
    wait_until(lambda: any(2 in versions for versions in ear.told))


def test_a_change_made_while_the_connection_was_cut_is_still_told(postgres_url):
    engine = create_engine(postgres_url)
    ear = Ear(engine.url).begin()
    with engine.begin() as connection:
        cut = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name"
        )
        assert connection.execute(text(cut), {"name": "stockpile-live"}).all() == [(True,)]
        connection.execute(text('UPDATE "match" SET version = version + 1 WHERE id = 1'))
    with engine.connect() as connection:
        version = connection.execute(text('SELECT version FROM "match" WHERE id = 1')).scalar_one()
    ear.wait_for((version, 0))
    ear.bus.close()
    engine.dispose()


def test_a_database_that_cannot_be_read_is_tried_again(tmp_path, caplog):
    url = make_url(f"sqlite:///{tmp_path}/late.db")
    ear = Ear(url)
    ear.bus.start()
    wait_until(lambda: "trying until it works" in caplog.text)
    live_app.create_tables(str(url))
    wait_until(lambda: ear.told == [{1: (0, 0)}])
    ear.bus.close()


def test_sqlite_is_left_in_peace_while_nobody_watches(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path}/live.db"
    live_app.create_tables(url)
    connect = sqlite3.connect
    asked: list[str] = []

    def traced(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.set_trace_callback(asked.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    ear = Ear(make_url(url))
    ear.matches.clear()
    ear.bus.start()
    wait_until(lambda: len(asked) == 1)
    time.sleep(0.2)
    assert len(asked) == 1
    ear.matches.append(1)
    ear.bus.look(1)
    wait_until(lambda: len(asked) > 4)
    ear.bus.close()


@pytest.fixture
def app(tmp_path) -> Iterator[Flask]:
    url = f"sqlite:///{tmp_path}/live.db"
    live_app.create_tables(url)
    app = live_app.create_app(url, fallback_streams=2)
    yield app
    app.extensions["live"].close()
    with app.app_context():
        app.extensions["sqlalchemy"].engine.dispose()


def test_without_gunicorn_a_thread_copies_the_stream(app):
    client = app.test_client()
    response = client.get("/table/1/events")
    assert response.mimetype == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    heard = response.iter_encoded()
    assert re.fullmatch(rb"retry: \d+\n\n", next(heard))
    assert next(heard) == b"event: state\ndata: 0.0\n\n"
    client.post("/move/1")
    assert next(heard) == b"event: state\ndata: 1.0\n\n"
    response.close()


def test_streams_that_hold_a_thread_are_few_and_their_places_are_given_back(app):
    client, hub = app.test_client(), app.extensions["live"].hub()
    open_ones = [client.get("/table/1/events") for _ in range(2)]
    for response in open_ones:
        heard = response.iter_encoded()
        assert [next(heard), next(heard)]
    refused = client.get("/table/1/events")
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    for response in open_ones:
        response.close()
    wait_until(lambda: hub.count() == 0)
    for _ in range(5):
        response = client.get("/table/1/events")
        assert response.status_code == 200
        response.close()


def test_no_stream_is_opened_when_descriptors_run_out(app, monkeypatch):
    monkeypatch.setattr(Hub, "has_room", lambda self: False)
    assert app.test_client().get("/table/1/events").status_code == 503


@pytest.mark.parametrize("why", ["a HEAD", "no room", "gone before it began"])
def test_of_a_stream_that_never_begins_nothing_is_kept(app, monkeypatch, why):
    source = Source("a stranger", lambda *_: Brought(None, None))
    kept = weakref.ref(source)
    if why == "no room":
        monkeypatch.setattr(Hub, "has_room", lambda self: False)
    with app.test_request_context(method="HEAD" if why == "a HEAD" else "GET"):
        live.stream(1, "a key", source, "what the page shows").close()
    del source
    wait_until(lambda: gc.collect() >= 0 and kept() is None)


def test_a_head_of_a_stream_is_answered_without_one(app):
    answer = app.test_client().head("/table/1/events")
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert not [t for t in threading.enumerate() if t.name.startswith("live-")]


def test_a_move_that_nobody_watches_starts_no_thread(app):
    app.test_client().post("/move/1")
    assert not [t for t in threading.enumerate() if t.name.startswith("live-")]


def test_the_script_of_every_page_is_smaller_than_one_and_a_half_kilobytes():
    script = Path(live_app.STATIC, "live.js").read_bytes()
    assert len(gzip.compress(without_comments(script, "text/javascript"))) < 1536
