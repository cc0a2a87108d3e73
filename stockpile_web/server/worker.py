"""The gunicorn worker of this site: an event loop that no stranger can hold up, and threads.

gunicorn's own workers give a thread to whoever has connected, and rely on a proxy that reads slow
clients for them. Here the loop reads every request whole, within limits of size and time, before a
thread sees it; and it sends what a client does not take at once. It never runs the application.

TLS and HTTP/2 are a proxy's business. `--worker-class gthread` does without this file: everything
works, but slow clients then need a proxy in front.
"""

import contextlib
import os
import select
import socket
import time
from typing import Any

from gunicorn.workers.base import Worker as BaseWorker  # type: ignore[import-untyped]

from stockpile_web.live.hub import file_limit
from stockpile_web.server import wsgi
from stockpile_web.server.balance import Balance
from stockpile_web.server.connection import CONTINUE, Connection, Refused, Sink, State
from stockpile_web.server.connections import READ, WRITE, Connections
from stockpile_web.server.listeners import Listeners, NoFiles
from stockpile_web.server.pools import Job, Pools

TICK_SECONDS = 1.0
HEAD_SECONDS = 10.0
BODY_SECONDS = 20.0
ANSWER_SECONDS = 30.0
LINGER_SECONDS = 2.0
STOP_SECONDS = 1.0  # For which half a request, or a first one, is waited for when the server stops.

RECEIVE_BYTES = 64 * 1024
OTHER_FILES = 64  # For the database, logs, and whatever else the application opens.


