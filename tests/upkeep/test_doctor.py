"""`./run doctor`: each fault is found, named in a line, and the line says what to do."""

import os
import shutil
import sqlite3
import time
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from stockpile_web import create_app
from stockpile_web.cli import main
from stockpile_web.notify import webpush
from stockpile_web.storage.schema import migrate
from stockpile_web.upkeep import doctor
from stockpile_web.upkeep.doctor import around
from tests.conftest import FAST


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """The settings of a site that is well, as its host has written them."""
    monkeypatch.setattr(around, "_is_synchronised", lambda: True)
    instance = tmp_path / "instance"
    backups = tmp_path / "backups"
    backups.mkdir()
    (backups / "backup-20260101-120000.zip").write_text("")
    given = {
        "STOCKPILE_INSTANCE": str(instance),
        "SITE_URL": "https://play.example.org",
        "BEHIND_PROXY": "1",
        "BACKUPS": str(backups),
    }
    migrate(create_app({"SQLITE_SYNCHRONOUS": "OFF", **given}))
    (instance / "push_key").write_text(webpush.make_pair())
    (instance / "push_key").chmod(0o600)
    return given


def faults(settings):
    """Return what is wrong, by what it is about."""
    found: dict[str, str] = {}
    for finding in doctor.examine(settings):
        assert "\n" not in finding.text
        if finding.level == "WRONG":
            found[finding.about] = found.get(finding.about, "") + finding.text
    return found


def test_a_folder_for_backups_that_cannot_be_made_is_a_fault(settings, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    told = faults({**settings, "BACKUPS": f"{tmp_path}/file/in/it"})["backups"]
    assert f"{tmp_path}/file cannot be written to" in told
    folder = tmp_path / "closed"
    folder.mkdir()
    is_open = os.access
    monkeypatch.setattr(os, "access", lambda path, how: path != folder and is_open(path, how))
    told = faults({**settings, "BACKUPS": f"{folder}/in/it"})["backups"]
    assert told.endswith(f"so {folder}/in/it cannot be made.")
    assert faults({**settings, "BACKUPS": f"{tmp_path}/new/in/it"}) == {}


def test_a_site_that_is_well_has_no_fault_and_nothing_is_changed_by_looking(settings, tmp_path):
    def state():
        paths = sorted(path for path in tmp_path.rglob("*") if path.is_file())
        return [(path, path.stat().st_mode, path.stat().st_mtime_ns) for path in paths]

    before = state()
    assert faults(settings) == {}
    assert state() == before
    assert faults({**settings, "STOCKPILE_INSTANCE": str(tmp_path / "new")}) == {}
    assert not (tmp_path / "new").exists()


def test_each_fault_is_found_and_named(settings, tmp_path, monkeypatch):
    instance = tmp_path / "instance"
    assert faults({**settings, "SIGN_UP": "maybe"}).keys() == {"settings"}
    assert "BEHIND_PROXY=1" in faults({**settings, "BEHIND_PROXY": ""})["address"]
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": "1", "SMTP_FROM": "games@example.org"}
    assert "cannot be reached" in faults({**settings, **mail})["mail"]
    nowhere = "postgresql://me:hidden@127.0.0.1:1/games"
    unreachable = faults({**settings, "DATABASE_URL": nowhere})
    assert "Is DATABASE_URL right" in unreachable["database"]
    assert "hidden" not in str(unreachable)

    instance.chmod(0o755)
    (instance / "secret_key").chmod(0o644)
    assert faults(settings) == {
        "file modes": f"others can read {instance}/secret_key: chmod 600 {instance}/secret_key"
    }
    instance.chmod(0o700)
    assert faults(settings) == {}

    (instance / "push_key").write_text("")
    assert "put it back from a backup" in faults(settings)["push_key"]
    (instance / "push_key").unlink()
    (instance / "secret_key").write_text("123")
    assert "can be guessed" in faults(settings)["secret_key"]

    os.utime(instance / "stockpile.db", (time.time() + 3600, time.time() + 3600))
    assert "behind the last change of the database" in faults(settings)["clock"]
    [made] = (tmp_path / "backups").iterdir()
    os.utime(made, (1, 1))
    assert "is the worker running" in faults(settings)["backups"]
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=1000))
        assert "make room" in faults(settings)["disk"]

    with sqlite3.connect(instance / "stockpile.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    assert "upgrade" in faults(settings)["migrations"]
    (instance / "stockpile.db").write_bytes(b"no database" * 1000)
    assert "not a database" in faults(settings)["database"]


def test_the_command_prints_a_line_for_each_and_fails_if_one_is_wrong(settings):
    shown = CliRunner(env=settings).invoke(main, ["doctor"])
    assert shown.exit_code == 0
    assert shown.output.endswith("Nothing is wrong.\n")
    shown = CliRunner(env={**settings, "BEHIND_PROXY": "0"}).invoke(main, ["doctor"])
    assert shown.exit_code == 1
    assert "WRONG  address: " in shown.output
    assert shown.output.endswith("1 of these must be mended.\n")


def test_a_mail_server_and_a_postgres_that_are_well_are_told_so(postbox, postgres, tmp_path):
    site = {**FAST, **postbox.settings(), "STOCKPILE_INSTANCE": str(tmp_path)}
    found = {
        finding.about: finding.level
        for finding in doctor.examine({**site, "DATABASE_URL": postgres.url()})
    }
    assert (found["mail"], found["database"], found["clock"]) == ("ok", "ok", "ok")
    assert postbox.mails == []
