"""The lock among processes: it is waited for, but not for ever."""

import fcntl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stockpile_web.server.forked_child import in_forked_child
from stockpile_web.storage.group_commit import FileLock
from tests.support.live_site import wait_until


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "lock"
    file.touch()
    return file


@pytest.fixture
def other(path: Path) -> Iterator[int]:
    """Another process's file, more or less: the kernel tells them apart by who opened it."""
    with path.open() as file:
        yield file.fileno()


def soon() -> float:
    return time.monotonic() + 0.05


def later() -> float:
    return time.monotonic() + 20


def is_free(other: int) -> bool:
    try:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(other, fcntl.LOCK_UN)
    return True


def test_one_that_is_free_is_taken_at_once_and_given_back(path: Path, other: int) -> None:
    lock = FileLock(str(path))
    assert lock.acquire(soon())
    assert not is_free(other)
    lock.release()
    assert is_free(other)


def test_one_that_is_held_for_too_long_is_given_up_and_not_kept_when_it_comes(
    path: Path, other: int
) -> None:
    lock = FileLock(str(path))
    fcntl.flock(other, fcntl.LOCK_EX)
    assert not lock.acquire(soon())
    assert not lock.acquire(soon())
    fcntl.flock(other, fcntl.LOCK_UN)
    wait_until(lambda: is_free(other))
    wait_until(lambda: not lock._is_queued)
    assert is_free(other)


def test_whoever_waits_gets_it_and_so_does_whoever_waits_after_one_who_gave_up(
    path: Path, other: int
) -> None:
    lock = FileLock(str(path))
    fcntl.flock(other, fcntl.LOCK_EX)
    assert not lock.acquire(soon())
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(lock.acquire, later())
        wait_until(lambda: lock._is_wanted)
        fcntl.flock(other, fcntl.LOCK_UN)
        assert waiting.result(10)
    assert not is_free(other)
    lock.release()
    assert is_free(other)


def test_a_forked_process_has_a_lock_of_its_own(path: Path, other: int) -> None:
    lock = FileLock(str(path))
    assert lock.acquire(soon())

    def in_child() -> None:
        assert not lock.acquire(soon())  # It is the parent's.

    assert in_forked_child(in_child) == 0
    lock.release()
    assert is_free(other)