class Worker(BaseWorker):  # type: ignore[misc]
    """One process: all of its connections, and the threads that answer them.

    A connection belongs to the loop, or, while its request runs, to a thread. The thread gives it
    back by arming its event (EPOLLONESHOT) as its last act: that takes no lock and no wake-up.
    """

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Refuse at start what this worker cannot do."""
        if cfg.is_ssl or cfg.proxy_protocol != "off":
            raise RuntimeError(
                "TLS and the PROXY protocol are not supported by this worker: "
                "put a proxy in front, or use --worker-class gthread."
            )

    def init_process(self) -> None:
        """Get ready in the new process, and serve until told to stop."""
        self._epoll = select.epoll()
        self._balance = Balance(self.age)
        self._listeners = Listeners(self._epoll, self.sockets, self._balance)
        files = file_limit() - OTHER_FILES
        self._connections = Connections(self._epoll, self.cfg.worker_connections, files)
        self._keepalive = self.cfg.keepalive
        self._next_tick = 0.0
        super().init_process()

    def run(self) -> None:
        """Serve until told to stop, then finish what has begun."""
        settings = getattr(self.wsgi, "config", {})  # Of Flask, if the application is one.
        writers = settings.get("WRITERS", self.cfg.threads)
        self._pools = Pools(self._answer, self.cfg.threads, writers)
        self._epoll.register(self.PIPE[0], select.EPOLLIN)  # Signals are written there.
        while self.alive:
            self._turn(TICK_SECONDS)
        self._finish()

    def _turn(self, longest: float) -> None:
        """Wait for something to do, and do it."""
        now = time.monotonic()
        if now >= self._next_tick:
            self._next_tick = now + TICK_SECONDS
            self._tick(now)
        pause = self._listeners.reopen(now)
        for file, _ in self._epoll.poll(longest if pause is None else min(longest, pause)):
            if connection := self._connections.get(file):
                self._go_on(connection)
            elif file in self._listeners:
                self._accept(file)
            elif file == self.PIPE[0]:
                os.read(file, 4096)

    def _tick(self, now: float) -> None:
        """Do what is done once a second: look for a dead parent, stuck threads, and deadlines."""
        self._balance.report(len(self._connections))
        if self.ppid != os.getppid():
            self.log.info("Parent changed, shutting down: %s", self)
            self.alive = False
        # Without a sign of life the parent replaces this process.
        if self._pools.longest() < self.cfg.timeout:
            self.notify()
        for connection in self._connections.waiting():
            if connection.deadline < now:
                self._expire(connection)
        self._connections.trim()

    def _expire(self, connection: Connection) -> None:
        """Close a connection that has kept us waiting for too long."""
        if connection.state is State.READING and connection.has_begun():
            late = Refused(408, "Request Timeout", "That took too long.")
            self._send_last(connection, late.answer())
        else:
            self._connections.close(connection)

    def _finish(self) -> None:
        """Finish what has begun, but do not wait for long for those who send or read slowly."""
        self._listeners.pause(None)
        began = time.monotonic()
        while (waited := time.monotonic() - began) < self.cfg.graceful_timeout:
            self._turn(0.02)  # First of all take what has come already.
            for connection in self._connections.waiting():
                # Whoever has just connected is about to ask, and nobody asks again for them.
                is_halfway = connection.has_begun() or not connection.requests
                is_halfway |= connection.state is State.LINGERING
                may_stay = is_halfway and waited < STOP_SECONDS
                if connection.state is not State.SENDING and not may_stay:
                    self._connections.close(connection)
            if not self._connections:
                break
        self._pools.stop()
        for listener in self.sockets:
            listener.close()

    def _accept(self, file: int) -> None:
        try:
            for sock, peer, server in self._listeners.accept(file, len(self._connections)):
                now = time.monotonic()
                self._connections.add(Connection(sock, peer, server, now, now + HEAD_SECONDS))
                self._balance.report(len(self._connections))
        except NoFiles:
            self._connections.evict()

    def _go_on(self, connection: Connection) -> None:
        """Do what a connection waits for; whatever goes wrong ends that one alone."""
        try:
            match connection.state:
                case State.IDLE | State.READING:
                    self._read(connection)
                case State.SENDING if connection.outgoing:
                    self._send(connection, connection.outgoing)
                case State.SENDING:  # All is sent, and more requests came with the last one.
                    connection.state = State.IDLE
                    self._proceed(connection)
                case State.LINGERING:
                    self._linger(connection)
        except Exception:
            self.log.exception("Error on a connection")
            self._connections.close(connection)

    def _read(self, connection: Connection) -> None:
        """Take what has come."""
        try:
            received = connection.sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            self._connections.arm(connection, READ)
            return
        except OSError:
            received = b""
        if received:
            connection.buffer += received
            self._proceed(connection)
        else:
            self._connections.close(connection)

    def _proceed(self, connection: Connection) -> None:
        """Give a request that is whole to a thread; wait for the rest of any other."""
        had_head = connection.has_head()
        try:
            request = connection.take_request(self.cfg)
        except Refused as refusal:
            self._send_last(connection, refusal.answer())
            return
        except Exception as error:  # noqa: BLE001 (gunicorn answers in its own words)
            sink = Sink()
            self.handle_error(None, sink, connection.peer, error)
            self._send_last(connection, sink.answer())
            return
        now = connection.active_at = time.monotonic()
        if request is not None:
            connection.state = State.RUNNING
            self._pools.put(connection, request)
            return
        if connection.state is State.IDLE:
            connection.state = State.READING
            connection.deadline = now + HEAD_SECONDS
        if connection.has_head() and not had_head:
            connection.deadline = now + BODY_SECONDS
            if connection.expects_continue():
                with contextlib.suppress(OSError):
                    connection.sock.send(CONTINUE)
        self._connections.arm(connection, READ)

    def _linger(self, connection: Connection) -> None:
        """Read on until the client hangs up: closed at once, it might lose the answer."""
        try:
            has_gone = not connection.sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            has_gone = False
        except OSError:
            has_gone = True
        if has_gone:
            self._connections.close(connection)
        else:
            self._connections.arm(connection, READ)

    def _answer(self, job: Job) -> None:
        """Run the application on a whole request and send its answer, in a thread."""
        connection, request = job
        self.nr += 1
        if self.nr >= self.max_requests and self.alive:
            self.log.info("Autorestarting worker after current request.")
            self.alive = False
        closing = not self.alive or not self._keepalive
        answer, connection.closes = wsgi.run(self, connection, request, closing)
        if connection.receive is None:
            self._send(connection, answer)
        else:
            self._hand_over(connection, answer)

    def _send_last(self, connection: Connection, answer: bytes) -> None:
        """Send an answer after which nothing more is read."""
        connection.buffer.clear()
        connection.closes = True
        self._send(connection, answer)

    def _send(self, connection: Connection, answer: bytes | memoryview) -> None:
        """Send as much as the client takes, and leave the connection to the loop.

        Called by whichever thread owns the connection: nobody waits for a slow reader.
        """
        try:
            sent = connection.sock.send(answer)
        except BlockingIOError:
            sent = 0
        except OSError:  # The client has gone: there is nobody to send anything to.
            sent, connection.closes = len(answer), True
        now = connection.active_at = time.monotonic()
        if sent < len(answer):
            if not connection.outgoing:
                connection.deadline = now + ANSWER_SECONDS
            connection.outgoing = memoryview(answer)[sent:]
            connection.state = State.SENDING
            self._connections.arm(connection, WRITE)
            return
        connection.outgoing = b""
        if connection.closes:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_WR)
            connection.deadline = now + LINGER_SECONDS
            connection.state = State.LINGERING
            self._connections.arm(connection, READ)
        elif connection.buffer:  # Another request: the socket can be written to at once.
            connection.state = State.SENDING
            self._connections.arm(connection, WRITE)
        else:
            connection.deadline = now + self._keepalive
            connection.state = State.IDLE
            self._connections.arm(connection, READ)

    def _hand_over(self, connection: Connection, answer: bytes) -> None:
        """Send the beginning of an answer, and give the socket to whoever goes on with it."""
        receive = connection.receive
        assert receive is not None
        sock = self._connections.give_away(connection)
        try:
            is_sent = sock.send(answer) == len(answer)
        except OSError:
            is_sent = False
        if is_sent:
            receive(sock)
        else:
            sock.close()
