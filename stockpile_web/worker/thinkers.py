"""Processes in which bots think, so that neither pages nor other duties wait for them.

The worker sends a question through a pipe. Its keeper, which has no threads, forks a child that
answers it and goes on with the next ones, until none has come for a while. A child that dies or
takes too long loses one thought, and the next child thinks.
"""

import itertools
import os
import queue
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NamedTuple, Self

from stockpile_web.worker.fork import fork

NICENESS = 10  # Whoever waits for a page goes first.
# Seconds of CPU; what takes more hangs. Not of a clock: on a busy machine a thought may take long.
LONGEST = 10.0
IDLE = 120.0  # Seconds until a child ends that has nothing to think about.

LOST = 0  # Instead of a ticket: whatever the child was thinking about is lost.

Moves = list[Any]
Think = Callable[[Any], Moves]


class ThoughtLost(Exception):
    """The process that was thinking has ended."""


class CannotThink(Exception):
    """Thinking failed; the message is the traceback."""


class Answer(NamedTuple):
    """What was thought of the question with this ticket, or why nothing was."""

    ticket: int
    moves: Moves
    trouble: str = ""


class Thinkers:
    """The worker's side: used by as many threads as there are pipes."""

    def __init__(self, pipes: list[Connection]) -> None:
        self.count = len(pipes)
        self._pipes = pipes
        self._tickets = itertools.count(LOST + 1)
        self._free: queue.SimpleQueue[Connection] = queue.SimpleQueue()
        for pipe in pipes:
            self._free.put(pipe)

    def think(self, asked: Any) -> Moves:
        """Have a process think, and wait for it."""
        pipe = self._free.get()
        try:
            return self._ask(pipe, asked)
        except (EOFError, OSError):  # Nobody keeps the worker running any more.
            raise ThoughtLost from None
        finally:
            self._free.put(pipe)

    def close(self) -> None:
        """Leave the pipes to another process."""
        for pipe in self._pipes:
            pipe.close()

    def _ask(self, pipe: Connection, asked: Any) -> Moves:
        ticket = next(self._tickets)
        pipe.send((ticket, asked))
        answer: Answer = pipe.recv()
        while answer.ticket not in (ticket, LOST):  # It seemed lost, and was thought after all.
            answer = pipe.recv()
        if answer.ticket == LOST:
            raise ThoughtLost
        if answer.trouble:
            raise CannotThink(answer.trouble)
        return answer.moves


class Nursery:
    """The keeper's side: forks a child for a pipe when a question comes and none is there."""

    def __init__(self, pipes: list[Connection], think: Think) -> None:
        self._think = think
        self._idle = pipes
        self._children: dict[int, Connection] = {}

    @classmethod
    def begin(cls, count: int, think: Think) -> tuple[Self, Thinkers]:
        """Return both sides for so many processes."""
        pairs = [Pipe() for _ in range(count)]
        return cls([theirs for theirs, _ in pairs], think), Thinkers([ours for _, ours in pairs])

    def look(self, seconds: float) -> None:
        """Wait so long for questions, and fork a child for each."""
        asking = wait(self._idle, seconds)
        for pipe in [each for each in self._idle if each in asking]:
            self._idle.remove(pipe)
            self._children[fork(partial(_think_on, pipe, self._think))] = pipe
        for child in list(self._children):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                self._note_end(self._children.pop(child), has_failed=status != 0)

    def close(self) -> None:
        """Answer no more: the worker has ended, or this is the worker."""
        for child in self._children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for pipe in (*self._idle, *self._children.values()):
            pipe.close()

    def _note_end(self, pipe: Connection, *, has_failed: bool) -> None:
        self._idle.append(pipe)
        if has_failed:
            with suppress(OSError):
                pipe.send(Answer(LOST, []))


def _think_on(pipe: Connection, think: Think) -> None:
    """Think about what comes, until nothing has come for a while or the worker has ended."""
    os.nice(NICENESS)
    # The worker finishes what it has begun; this ends after it.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while pipe.poll(IDLE):
            ticket, asked = pipe.recv()
            signal.setitimer(signal.ITIMER_PROF, LONGEST)  # Its signal ends this process.
            answer = _answer(ticket, asked, think)
            signal.setitimer(signal.ITIMER_PROF, 0)
            pipe.send(answer)


def _answer(ticket: int, asked: Any, think: Think) -> Answer:
    try:
        return Answer(ticket, think(asked))
    except Exception:  # noqa: BLE001 (the worker says so)
        return Answer(ticket, [], traceback.format_exc())
