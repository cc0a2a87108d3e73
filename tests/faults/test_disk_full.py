"""The disk is full: what is not kept is not acknowledged, and with room all goes on by itself."""

import os
import subprocess
from random import Random

import pytest

from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate
from tests.conftest import FAST
from tests.support.aftermath import refuse_lost_or_doubled
from tests.support.clicking import Board
from tests.support.faults import Host, hosting
from tests.support.insisting import TOKEN, Browser, Player
from tests.support.people import on_turn, seated
from tests.support.sites import all_rows, refuse_damaged_matches

pytestmark = pytest.mark.long


@pytest.fixture
def small_disk(tmp_path):
    """A disk of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted by root alone, and not in every container")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def app(small_disk):
    """A site on the small disk, on SQLite: a Postgres has a disk of its own."""
    app = create_app({**FAST, "STOCKPILE_INSTANCE": str(small_disk), "DATABASE_URL": None})
    migrate(app)
    yield app
    app.extensions["versions"].close()
    with app.app_context():
        db.engine.dispose()


def fill_up(folder):
    """Leave no room at all; return the file that takes it."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(4096))
    return filler


def test_on_a_full_disk_no_move_is_acknowledged_in_vain_and_with_room_play_goes_on(
    app, sign_up, small_disk, tmp_path
):
    match_id, clients = seated(app, sign_up, 2)
    names = ("ann", "bob")
    host = Host(app, tmp_path / "host", THINKERS="0")
    with hosting(host):
        players = [
            Player(name, Browser([host], client, Random(1)), match_id, Random(name))
            for name, client in zip(names, clients, strict=True)
        ]

        def make_moves(count):
            for _ in range(count):
                who = clients.index(on_turn(app, match_id, clients)[0])
                assert players[who].move()

        make_moves(5)
        filler = fill_up(small_disk)
        mover = players[clients.index(on_turn(app, match_id, clients)[0])]
        path = f"/table/{match_id}"
        refused = 0
        for _ in range(30):  # What there was room for in files that are there already is kept.
            page = mover.browser.look(path)
            form, token = Board(page).fill_in(Random(1)), TOKEN.findall(page)[0]
            answer = mover.browser.send_once(f"{path}/move", form, token)
            if answer == 303:
                mover.note(form)
                mover = players[clients.index(on_turn(app, match_id, clients)[0])]
                continue
            assert answer >= 500, answer
            refused += 1
            if refused == 3:
                break
        assert refused
        refuse_lost_or_doubled(app, players)
        filler.unlink()
        make_moves(5)
        refuse_lost_or_doubled(app, players)
    refuse_damaged_matches(all_rows(app.config["DATABASE_URL"]))
