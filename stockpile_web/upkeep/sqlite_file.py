"""A database of SQLite: copied while it is in use, checked, and replaced."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from stockpile_web.upkeep import Refused

# With a rest between steps a copy leaves the disk to those who play.
PAGES_IN_A_STEP = 1000
REST = 0.005


def copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, while others go on reading and writing.

    The open transaction holds that moment, and in WAL mode nobody waits for it. Without one SQLite
    would begin anew whenever somebody has written between two steps: on a busy site, for ever.
    """
    try:
        with closing(_open(source)) as old, closing(_open(target, "rwc")) as new:
            # It need not outlive a power cut before all is done, and must not keep the disk busy.
            new.execute("PRAGMA synchronous=OFF")
            old.execute("BEGIN")
            old.execute("SELECT count(*) FROM sqlite_master").fetchone()
            old.backup(new, pages=PAGES_IN_A_STEP, sleep=REST)
            old.execute("ROLLBACK")
            new.execute("PRAGMA journal_mode=DELETE")  # All of it in one file.
    except sqlite3.Error as error:
        raise Refused(f"The database cannot be copied: {error}.") from None


def check(path: Path) -> str:
    """Return the migration that a database is at; refuse one that is damaged."""
    try:
        with closing(_open(path)) as database:
            found = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
            at = database.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise Refused(f"The copy of the database is damaged: {error}.") from None
    if found != "ok":
        raise Refused(f"The copy of the database is damaged: {found}.")
    return str(at[0])


def close(path: Path) -> None:
    """Fold a database into its one file; refuse while anybody has it open.

    Leaving WAL mode does both: SQLite lets nobody do so but the only one who is connected.
    """
    try:
        with closing(_open(path)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise Refused(
                "The server is running: stop it with its socket (systemctl stop "
                "stockpile-web.socket stockpile-web), and ./run worker if there is one."
            ) from None
        raise Refused(
            f"{path} cannot be opened: {error}. Is this the account of the site?"
        ) from None
    except sqlite3.DatabaseError:
        pass  # So damaged that it cannot be read: that is why another one takes its place.


def replace(path: Path, new: Path, kept: Path) -> None:
    """Put `new` in the place of the database at `path`, which is kept at `kept`.

    At no moment there is none. What was not folded in lies beside it, and must not be taken for
    the new one's.
    """
    for end in ("-wal", "-shm"):
        if (beside := Path(f"{path}{end}")).exists():
            beside.rename(f"{kept}{end}")
    if path.exists():
        os.link(path, kept)
    new.replace(path)


def _open(path: Path, mode: str = "rw") -> sqlite3.Connection:
    address = f"file:{quote(str(path))}?mode={mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=5)
