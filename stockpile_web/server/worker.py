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
from heapq import nsmallest
from typing import Any
from weakref import WeakSet

from gunicorn.workers.base import Worker as BaseWorker  # type: ignore[import-untyped]

from stockpile_web.live.hub import file_limit
from stockpile_web.server import wsgi
from stockpile_web.server.balance import Balance
from stockpile_web.server.connection import CONTINUE, Connection, Refused, Sink, State
from stockpile_web.server.listeners import Listeners, NoFiles
from stockpile_web.server.threads import Threads

# Requests that hash a password, which takes a core for tens of milliseconds: they have threads of
# their own, so that a flood of them holds up nobody else.
HASHING = (
    "/sign-in",
    "/sign-up",
    "/reset/",
    "/account/email",
    "/account/password",
    "/account/delete",
)
HASHING_THREADS = 2

TICK_SECONDS = 1.0
HEAD_SECONDS = 10.0
BODY_SECONDS = 20.0
ANSWER_SECONDS = 30.0
LINGER_SECONDS = 2.0
STOP_SECONDS = 1.0  # For which half a request is waited for when the server stops.

RECEIVE_BYTES = 64 * 1024
OTHER_FILES = 64  # For the database, logs, and whatever else the application opens.

READ = select.EPOLLIN | select.EPOLLONESHOT
WRITE = select.EPOLLOUT | select.EPOLLONESHOT

Job = tuple[Connection, Any]


