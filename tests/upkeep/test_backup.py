"""Backups: made while people play, put back whole, and refused where they would do harm."""

import sqlite3
import threading
import zipfile
from contextlib import ExitStack
from datetime import timedelta
from itertools import count
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import update

from stockpile_web.cli import main
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep import Refused, backup, backup_file, restore, sqlite_file
from stockpile_web.upkeep import postgres as programs
from stockpile_web.worker import timeouts
from tests.support.live_site import wait_until
from tests.support.playing import play
from tests.support.sites import (
    all_rows,
    begin_matches,
    empty_site,
    refuse_damaged_matches,
    running,
)


@pytest.mark.parametrize("matches", [3, pytest.param(40, marks=pytest.mark.long)])
def test_a_backup_made_under_load_has_every_match_as_it_was_at_one_moment(
    app, request, tmp_path, monkeypatch, matches
):
    monkeypatch.setattr(sqlite_file, "PAGES_IN_A_STEP", 5)  # So that many moves fall between.
    url = app.config["DATABASE_URL"]
    numbers = begin_matches(app, matches)
    made, stop = dict.fromkeys(numbers, 0), threading.Event()

    def go_on(mine):
        for turn in count():
            for number in mine:
                if stop.is_set():
                    return
                play(app, number, moves=1, seed=turn)
                made[number] += 1

    players = [threading.Thread(target=go_on, args=[numbers[each::2]]) for each in range(2)]
    before = refuse_damaged_matches(all_rows(url))
    for player in players:
        player.start()
    try:
        at_first = dict(made)
        backup.make(app.config, tmp_path / "busy.zip")
        meanwhile = sum(made.values()) - sum(at_first.values())
    finally:
        stop.set()
        for player in players:
            player.join()
    after = all_rows(url)

    other = empty_site(request, tmp_path, backup.kind_of(url), "restored")
    done = restore.restore(other, tmp_path / "busy.zip", replace=False)
    assert done.kept == []
    rows = all_rows(other["DATABASE_URL"])
    found = refuse_damaged_matches(rows)
    assert found.keys() == before.keys()
    assert meanwhile > 0
    for number in numbers:
        least, most = before[number], refuse_damaged_matches(after)[number]
        assert least <= found[number] <= most
        theirs = [move for move in rows["move"] if move["match_id"] == number]
        ours = [move for move in after["move"] if move["match_id"] == number]
        assert theirs == ours[: len(theirs)]

    # And once more, now that all is quiet: every row of every table, over what was there.
    backup.make(app.config, tmp_path / "quiet.zip")
    done = restore.restore(other, tmp_path / "quiet.zip", replace=True)
    assert len(done.kept) == 1
    assert all_rows(other["DATABASE_URL"]) == after
    backup.make(other, tmp_path / "again.zip")
    restore.restore(other, tmp_path / "again.zip", replace=True)
    assert all_rows(other["DATABASE_URL"]) == after


def test_a_backup_is_whole_private_and_never_overwritten(app, tmp_path, monkeypatch):
    instance = tmp_path / "instance"
    instance.mkdir()
    (instance / "secret_key").write_text("of cookies")
    settings = {**app.config, "STOCKPILE_INSTANCE": str(instance)}
    folder = tmp_path / "backups"
    with pytest.raises(Refused, match="No such file"):
        backup.make(settings, folder / "one.zip")
    folder.mkdir()
    manifest = backup.make(settings, folder / "one.zip")
    assert (folder / "one.zip").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["one.zip"]
    assert manifest == backup_file.check(folder / "one.zip")
    assert (manifest.database, manifest.keys) == (
        backup.kind_of(app.config["DATABASE_URL"]),
        ["secret_key"],
    )
    with pytest.raises(Refused, match="there already"):
        backup.make(settings, folder / "one.zip")

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup_file, "write", full)
    with pytest.raises(Refused, match="No space left on device"):
        backup.make(settings, folder / "two.zip")
    assert [path.name for path in folder.iterdir()] == ["one.zip"]


