"""The database: migrations, and what writing() promises, on SQLite and on Postgres."""

import fcntl
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import IntegrityError
from psycopg.pq import TransactionStatus
from sqlalchemy import bindparam, create_engine, insert, inspect, select, text
from sqlalchemy.pool import QueuePool

from stockpile_web import create_app
from stockpile_web.settings import ROOT, BadSetting
from stockpile_web.storage.compiled_sql import Statement, pipelined
from stockpile_web.storage.database import Base, db, now
from stockpile_web.storage.models import Attempt, KeptMail, User
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import reading, transaction, writing
from tests.storage.test_compiled_sql import DEFAULTS


def test_models_and_migrations_agree(app):
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_migrating_again_changes_nothing(app):
    migrate(app)
    with app.app_context():
        assert "user" in inspect(db.engine).get_table_names()


def test_migrating_again_gives_up_no_lock_of_this_process(tmp_path):
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    migrate(app)
    with app.app_context(), db.engine.connect() as connection:
        connection.execute(text('select count(*) from "user"'))
        migrate(app)
        # Whoever is the last to close the database throws away what is being written.
        close = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('pragma user_version')"
        subprocess.run([sys.executable, "-c", close, tmp_path / "stockpile.db"], check=True)
        assert (tmp_path / "stockpile.db-wal").exists()
    with app.app_context():
        db.engine.dispose()


def test_several_processes_may_start_at_once_on_a_fresh_database(request, database_url, tmp_path):
    url = f"sqlite:///{tmp_path}/fresh.db"
    if not database_url.startswith("sqlite"):
        server = request.getfixturevalue("postgres")
        url = server.create("fresh")
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "STOCKPILE_INSTANCE": str(tmp_path),
        "DATABASE_URL": url,
    }
    starts = [
        subprocess.Popen([sys.executable, "-c", "import wsgi"], env=environ, cwd=ROOT)
        for _ in range(2)
    ]
    assert [start.wait(60) for start in starts] == [0, 0]
    engine = create_engine(url)
    with engine.connect() as connection:
        assert connection.scalar(text('select count(*) from "user"')) == 0
    engine.dispose()
    if not url.startswith("sqlite"):
        server.drop("fresh")


def test_a_database_of_a_newer_version_is_left_alone(tmp_path):
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    migrate(app)
    with sqlite3.connect(tmp_path / "stockpile.db") as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    with pytest.raises(BadSetting, match="newer version"):
        migrate(app)


def test_nobody_else_on_the_machine_can_read_the_database(tmp_path):
    tmp_path.chmod(0o755)  # A folder that was there before; some hosts share /srv.
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    migrate(app)
    file = tmp_path / "stockpile.db"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    migrate(app)
    with sqlite3.connect(file) as connection:
        connection.execute("create table beside (x)")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("stockpile.db*")}
    connection.close()
    assert modes == dict.fromkeys(["stockpile.db", "stockpile.db-wal", "stockpile.db-shm"], 0o640)


def test_a_database_that_does_not_answer_is_named_in_one_line(tmp_path):
    where = f"postgresql://me:secret@/games?host={tmp_path}"
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": where})
    with pytest.raises(BadSetting, match="cannot be opened") as refusal:
        migrate(app)
    assert "\n" not in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_an_old_sqlite_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(BadSetting, match=r"SQLite 3\.35"):
        create_app({"STOCKPILE_INSTANCE": str(tmp_path)})


def test_sqlite_is_set_up_to_lose_nothing(tmp_path):
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    with app.app_context():
        found = {
            name: db.session.scalar(text(f"pragma {name}"))
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
        db.session.remove()
        db.engine.dispose()
    full = 2
    assert found == {
        "journal_mode": "wal",
        "synchronous": full,
        "busy_timeout": 1000,
        "foreign_keys": 1,
    }


def test_what_is_written_stays(app):
    with app.app_context(), writing() as tx:
        tx.add(_mail("kept"))
    with app.app_context():
        assert db.session.scalars(select(KeptMail.subject)).all() == ["kept"]


def test_an_error_undoes_the_whole_block(app):
    with app.app_context():
        with pytest.raises(ZeroDivisionError), writing() as tx:
            tx.add(_mail("lost"))
            tx.flush()
            _ = 1 / 0
        assert db.session.scalars(select(KeptMail.subject)).all() == []
        with writing() as tx:
            tx.add(_mail("after"))
        assert db.session.scalars(select(KeptMail.subject)).all() == ["after"]


def test_the_block_reads_anew_what_was_read_before(app):
    with app.app_context():
        with writing() as tx:
            tx.add(_mail("old"))
        mail = db.session.scalars(select(KeptMail)).one()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_rename, app, "new").result()
        assert mail.subject == "old"
        with writing():
            assert mail.subject == "new"