class Worker(BaseWorker):  # type: ignore[misc]
    """One process: all of its connections, and the threads that answer them.

    A connection belongs to the loop, or, while its request runs, to a thread. The thread gives it
    back by arming its event (EPOLLONESHOT) as its last act, so that no lock and no wake-up is
    needed.
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
        self._connections: dict[int, Connection] = {}
        self._streams: WeakSet[socket.socket] = WeakSet()  # Handed over, and not closed yet.
        self._files = file_limit() - OTHER_FILES
        self._keepalive = self.cfg.keepalive
        self._next_tick = 0.0
        super().init_process()

    def run(self) -> None:
        """Serve until told to stop, then finish what has begun."""
        self._threads: Threads[Job] = Threads("request", self.cfg.threads, self._answer)
        self._hashing: Threads[Job] = Threads("password", HASHING_THREADS, self._answer)
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
                self._guarded(connection)
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
        if max(self._threads.longest(), self._hashing.longest()) < self.cfg.timeout:
            self.notify()
        for connection in self._waiting():
            if connection.deadline < now:
                self._expire(connection)

    def _waiting(self) -> list[Connection]:
        """Return the connections that wait for their client."""
        # A thread that gives one back sets its times first and its state last.
        theirs = (State.RUNNING, State.GONE)
        return [each for each in list(self._connections.values()) if each.state not in theirs]

    def _expire(self, connection: Connection) -> None:
        """Close a connection that has kept us waiting for too long."""
        if connection.state is State.READING and connection.has_begun():
            self._refuse(connection, Refused(408, "Request Timeout", "That took too long."))
        else:
            self._close(connection)

    def _finish(self) -> None:
        """Finish what has begun, but do not wait for long for those who send or read slowly."""
        self._listeners.pause(None)
        began = time.monotonic()
        while (waited := time.monotonic() - began) < self.cfg.graceful_timeout:
            self._turn(0.02)  # First of all take what has come already.
            for connection in self._waiting():
                is_halfway = connection.has_begun() or connection.state is State.LINGERING
                if connection.state is not State.SENDING and (
                    not is_halfway or waited > STOP_SECONDS
                ):
                    self._close(connection)
            if not self._connections:
                break
        self._threads.stop()
        self._hashing.stop()
        for listener in self.sockets:
            listener.close()

    # Accepting.

    def _accept(self, file: int) -> None:
        try:
            for sock, peer, server in self._listeners.accept(file, len(self._connections)):
                if len(self._connections) >= self._room():
                    self._evict()
                self._begin(sock, peer, server)
        except NoFiles:
            self._evict()

    def _begin(self, sock: socket.socket, peer: Any, server: Any) -> None:
        sock.setblocking(False)
        now = time.monotonic()
        connection = Connection(sock, peer, server, now)
        connection.deadline = now + HEAD_SECONDS
        self._connections[sock.fileno()] = connection
        self._epoll.register(sock.fileno(), READ)
        self._balance.report(len(self._connections))

    def _room(self) -> int:
        """Return how many connections there may be; streams take files, too."""
        files = self._files - len(self._streams)
        return max(1, min(int(self.cfg.worker_connections), files))

    def _evict(self) -> None:
        """Close those who have been silent for longest: better than to shut out whoever comes."""
        waiting = self._waiting()
        # Many at once, as finding them takes a look at all.
        count = 1 + len(waiting) // 32
        for connection in nsmallest(count, waiting, key=lambda each: each.active_at):
            self._close(connection)

    # What happens to a connection, in the loop.

    def _guarded(self, connection: Connection) -> None:
        """Go on with a connection; whatever goes wrong ends that one alone."""
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
            self._close(connection)

    def _read(self, connection: Connection) -> None:
        """Take what has come, and give a request that is whole to a thread."""
        try:
            received = connection.sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            self._arm(connection, READ)
            return
        except OSError:
            received = b""
        if not received:
            self._close(connection)
            return
        connection.buffer += received
        self._proceed(connection)

    def _proceed(self, connection: Connection) -> None:
        """Go on with what is in the buffer."""
        had_head = connection.has_head()
        try:
            request = connection.take_request(self.cfg)
        except Refused as refusal:
            self._refuse(connection, refusal)
            return
        except Exception as error:
            sink = Sink()
            self.handle_error(None, sink, connection.peer, error)
            self._send_last(connection, sink.answer())
            return
        now = time.monotonic()
        connection.active_at = now
        if request is not None:
            connection.state = State.RUNNING
            hashes = request.method == "POST" and request.path.startswith(HASHING)
            (self._hashing if hashes else self._threads).put((connection, request))
            return
        if connection.state is State.IDLE:
            connection.state = State.READING
            connection.deadline = now + HEAD_SECONDS
        if connection.has_head() and not had_head:
            connection.deadline = now + BODY_SECONDS
            if connection.expects_continue():
                with contextlib.suppress(OSError):
                    connection.sock.send(CONTINUE)
        self._arm(connection, READ)

    def _linger(self, connection: Connection) -> None:
        """Read on until the client hangs up: closed at once, it might lose the answer."""
        try:
            has_gone = not connection.sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            has_gone = False
        except OSError:
            has_gone = True
        if has_gone:
            self._close(connection)
        else:
            self._arm(connection, READ)

    def _refuse(self, connection: Connection, refusal: Refused) -> None:
        self._send_last(connection, refusal.answer())

    def _send_last(self, connection: Connection, answer: bytes) -> None:
        connection.buffer.clear()
        connection.closes = True
        self._send(connection, answer)

    def _close(self, connection: Connection) -> None:
        connection.state = State.GONE
        self._connections.pop(connection.sock.fileno(), None)
        connection.sock.close()

    # What happens to a connection, in whichever thread owns it.

    def _answer(self, job: Job) -> None:
        """Run the application on a whole request and send its answer, in a thread."""
        connection, request = job
        self.nr += 1
        if self.nr >= self.max_requests and self.alive:
            self.log.info("Autorestarting worker after current request.")
            self.alive = False
        closing = not self.alive or not self.cfg.keepalive
        answer, connection.closes = wsgi.run(self, connection, request, closing)
        if connection.receive is not None:
            self._hand_over(connection, answer)
        else:
            self._send(connection, answer)

    def _send(self, connection: Connection, answer: bytes | memoryview) -> None:
        """Send as much as the client takes, and leave the connection to the loop."""
        try:
            sent = connection.sock.send(answer) if answer else 0
        except BlockingIOError:
            sent = 0
        except OSError:  # The client has gone: there is nobody to send anything to.
            sent, connection.closes = len(answer), True
        now = time.monotonic()
        connection.active_at = now
        if sent < len(answer):
            if connection.state is not State.SENDING:
                connection.deadline = now + ANSWER_SECONDS
            connection.outgoing = memoryview(answer)[sent:]
            connection.state = State.SENDING
            self._arm(connection, WRITE)
            return
        connection.outgoing = b""
        if connection.closes:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_WR)
            connection.deadline = now + LINGER_SECONDS
            connection.state = State.LINGERING
        elif connection.buffer:
            connection.state = State.SENDING
            self._arm(connection, WRITE)
            return
        else:
            connection.deadline = now + self._keepalive
            connection.state = State.IDLE
        self._arm(connection, READ)

    def _arm(self, connection: Connection, events: int) -> None:
        """Have the loop told of the next event; from now on the connection is the loop's."""
        # It may have been closed under us, if it was evicted the moment it became idle.
        with contextlib.suppress(OSError, ValueError):
            self._epoll.modify(connection.sock.fileno(), events)

    def _hand_over(self, connection: Connection, answer: bytes) -> None:
        """Send the beginning of an answer, and give the socket to whoever goes on with it."""
        receive, sock = connection.receive, connection.sock
        assert receive is not None
        connection.state = State.GONE
        self._connections.pop(sock.fileno(), None)
        self._epoll.unregister(sock.fileno())
        try:
            is_sent = sock.send(answer) == len(answer)
        except OSError:
            is_sent = False
        if is_sent:
            self._streams.add(sock)
            receive(sock)
        else:
            sock.close()
