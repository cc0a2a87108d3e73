"""What processes take of the machine, as Linux tells it."""

import os
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Taken(NamedTuple):
    """What one process takes: bytes of memory, open files, seconds of CPU time so far."""

    memory: int
    files: int
    cpu: float


def tree(process: int) -> list[int]:
    """Return the numbers of a process and of all below it, a parent before its children."""
    return [process, *(each for child in children(process) for each in tree(child))]


def children(process: int) -> list[int]:
    """Return the numbers of the children of a process, the oldest first."""
    try:
        found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # It has just ended, or this is no Linux.
        return []
    return [int(child) for child in found]


def taken(process: int) -> Taken | None:
    """Return what a process takes; None if it has just ended."""
    try:
        memory = kilobytes(process, "smaps_rollup", "Pss:") * 1024
        files = len(os.listdir(f"/proc/{process}/fd"))
        return Taken(memory, files, cpu_seconds(process))
    except OSError:
        return None


def cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has taken so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def kilobytes(process: int, file: str, name: str) -> int:
    """Return a size that Linux tells of a process: `Pss:` of `smaps_rollup` shares fairly."""
    for line in Path(f"/proc/{process}/{file}").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise LookupError(name)
