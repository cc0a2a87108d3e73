"""One writer at a time on SQLite; what arrives together is committed together (group commit).

A commit waits for the disk. While it does, others arrive; each of them then writes in turn, on one
connection and in one transaction, behind a savepoint of its own. Whoever finds nobody waiting
commits for all, and nobody of the group goes on before that. Where nobody waits, a group is one
writer with a transaction of its own.
"""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from sqlalchemy import Connection

from stockpile_web.storage.database import TURN_SECONDS, Busy

MOST = 16  # In a group: writers of other processes wait for its end.
PATIENCE = 0.1  # Seconds after which whoever waits for the commit looks after it.


class Group:
    """Those whose changes are committed together."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection  # Of the first, who waits here with the others.
        self.members = 0
        self.done = threading.Event()
        self.error: Exception | None = None

    @property
    def is_open(self) -> bool:
        """Whether its transaction goes on: a full disk has SQLite take back everything."""
        driver: Any = self.connection.connection.driver_connection
        return bool(driver.in_transaction)

    def commit(self) -> None:
        """Commit, and let all go on."""
        try:
            if not self.is_open:
                raise Busy
            self.connection.commit()
        except Exception as error:  # noqa: BLE001 (each of the group raises it)
            self.error = error
            self.connection.rollback()
        finally:
            self.connection.execution_options(writes=False)
            self.done.set()


class WriteLock:
    """One writer at a time among our threads and all processes, first come, first served.

    It hands over at once; SQLite's own waiting sleeps in ever longer steps, so that whoever waits
    longest would wait ever longer. Threads wait for each other, and among processes the kernel
    queues one thread of each: both together for at most `TURN_SECONDS`.
    """

    def __init__(self, path: str) -> None:
        self._file = FileLock(path)
        self._threads = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._group: Group | None = None  # Whose transaction is open. It holds the file.

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock for a transaction of one's own."""
        with self._turn() as deadline:
            self._finish()
            self._lock_file(deadline)
            try:
                yield
            finally:
                self._file.release()

    @contextmanager
    def together(self, own: Connection) -> Iterator[Connection]:
        """Run the block in a transaction that others may share; go on when it is committed.

        It writes to the connection that it is given, which may be another one's. An error takes
        back this block alone.
        """
        with self._turn() as deadline:
            group = self._group or self._begin(own, deadline)
            try:
                with group.connection.begin_nested() if group.members else nullcontext():
                    yield group.connection
                group.members += 1
            finally:
                if not group.members:
                    group.connection.rollback()
                if not self._waiting or group.members in (0, MOST) or not group.is_open:
                    self._finish()
        while not group.done.wait(PATIENCE):
            self._look_after(group)
        if group.error is not None:
            raise group.error if group.members == 1 else Busy from group.error

    @contextmanager
    def _turn(self) -> Iterator[float]:
        """Wait for one's turn among the threads; those before know that one is waiting.

        Hand out when to give up.
        """
        deadline = time.monotonic() + TURN_SECONDS
        with self._counting:
            self._waiting += 1
        try:
            is_mine = self._threads.acquire(timeout=TURN_SECONDS)
        finally:
            with self._counting:
                self._waiting -= 1
        if not is_mine:
            raise Busy
        try:
            yield deadline
        finally:
            self._threads.release()

    def _look_after(self, group: Group) -> None:
        """Commit a group if nobody writes or waits behind it any more: whoever did has given up."""
        if self._threads.acquire(blocking=False):
            try:
                if self._group is group and not self._waiting:
                    self._finish()
            finally:
                self._threads.release()

    def _begin(self, connection: Connection, deadline: float) -> Group:
        self._lock_file(deadline)
        try:
            connection.execution_options(writes=True).begin()
        except BaseException:
            connection.rollback()
            connection.execution_options(writes=False)
            self._file.release()
            raise
        self._group = Group(connection)
        return self._group

    def _finish(self) -> None:
        """Commit for all of the group, if there is one."""
        group, self._group = self._group, None
        if group is not None:
            group.commit()
            self._file.release()

    def _lock_file(self, deadline: float) -> None:
        if not self._file.acquire(deadline):
            raise Busy


class FileLock:
    """flock with a time limit, which the kernel lacks; for one thread at a time of each process.

    Whoever finds it taken has a thread queue for it in the kernel: to ask again and again instead
    costs a sixth of all moves. If that thread gets it when nobody wants it any more, it gives it
    back at once. A process that dies gives it back, too.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._process = 0
        self._file = -1
        self._changed: threading.Condition
        self._is_queued = False  # The thread is asking the kernel.
        self._is_wanted = False  # Somebody waits for what it gets.

    def acquire(self, deadline: float) -> bool:
        """Take it, before this moment of time.monotonic(); tell whether it was to be had."""
        if self._process != os.getpid():  # Neither a thread nor a lock of our own survives a fork.
            self._open()
        with self._changed:
            # The thread gets it for this process: to ask besides were to get it twice.
            if not self._is_queued:
                if self._try():
                    return True
                self._is_queued = True
                threading.Thread(target=self._queue, name="file-lock", daemon=True).start()
            self._is_wanted = True
            self._changed.wait_for(lambda: not self._is_wanted, deadline - time.monotonic())
            is_mine, self._is_wanted = not self._is_wanted, False
            return is_mine

    def release(self) -> None:
        """Give it back."""
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def _open(self) -> None:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        self._changed = threading.Condition()
        self._is_queued = self._is_wanted = False
        self._process = os.getpid()

    def _try(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _queue(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        with self._changed:
            self._is_queued = False
            if self._is_wanted:
                self._is_wanted = False
                self._changed.notify_all()
            else:
                self.release()
