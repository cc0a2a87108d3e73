"""/health and /ready: what a load balancer asks, and when it is told no."""

import os
import time
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Engine

from stockpile_web.storage import worker_seen
from stockpile_web.web import health


@pytest.fixture
def ready(app, monkeypatch):
    """Ask whether the site is ready, of an application whose worker was just seen."""
    monkeypatch.setattr(health, "_database", health.DatabaseCheck())
    worker_seen.note(Path(app.instance_path))

    def ask():
        answer = app.test_client().get("/ready")
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.status_code, answer.text

    return ask


def test_a_process_that_answers_is_well_whatever_the_database_does(app, monkeypatch):
    def gone(*_):
        raise AssertionError("the database was asked")

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "connect", gone)
        answer = app.test_client().get("/health")
    assert (answer.status_code, answer.text) == (200, "well\n")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_a_site_with_its_database_and_its_worker_is_ready(ready):
    assert ready() == (200, "ready\n")


def test_a_worker_that_was_not_seen_for_a_minute_is_silent(app, ready):
    path = Path(app.instance_path) / worker_seen.FILE
    long_ago = time.time() - worker_seen.SILENT_SECONDS - 1
    os.utime(path, (long_ago, long_ago))
    assert ready() == (503, "the worker is silent\n")
    path.unlink()
    assert ready() == (503, "the worker is silent\n")
    app.config["WORKER"] = "off"  # It runs elsewhere, if at all.
    assert ready() == (200, "ready\n")


def test_a_database_of_another_version_is_not_ready(ready, monkeypatch):
    monkeypatch.setattr(health, "newest_migration", lambda: "9999")
    assert ready() == (503, "the database is of another version\n")


def test_a_database_that_fails_is_not_ready_and_strangers_are_not_told_why(ready, monkeypatch):
    def fail(*_):
        raise OSError("host db.example.org, password hunter2")

    monkeypatch.setattr(health, "is_at", fail)
    assert ready() == (503, "the database cannot be asked\n")


def test_a_database_that_hangs_holds_one_thread_and_no_more(ready, monkeypatch):
    asked, answers = [], Event()

    def hang(*_):
        asked.append(1)
        return answers.wait(60)

    monkeypatch.setattr(health, "is_at", hang)
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    assert [ready() for _ in range(3)] == [(503, "the database does not answer\n")] * 3
    assert len(asked) == 1
    answers.set()
    monkeypatch.setattr(health, "PATIENCE", 60)
    assert ready() == (200, "ready\n")
