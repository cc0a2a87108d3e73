"""All connections of this process, and the events that each of them waits for."""

import contextlib
import select
import socket
from heapq import nlargest, nsmallest
from weakref import WeakSet

from stockpile_web.server.connection import Connection, State

# One event, then silence: meanwhile a connection may belong to a thread.
READ = select.EPOLLIN | select.EPOLLONESHOT
WRITE = select.EPOLLOUT | select.EPOLLONESHOT

MOST_HELD = 64 * 1024 * 1024  # Bytes of half requests and of answers that nobody takes.


class Connections:
    """The open connections, up to `most` of them; streams take from the same `files`."""

    def __init__(self, epoll: select.epoll, most: int, files: int) -> None:
        self._epoll = epoll
        self._most = most
        self._files = files
        self._by_file: dict[int, Connection] = {}
        self._streams: WeakSet[socket.socket] = WeakSet()  # Given away, and not closed yet.

    def __len__(self) -> int:
        return len(self._by_file)

    def get(self, file: int) -> Connection | None:
        return self._by_file.get(file)

    def add(self, connection: Connection) -> None:
        """Take a new connection in; if there are too many, others have to go."""
        room = min(self._most, self._files - len(self._streams))
        if len(self._by_file) >= max(1, room):
            self.evict()
        try:
            connection.sock.setblocking(False)
            self._epoll.register(connection.sock.fileno(), READ)
        except OSError:  # The system has no memory for it.
            connection.sock.close()
            return
        self._by_file[connection.sock.fileno()] = connection

    def arm(self, connection: Connection, events: int) -> None:
        """Have the loop told of the next event; from now on the connection is the loop's."""
        # It may have been closed under us, if it was evicted the moment it became idle.
        with contextlib.suppress(OSError, ValueError):
            self._epoll.modify(connection.sock.fileno(), events)

    def close(self, connection: Connection) -> None:
        connection.state = State.GONE
        self._by_file.pop(connection.sock.fileno(), None)
        connection.sock.close()

    def give_away(self, connection: Connection) -> socket.socket:
        """Forget a connection, which stays open, and return its socket."""
        connection.state = State.GONE
        self._by_file.pop(connection.sock.fileno(), None)
        self._epoll.unregister(connection.sock.fileno())
        self._streams.add(connection.sock)
        return connection.sock

    def waiting(self) -> list[Connection]:
        """Return those that wait for their client; all others are not the loop's."""
        # A thread that gives one back sets its times first and its state last.
        theirs = (State.RUNNING, State.GONE)
        return [each for each in list(self._by_file.values()) if each.state not in theirs]

    def evict(self) -> None:
        """Close those who have been silent for longest: better than to shut out whoever comes."""
        waiting = self.waiting()
        # Many at once, as finding them takes a look at all.
        count = 1 + len(waiting) // 32
        for connection in nsmallest(count, waiting, key=lambda each: each.active_at):
            self.close(connection)

    def trim(self) -> None:
        """Close those who hold the most memory, if all together hold too much."""
        waiting = self.waiting()
        if sum(each.held() for each in waiting) > MOST_HELD:
            for connection in nlargest(1 + len(waiting) // 8, waiting, key=Connection.held):
                self.close(connection)