@pytest.fixture
def saved(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """The settings of a small site, and a backup of it."""
    instance = tmp_path / "instance"
    instance.mkdir()
    settings = {
        "STOCKPILE_INSTANCE": str(instance),
        "DATABASE_URL": f"sqlite:///{instance}/stockpile.db",
    }
    write(instance / "stockpile.db", "saved")
    (instance / "secret_key").write_text("saved")
    backup.make(settings, tmp_path / "saved.zip")
    write(instance / "stockpile.db", "newer")
    (instance / "secret_key").write_text("newer")
    return settings, tmp_path / "saved.zip"


def write(path: Path, word: str) -> None:
    """Write a word into a database that has but one table."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE IF NOT EXISTS alembic_version (version_num)")
        database.execute("INSERT INTO alembic_version VALUES ('0001')")
        database.execute("CREATE TABLE IF NOT EXISTS word (word)")
        database.execute("INSERT INTO word VALUES (?)", [word])
    database.close()


def words(path: Path) -> list[str]:
    database = sqlite3.connect(path)
    found = [row[0] for row in database.execute("SELECT word FROM word")]
    database.close()
    return found


def test_a_restore_keeps_what_was_there_and_waits_until_the_server_is_stopped(saved):
    settings, file = saved
    path = Path(settings["STOCKPILE_INSTANCE"], "stockpile.db")
    key = path.with_name("secret_key")
    with pytest.raises(Refused, match="There is a database already"):
        restore.restore(settings, file, replace=False)
    server = sqlite3.connect(path)
    server.execute("SELECT * FROM word").fetchall()
    with pytest.raises(Refused, match="The server is running"):
        restore.restore(settings, file, replace=True)
    server.close()
    assert (words(path), key.read_text()) == (["saved", "newer"], "newer")

    kept = [Path(name) for name in restore.restore(settings, file, replace=True).kept]
    assert (words(path), key.read_text()) == (["saved"], "saved")
    assert (words(kept[0]), kept[1].read_text()) == (["saved", "newer"], "newer")
    assert {each.stat().st_mode & 0o777 for each in (path, key)} == {0o600}
    assert not [each for each in path.parent.iterdir() if each.name.startswith(".")]


def test_a_damaged_database_can_be_replaced(saved):
    settings, file = saved
    path = Path(settings["STOCKPILE_INSTANCE"], "stockpile.db")
    path.write_bytes(b"no database" * 1000)
    path.with_name("stockpile.db-wal").write_bytes(b"of another one")
    restore.restore(settings, file, replace=True)
    assert words(path) == ["saved"]
    path.unlink()
    path.mkdir()
    with pytest.raises(Refused, match="Is this the account of the site"):
        restore.restore(settings, file, replace=True)


def repack(file: Path, **changes: object) -> None:
    """Write a backup anew with something else in its manifest."""
    with zipfile.ZipFile(file) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    manifest = msgspec.json.decode(parts["manifest.json"]) | changes
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in {**parts, "manifest.json": msgspec.json.encode(manifest)}.items():
            packed.writestr(name, content)


def test_what_cannot_be_put_back_is_refused_in_a_line_and_changes_nothing(saved, tmp_path):
    settings, file = saved
    whole = file.read_bytes()
    path = Path(settings["STOCKPILE_INSTANCE"], "stockpile.db")

    def refused(match: str, **others: str) -> None:
        with pytest.raises(Refused, match=match) as refusal:
            restore.restore({**settings, **others}, file, replace=True)
        assert "\n" not in str(refusal.value)
        assert words(path) == ["saved", "newer"]

    for content in (b"", b"no zip", whole[:-30], whole[:300] + b"x" + whole[301:]):
        file.write_bytes(content)
        refused("is no backup of Stockpile Web, or not a whole one")
    file.write_bytes(whole)
    refused("The backup is of SQLite", DATABASE_URL="postgresql+psycopg://me@db/games")
    repack(file, migration="9999", version="9.9")
    refused("version 9.9 of Stockpile Web, which is newer: upgrade first")
    repack(file, shape=2)
    refused("which is newer")
    repack(file, shape=1, keys=["../secret"])
    refused("no backup")
    file.unlink()
    refused("cannot be read: No such file")


def test_without_the_programs_of_postgres_it_is_said_what_to_install(
    tmp_path, monkeypatch, postgres
):
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = {"STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": postgres.url()}
    with pytest.raises(Refused, match="apt-get install postgresql-client"):
        backup.make(settings, tmp_path / "one.zip")
    program = tmp_path / "pg_dump"
    program.write_text(
        f'#!/bin/sh\necho "$PGPASSWORD" "$@" > {tmp_path}/asked; echo "No." >&2; exit 1'
    )
    program.chmod(0o755)
    settings["DATABASE_URL"] = postgres.url().replace("test@", "test:hidden@")
    with pytest.raises(Refused, match=r"pg_dump failed: No\."):
        backup.make(settings, tmp_path / "one.zip")
    password, *words = (tmp_path / "asked").read_text().split()
    assert password == "hidden"  # Told where other accounts cannot read it.
    assert "hidden" not in str(words)
    settings["DATABASE_URL"] = "postgresql+psycopg://me:secret@127.0.0.1:1/games"
    with pytest.raises(Refused, match="cannot be used") as refusal:
        backup.make(settings, tmp_path / "one.zip")
    assert "secret" not in str(refusal.value)


def when_it_is_read(monkeypatch, act):
    """Let something happen when pg_restore has made a script of a dump."""
    run = programs._run

    def run_and_act(program, words, url=""):
        said = run(program, words, url)
        files = [word.partition("=")[2] for word in words if word.startswith("--file=")]
        if program == "pg_restore" and files:
            act(Path(files[0]))
        return said

    monkeypatch.setattr(programs, "_run", run_and_act)


def test_a_server_that_starts_while_a_dump_is_read_stops_the_restore(
    request, tmp_path, monkeypatch
):
    settings = empty_site(request, tmp_path, "postgresql", "raced")
    with running(settings) as app:
        [number] = begin_matches(app, 1)
    backup.make(settings, tmp_path / "site.zip")
    saved = refuse_damaged_matches(all_rows(settings["DATABASE_URL"]))[number]
    with ExitStack() as server:

        def start(_script):
            play(server.enter_context(running(settings)), number, moves=1)

        when_it_is_read(monkeypatch, start)
        with pytest.raises(Refused, match=r"^Somebody is connected .* stockpile-web\.socket"):
            restore.restore(settings, tmp_path / "site.zip", replace=True)
    assert refuse_damaged_matches(all_rows(settings["DATABASE_URL"]))[number] > saved


def test_a_server_that_starts_while_tables_are_put_back_waits_for_them(
    request, tmp_path, monkeypatch, postgres
):
    settings = empty_site(request, tmp_path, "postgresql", "awaited")
    with running(settings) as app:
        [number] = begin_matches(app, 1)
        backup.make(settings, tmp_path / "site.zip")
        saved = refuse_damaged_matches(all_rows(settings["DATABASE_URL"]))[number]
        play(app, number, moves=5)

    def take_long(script):
        with script.open("a") as file:
            file.write("SELECT pg_catalog.pg_sleep(2);")

    def start():
        is_late = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
        with postgres.connect() as connection:  # To another database: that is none of our site.
            wait_until(lambda: connection.execute(is_late).fetchone() != (0,))
        with running(settings) as app:
            play(app, number, moves=1)

    when_it_is_read(monkeypatch, take_long)
    server = threading.Thread(target=start)
    server.start()
    restore.restore(settings, tmp_path / "site.zip", replace=True)
    server.join()
    assert refuse_damaged_matches(all_rows(settings["DATABASE_URL"]))[number] == saved + 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_after_a_restore_everybody_who_is_asked_has_their_whole_time(
    request, tmp_path, monkeypatch, kind
):
    settings = empty_site(request, tmp_path, kind, "late")
    long_ago = now() - timedelta(days=40)
    with running(settings) as app:
        [late, halted] = begin_matches(app, 2)
        with app.app_context(), writing() as tx:
            tx.execute(update(Match).values(pace="day"))
            tx.execute(update(Match).where(Match.id == halted).values(halted_for="A pause."))
            since = {"waiting_since": long_ago, "deadline_at": long_ago + timedelta(days=3)}
            on_turn = Seat.user_id.is_not(None) & Seat.on_turn
            tx.execute(update(Seat).where(on_turn).values(since))
    backup.make(settings, tmp_path / "site.zip")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    began = now()
    said = CliRunner().invoke(main, ["restore", "--replace", str(tmp_path / "site.zip")])
    assert said.exit_code == 0, said.output
    assert "their whole time again, at 1 tables." in said.output
    with running(settings) as app:
        assert not timeouts.play_for_the_late(app)
        rows = all_rows(settings["DATABASE_URL"])["seat"]
    seats = {row["match_id"]: row for row in rows if row["user_id"] and row["on_turn"]}
    assert seats[late]["waiting_since"] >= began
    assert seats[late]["deadline_at"] > began
    assert seats[halted]["waiting_since"] == long_ago
