"""A database of Postgres: saved and restored by Postgres's own programs, which know it best."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError

from stockpile_web.storage.database import connect_alone, psycopg_words
from stockpile_web.upkeep import Refused

# What a restore puts aside is kept in a schema whose name begins like this.
KEPT = "before_restore_"

IN_USE = (
    "Somebody is connected to the database: stop the server with its socket "
    "(systemctl stop stockpile-web.socket stockpile-web), and ./run worker if there is one, on "
    "every host."
)

_OTHERS = """select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
    and coalesce(backend_type, 'client backend') = 'client backend'"""

# Locks first: whoever connects after the question waits for them, and finds what is there then.
# Seconds, for it may be Postgres's own vacuum that has to give way.
_HOLD = f"""DO $$
    DECLARE name regclass;
    BEGIN
        SET LOCAL lock_timeout = '5s';
        SET LOCAL statement_timeout = 0;
        FOR name IN SELECT oid FROM pg_class
            WHERE relnamespace = to_regnamespace('public') AND relkind = 'r' ORDER BY oid
        LOOP
            EXECUTE format('LOCK TABLE %s IN {{}} MODE', name);
        END LOOP;
        IF ({_OTHERS}) > 0 THEN RAISE lock_not_available; END IF;
    EXCEPTION WHEN lock_not_available THEN RAISE EXCEPTION '{IN_USE}';
    END $$"""  # noqa: S608 (all of it is ours)


def dump(url: str, target: Path) -> None:
    """Save a database as it is at one moment, while others go on reading and writing."""
    ways = ["--format=custom", "--no-owner", "--no-privileges", f"--exclude-schema={KEPT}*"]
    _run("pg_dump", [*ways, f"--file={target}", *_address(url)], url)


def check(path: Path) -> None:
    """Refuse what pg_dump has not written whole."""
    contents = _run("pg_restore", ["--list", str(path)])
    if b"TABLE DATA public match " not in contents:
        raise Refused("The dump of the database is damaged: the matches are missing.")


def restore(url: str, path: Path, keep_as: str) -> None:
    """Put a dump into a database; what is there is kept as the schema `keep_as`, if one is named.

    All of it is one transaction: whatever goes wrong, nothing has changed. It asks once more
    whether the database is in use: reading a large dump takes minutes, in which a server may start.
    """
    # Into nothing first, so that a dump which cannot be read is found before anything is done.
    script = path.with_suffix(".sql")
    _run("pg_restore", ["--no-owner", "--no-privileges", f"--file={script}", str(path)])
    words = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    words.append(f"--command={_HOLD.format('ACCESS EXCLUSIVE')}")
    if keep_as:
        aside = f"ALTER SCHEMA public RENAME TO {keep_as}; CREATE SCHEMA public;"
        words.append(f"--command={aside}")
    try:
        _run("psql", [*words, f"--file={script}", *_address(url)], url)
    except Refused as refusal:
        raise Refused(IN_USE) if IN_USE in str(refusal) else refusal from None


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Connect to a database, on Postgres or SQLite; say in a line if it is not there."""
    engine = connect_alone(url)
    try:
        with engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        first_line = str(error.orig).strip().splitlines()[0]
        raise Refused(f"The database cannot be used: {first_line}") from None
    finally:
        engine.dispose()


def refuse_if_in_use(connection: Connection) -> None:
    """Refuse while anybody else is connected."""
    if connection.scalar(text(_OTHERS)):
        raise Refused(IN_USE)


def hold(connection: Connection) -> None:
    """Refuse while anybody else is connected, and let nobody write until the transaction ends."""
    try:
        connection.execute(text(_HOLD.format("SHARE")))
    except DBAPIError as error:
        raise Refused(IN_USE) if IN_USE in str(error.orig) else error from None


def _address(url: str) -> list[str]:
    """Return how the programs are told where to connect: any user of the host can read it."""
    from psycopg.conninfo import make_conninfo  # Here: with SQLite its 10 MB are not needed.

    words = psycopg_words(make_url(url))
    words.pop("password", None)
    return [f"--dbname={make_conninfo(**words)}"]


def _run(program: str, words: list[str], url: str = "") -> bytes:
    """Run one of Postgres's programs and return what it says."""
    found = shutil.which(program)
    if found is None:
        raise Refused(
            f"{program} is not installed here. It comes with the client programs of Postgres "
            "(Debian: apt-get install postgresql-client), which must not be older than the server."
        )
    environ = {**os.environ, "PGCONNECT_TIMEOUT": "10"}
    if url and (password := make_url(url).password):
        environ["PGPASSWORD"] = str(password)
    done = subprocess.run(  # noqa: S603 (a program of the host's own)
        [found, *words], env=environ, capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise Refused(f"{program} failed: {said[0].removeprefix(f'{program}: ')}")
    return done.stdout
