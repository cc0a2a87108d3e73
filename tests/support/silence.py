"""Crowds of people with hooks, servers that never speak, and the real worker among them."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from flask import Flask
from sqlalchemy import delete, func, select

from stockpile_web.storage import outbox
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Channel, Notice, User
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import watch
from tests.support.crowd import gather
from tests.support.people import seated

KINDS = ("ntfy", "discord", "slack", "webhook")


class SilentHosts(list[str]):
    """Addresses of servers that take every connection and never speak."""

    def __init__(self, count: int) -> None:
        self._servers = [socket.create_server(("127.0.0.1", 0), backlog=500) for _ in range(count)]
        super().__init__(f"127.0.0.1:{server.getsockname()[1]}" for server in self._servers)

    def close(self) -> None:
        """Hang up on everybody."""
        for server in self._servers:
            server.close()


@contextmanager
def silent_hosts(count: int) -> Iterator[SilentHosts]:
    """Run so many servers until the end of the block."""
    hosts = SilentHosts(count)
    try:
        yield hosts
    finally:
        hosts.close()


@contextmanager
def working(app: Flask, silent: SilentHosts | None = None) -> Iterator[None]:
    """Run the worker until the end of the block; then it need not wait for the silent hosts."""
    stop = threading.Event()
    thread = threading.Thread(target=watch.run, args=(app, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        if silent is not None:
            silent.close()
        thread.join(60)
        assert not thread.is_alive()


def fill(app: Flask, sign_up: Callable[..., int], count: int) -> tuple[int, range]:
    """Seat a crowd; return the table of Ann and Bob, and the numbers of the others."""
    match_id, _ = seated(app, sign_up, 5)
    with app.app_context(), writing() as tx:
        first = tx.scalars(select(func.max(User.id))).one()
        tx.execute(delete(Notice))
    gather(app, match_id, count + -count % 5)
    with app.app_context(), writing() as tx:
        tx.execute(delete(Notice).where(Notice.user_id > first + count))
        return match_id, range(first + 1, first + 1 + count)


def give_hooks(app: Flask, people: Iterable[int], hosts: Sequence[str]) -> None:
    """Give each of them a hook of every kind, each at another host as far as there are enough."""
    with app.app_context(), writing() as tx:
        for number, user_id in enumerate(people):
            tx.get_one(User, user_id).email = None
            for at, kind in enumerate(KINDS):
                host = hosts[(number * len(KINDS) + at) % len(hosts)]
                tx.add(Channel(user_id=user_id, kind=kind, address=f"http://{host}/x"))


def give_hook(app: Flask, name: str, address: str, kind: str = "webhook") -> None:
    """Give somebody a hook."""
    with app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == name)).one()
        tx.add(Channel(user_id=user_id, kind=kind, address=address, secret="s"))


def tell(app: Flask, match_id: int, name: str, version: int = 1) -> None:
    """Leave a notice for somebody, due in a second as every one is."""
    with app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == name)).one()
        news = [("started", user_id)]
        outbox.write(tx.connection(), match_id, version, now(), [], news)
