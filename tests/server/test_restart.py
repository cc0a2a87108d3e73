"""A restart while people ask for pages: nobody is refused, and the sidecar is there after it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException

import pytest

from stockpile_web.settings import ROOT
from stockpile_web.upkeep.processes import children
from tests.support.live_site import free_port, wait_until
from tests.support.proxied import Activated

PATIENCE = 60  # Seconds; a restart takes some, and machines differ.
CHILDREN = 3  # Two that answer, and the keeper of the worker.
ASKING = 4


class Load:
    """Visitors who ask for a page again and again, each time by a new connection."""

    def __init__(self, port: int) -> None:
        self.port, self.count, self.failures = port, 0, list[str]()

    @contextmanager
    def going_on(self) -> Iterator[None]:
        stop = threading.Event()
        threads = [threading.Thread(target=self._ask, args=(stop,)) for _ in range(ASKING)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def wait_for_more(self) -> None:
        seen = self.count
        wait_until(lambda: self.count > seen + 20, seconds=PATIENCE)

    def _ask(self, stop: threading.Event) -> None:
        while not stop.wait(0.01):
            connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            try:
                connection.request("GET", "/sign-in", headers={"Connection": "close"})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    self.failures.append(f"answered {answer.status}")
            except (OSError, HTTPException) as error:
                self.failures.append(repr(error))
            finally:
                connection.close()
            self.count += 1


def is_answered(port: int) -> bool:
    load = Load(port)
    with load.going_on():
        wait_until(lambda: load.count >= ASKING, seconds=PATIENCE)
    return not load.failures


def sidecars(master: int) -> list[int]:
    """Return the workers beside a server: the only processes that a child of it has begun."""
    return [worker for keeper in children(master) for worker in children(keeper)]


def test_a_server_begun_beside_the_old_one_takes_over_and_no_request_fails(tmp_path):
    port, said = free_port(), tmp_path / "said"
    with said.open("wb") as log:
        old = subprocess.Popen(
            [sys.executable, "-m", "stockpile_web.cli", "serve", "--port", str(port)],
            cwd=ROOT,  # As systemd does it: no PYTHONPATH tells where our modules are.
            env={
                **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
                "STOCKPILE_INSTANCE": str(tmp_path),
                "SQLITE_SYNCHRONOUS": "OFF",
            },
            stdout=log,
            stderr=log,
        )
    new = 0
    try:
        wait_until(lambda: is_answered(port), seconds=PATIENCE)
        wait_until(lambda: len(sidecars(old.pid)) == 1, seconds=PATIENCE)
        wait_until(lambda: len(children(old.pid)) == CHILDREN, seconds=PATIENCE)
        load = Load(port)
        with load.going_on():
            load.wait_for_more()
            os.kill(old.pid, signal.SIGUSR2)
            wait_until(lambda: "Taking over" in said.read_text(), seconds=PATIENCE)
            (number,) = re.findall(r"\[(\d+)\] INFO Taking over", said.read_text())
            new = int(number)
            missing_since = time.monotonic()
            while old.poll() is None:
                if sidecars(old.pid) or sidecars(new):
                    missing_since = time.monotonic()
                assert time.monotonic() - missing_since < PATIENCE / 4, "nobody sends or thinks"
                time.sleep(0.05)
            load.wait_for_more()
        assert load.failures == []
        wait_until(lambda: len(children(new)) == CHILDREN, seconds=PATIENCE)
        wait_until(lambda: len(sidecars(new)) == 1, seconds=PATIENCE)
    finally:
        for pid in filter(None, (old.poll() is None and old.pid, new)):
            os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not new or not children(new), seconds=PATIENCE)
        old.wait(PATIENCE)


def test_on_a_socket_that_systemd_holds_a_stop_and_a_start_refuse_nobody(tmp_path):
    server = Activated(tmp_path)
    server.start()
    try:
        load = Load(server.port)
        with load.going_on():
            load.wait_for_more()
            server.stop()
            server.start()
            load.wait_for_more()
        assert load.failures == []
    finally:
        server.stop()
        server.listener.close()


@pytest.mark.skipif(
    shutil.which("systemd-socket-activate") is None and not os.environ.get("CI"),
    reason="no systemd here",
)
def test_the_command_of_the_unit_serves_on_the_socket_that_systemd_gives_it(tmp_path):
    unit = (ROOT / "hosting" / "stockpile-web.service").read_text()
    (command,) = re.findall(r"^ExecStart=\S+ (.*)$", unit, re.M)
    port = free_port()
    activate = ["systemd-socket-activate", f"--listen=127.0.0.1:{port}", "--setenv=PATH"]
    settings = {"STOCKPILE_INSTANCE": str(tmp_path), "SQLITE_SYNCHRONOUS": "OFF"}
    given = [f"--setenv={name}={value}" for name, value in settings.items()]
    with (tmp_path / "said").open("wb") as log:
        server = subprocess.Popen(
            [*activate, *given, sys.executable, *command.split()], cwd=ROOT, stdout=log, stderr=log
        )
    try:
        wait_until(lambda: is_answered(port), seconds=PATIENCE)
        assert "the socket it was given" in (tmp_path / "said").read_text()
    finally:
        server.terminate()
        server.wait(PATIENCE)
