"""Moves on a slow disk: what arrives together is committed together.

The disk is simulated: a small library, made by the C compiler of this machine, is loaded before the
server (LD_PRELOAD) and lets each fsync and fdatasync take 5 ms longer. Nothing else is changed: the
real server commits every move before it answers.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from unittest.mock import patch

from bench._load import drive
from bench._server import serving
from bench.site import DURABLE, Site
from tests.support import pgtest

SLOW_MS = (0, 5)
SECONDS = 2.0
BURSTS = 5
CLIENTS = 32
WORKERS = 2
TARGETS = {("SQLite", 5): 500}


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    figures = {}
    print(f"{'':12}{'fsync +ms':>10}{'moves/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'wanted':>8}")
    for slow in SLOW_MS:
        for database in ("SQLite", "Postgres"):
            with _environ(database, slow) as environ:
                rates, times = _measure(environ)
            figures[f"{database} {slow}"] = rates
            p50, p99 = (sorted(times)[int(len(times) * share)] * 1000 for share in (0.5, 0.99))
            shown = f"{database:12}{slow:10}{median(rates):9.0f}{p50:8.1f}{p99:8.1f}"
            print(f"{shown}{TARGETS.get((database, slow), ''):>8}", flush=True)
    print(json.dumps(figures))


def _measure(environ: dict[str, str]) -> tuple[list[float], list[float]]:
    """Return the moves a second of each burst, and how long each of them took."""
    site, rates, times = Site(environ), [], []
    with serving("wsgi:app", environ, WORKERS) as server:
        drive(server.port, site.moving(CLIENTS), SECONDS)
        for _ in range(BURSTS):
            answers = drive(server.port, site.moving(CLIENTS), SECONDS)
            rates.append(round(len(answers.times) / answers.seconds, 1))
            times += answers.times
    return rates, times


@contextmanager
def _environ(database: str, slow: int) -> Iterator[dict[str, str]]:
    """Give the environment of a site on a disk that takes so many milliseconds longer."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        library = _slow_fsync(Path(folder)) if slow else {}
        environ = {"STOCKPILE_INSTANCE": folder, "SITE_URL": "", **library}
        environ["SLOW_FSYNC_MS"] = str(slow)
        if database == "Postgres":
            stack.enter_context(patch.dict(pgtest.SETTINGS, DURABLE))
            server = stack.enter_context(pgtest.server(environ))
            environ["DATABASE_URL"] = server.create("bench")
        yield environ


def _slow_fsync(folder: Path) -> dict[str, str]:
    """Return the environment in which every fsync is slow."""
    library, source = folder / "slow_fsync.so", Path(__file__).with_name("_slow_fsync.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    folder.chmod(0o755)  # Postgres runs as somebody else.
    return {"LD_PRELOAD": str(library)}
