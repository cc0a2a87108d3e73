"""Backups that the worker makes by itself."""

import logging
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.upkeep import ONLY, ScheduledBackup
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep import Refused, backup, schedule
from stockpile_web.worker.backups import make_next
from stockpile_web.worker.duties import DUTIES
from stockpile_web.worker.watch import seconds_until_due

DUTY = [each for each in DUTIES if each.name == "backups"]


def test_a_backup_is_made_when_it_is_due_by_one_worker_and_old_ones_go(app, tmp_path):
    folder = tmp_path / "backups"
    app.config |= {"BACKUPS": str(folder), "BACKUPS_KEPT": 2}
    assert seconds_until_due(app, DUTY) == [0.0]
    with ThreadPoolExecutor(2) as workers:
        list(workers.map(make_next, [app, app]))
    [first] = folder.iterdir()
    assert zipfile.is_zipfile(first)
    assert first.stat().st_mode & 0o777 == 0o600
    assert seconds_until_due(app, DUTY) != [0.0]
    make_next(app)
    assert list(folder.iterdir()) == [first]

    for name in ("backup-20010101-000000.zip", "backup-20020101-000000.zip", "own.zip"):
        (folder / name).write_text("")
    killed = folder / f"{backup.UNFINISHED}x"
    killed.mkdir()
    os.utime(killed, (0, 0))
    first.rename(folder / "backup-20030101-000000.zip")
    due(app)
    make_next(app)
    kept = sorted(path.name for path in folder.iterdir())
    assert [kept[0], kept[-1]] == ["backup-20030101-000000.zip", "own.zip"]
    assert len(kept) == 3

    app.config["BACKUPS_KEPT"] = 1
    (folder / kept[1]).unlink()
    (folder / "backup-29990101-000000.zip").write_text("")  # The clock was wrong once.
    due(app)
    make_next(app)
    [last, _own] = sorted(path.name for path in folder.iterdir())
    assert kept[1] <= last < "backup-2999"


def due(app):
    """Let the next backup be due."""
    with app.app_context(), writing() as tx:
        tx.get_one(ScheduledBackup, ONLY).due_at = now() - timedelta(seconds=1)


def test_the_administrator_is_told_why_there_is_no_backup_and_the_log_says_it_once(
    app, client, sign_up, tmp_path, monkeypatch, caplog
):
    sign_up(client, "ann")
    assert "BACKUPS" in client.get("/admin/backups").text
    app.config["BACKUPS"] = str(tmp_path / "backups")
    assert "There is none yet" in client.get("/admin/backups").text

    def fail(*_arguments: object) -> None:
        raise Refused("The disk is full.")

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(backup, "make", fail)
        make_next(app)
        due(app)
        make_next(app)
    assert [record.getMessage() for record in caplog.records] == [
        "No backup could be made: The disk is full. It is tried again every hour."
    ]
    for page in ("/admin/backups", "/account"):
        assert "The disk is full." in client.get(page).text
    with app.app_context():
        row = db.session.get_one(ScheduledBackup, ONLY)
        assert now() < row.due_at <= now() + timedelta(hours=1)
    due(app)
    make_next(app)
    page = client.get("/admin/backups").text
    assert "backup-2" in page
    assert "The disk is full." not in page + client.get("/account").text


@pytest.mark.parametrize("blocked", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_is_a_problem_in_words(app, tmp_path, blocked):
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="No backup can be written to"):
        schedule.make_next({**app.config, "BACKUPS": str(tmp_path / blocked)})
