"""Processes in which bots think, so that neither pages nor other duties wait for them.

Each is forked before the worker has threads, shares its memory, and only waits. For a thought it
forks a child, which thinks on as long as there is more to think about, and gives back what that
took when it ends. A child that dies or takes too long loses one thought, and the next child thinks.
"""

import gc
import itertools
import logging
import os
import queue
import signal
import traceback
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection, Pipe
from typing import Any, NamedTuple

from stockpile_web.worker.fork import fork

NICENESS = 10  # Whoever waits for a page goes first.
LONGEST = 20  # Seconds; what takes longer hangs. Shorter than the lease of a bot.
IDLE = 120.0  # Seconds until a child ends that has nothing to think about.

LOST = 0  # Instead of a ticket: whatever the child was thinking about is lost.

Question = tuple[int, Any]  # A ticket, and what is to be thought about.
Moves = list[Any]
Think = Callable[[Any], Moves]

log = logging.getLogger(__name__)


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
    """So many processes that think; made before there are threads, used by as many of them."""

    def __init__(self, count: int, think: Think) -> None:
        self._think = think
        self._tickets = itertools.count(LOST + 1)
        # One that is gone is None. It cannot be forked again once there are threads.
        self._free: queue.SimpleQueue[Connection | None] = queue.SimpleQueue()
        ours: list[Connection] = []
        for _ in range(count):
            mine, theirs = Pipe()
            ours.append(mine)
            fork(partial(_wait, theirs, ours, think))
            theirs.close()
            self._free.put(mine)

    def think(self, asked: Any) -> Moves:
        """Have one of them think, and wait for it."""
        pipe = self._free.get()
        try:
            if pipe is None:
                return self._think(asked)
            return self._ask(pipe, asked)
        except (EOFError, OSError):
            log.error("A process in which bots think is gone; the worker thinks itself")
            pipe = None
            raise ThoughtLost from None
        finally:
            self._free.put(pipe)

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


def _wait(pipe: Connection, others: list[Connection], think: Think) -> None:
    """Wait for something to think about; end when the worker has ended."""
    for each in others:  # The worker's: it would never seem to have ended while we hold them.
        each.close()
    # The worker finishes what it has begun; this ends after it.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()  # What garbage collection does not touch stays shared.
    try:
        while True:
            question = pipe.recv()
            child = fork(partial(_think_on, pipe, question, think))
            if os.waitpid(child, 0)[1]:
                pipe.send(Answer(LOST, []))
    except (EOFError, OSError):
        return


def _think_on(pipe: Connection, question: Question, think: Think) -> None:
    """Think, and go on until nothing has come for a while."""
    os.nice(NICENESS)
    while True:
        ticket, asked = question
        signal.alarm(LONGEST)  # It ends this process, whatever it is doing.
        try:
            answer = Answer(ticket, think(asked))
        except Exception:  # noqa: BLE001 (the worker says so)
            answer = Answer(ticket, [], traceback.format_exc())
        signal.alarm(0)
        try:
            pipe.send(answer)
            if not pipe.poll(IDLE):
                return
            question = pipe.recv()
        except (EOFError, OSError):
            return