def test_changes_outside_a_writing_block_are_refused(app):
    with app.app_context():
        db.session.add(_mail("stray"))
        with pytest.raises(RuntimeError, match="writing"):
            db.session.commit()
        db.session.rollback()


def test_a_writing_block_inside_another_is_refused_rather_than_waiting_for_ever(app):
    with app.app_context(), pytest.raises(RuntimeError, match="inside"), writing(), writing():
        pass
    with app.app_context(), writing():
        pass


def test_no_change_is_lost_when_many_write_at_once(app):
    with app.app_context(), writing() as tx:
        tx.add(Attempt(key="turns", window=0, count=0))

    def add_one(_number):
        with app.app_context():
            # What is read here is stale by the time it is this thread's turn.
            db.session.scalars(select(Attempt)).one()
            with writing() as tx:
                tx.scalars(select(Attempt).with_for_update()).one().count += 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add_one, range(40)))
    with app.app_context():
        assert db.session.scalar(select(Attempt.count)) == 40


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_writers_in_other_processes_wait_for_their_turn_too(app):
    path = Path(app.config["DATABASE_URL"].removeprefix("sqlite:///") + "-writer")

    def is_free():
        with path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    with app.app_context():
        with writing():
            assert not is_free()
        assert is_free()
        with pytest.raises(ZeroDivisionError), transaction():
            _ = 1 / is_free()
        assert is_free()


def test_reading_goes_on_while_somebody_writes(app):
    with app.app_context(), writing() as tx:
        tx.add(_mail("unfinished"))
        tx.flush()
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(_count, app).result(timeout=5) == 0


def test_a_request_gives_its_connection_back(app, client, sign_up):
    sign_up(client, "ann")
    assert client.get("/account").status_code == 200
    with app.app_context():
        assert isinstance(db.engine.pool, QueuePool)
        assert db.engine.pool.checkedout() == 0


ON_POSTGRES = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)


@ON_POSTGRES
def test_whoever_only_reads_begins_no_transaction_and_whoever_writes_does(app):
    with app.app_context():
        driver: Any = reading().connection.driver_connection
        reading().execute(select(User.id))
        assert driver.info.transaction_status == TransactionStatus.IDLE
        with transaction() as tx:
            tx.execute(select(User.id))
            assert driver.info.transaction_status == TransactionStatus.INTRANS
        reading().execute(select(User.id))
        assert driver.info.transaction_status == TransactionStatus.IDLE


@ON_POSTGRES
def test_a_connection_that_the_server_has_closed_is_replaced_before_it_is_used(app, postgres):
    for _ in range(2):
        assert _count(app) == 0
        with postgres.connect() as other:
            pooled = "datname = 'test' and application_name = ''"
            stopped = f"select pg_terminate_backend(pid) from pg_stat_activity where {pooled}"
            assert other.execute(stopped.encode()).fetchall()
            while other.execute(
                f"select 1 from pg_stat_activity where {pooled}".encode()
            ).fetchall():
                pass  # It has ended when it is listed no more.
    assert _count(app) == 0


@ON_POSTGRES
def test_statements_may_share_a_round_trip_and_one_that_fails_undoes_all(app):
    name = Statement(select(User.name).where(User.name_key == bindparam("key")))
    add = Statement(insert(User).values(**DEFAULTS), ("name", "name_key", "created_at"))
    ann, bob = ({"name": n, "name_key": n, "created_at": now()} for n in ("ann", "bob"))
    with app.app_context():
        with transaction() as tx, pipelined(tx):
            add.run(tx, ann)
            asked = [name.ask(tx, key=key) for key in ("ann", "bob")]
            assert [question.rows() for question in asked] == [[("ann",)], []]
        with pytest.raises(IntegrityError), transaction() as tx, pipelined(tx):
            add.run(tx, bob)
            add.run(tx, ann)
        assert name.rows(reading(), key="bob") == []


def test_a_moment_comes_back_as_it_was(app):
    moment = datetime(2026, 11, 16, 9, 30, 15, 250000, tzinfo=timezone(timedelta(hours=-7)))
    with app.app_context():
        with writing() as tx:
            tx.add(User(name="ann", name_key="ann", created_at=moment))
        db.session.expire_all()
        found = db.session.scalar(select(User.created_at))
    assert found == moment
    assert found.tzinfo is UTC


def _mail(subject):
    return KeptMail(to="ann@example.org", subject=subject, text="", reason="", created_at=now())


def _rename(app, subject):
    with app.app_context(), writing() as tx:
        tx.scalars(select(KeptMail)).one().subject = subject


def _count(app):
    with app.app_context():
        return len(db.session.scalars(select(KeptMail)).all())
