"""Live updates and ordinary requests under the real gunicorn, set up by our gunicorn.conf.py."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from tests.support import live_app
from tests.support.live_site import Site, Watcher, serving, wait_until

THREADS = 4


@pytest.fixture(scope="module")
def sqlite_url(tmp_path_factory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('live')}/live.db"
    live_app.create_tables(url)
    return url


@pytest.fixture(scope="module")
def site(sqlite_url) -> Iterator[Site]:
    site = Site(sqlite_url, threads=THREADS)
    with serving(site):
        yield site


@pytest.fixture
def room() -> Iterator[ExitStack]:
    """Closes what a test opens."""
    with ExitStack() as room:
        yield room


def watch(room: ExitStack, site: Site, match_id: int, **options: str) -> Watcher:
    """Open a viewer and wait until the hub has told it the version."""
    watcher = Watcher(site, match_id, **options)
    room.callback(watcher.close)
    watcher.first_version()
    return watcher


def test_there_can_be_many_more_viewers_than_threads(site, room):
    watchers = [watch(room, site, 1) for _ in range(THREADS * 10)]
    assert site.count() == len(watchers)
    version = site.move(1)
    for watcher in watchers:
        watcher.wait_for_version(version)
    for watcher in watchers[1:]:
        watcher.close()
    wait_until(lambda: site.count() == 1)
    watchers[0].wait_for_version(site.move(1))


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_the_stream_is_well_formed(site, room, version):
    watcher = watch(room, site, 2, version=version)
    told = site.move(2)
    watcher.wait_for_version(told)
    headers, _, body = watcher.heard.decode().partition("\r\n\r\n")
    assert headers.startswith(f"HTTP/{version} 200 ")
    assert "Content-Type: text/event-stream" in headers
    assert "Cache-Control: no-store" in headers
    assert "X-Accel-Buffering: no" in headers
    assert ("Transfer-Encoding: chunked" in headers) == (version == "1.1")
    expected = r"retry: \d+\n\n(event: state\ndata: \d+\.0\n\n)+"
    if version == "1.1":
        expected = r"[CD]\r\nretry: \d+\n\n\r\n(18\r\nevent: state\ndata: \d\.0\n\n\r\n)+"
    assert re.fullmatch(expected, body)


def test_a_slow_reader_is_dropped_while_the_others_go_on(site, room):
    watch(room, site, 3)  # Never reads again.
    awake = watch(room, site, 3)
    for first in range(1, 100_000, 50):
        site.ask(f"/flood/3/{first}", "POST")
        awake.wait_for_version(f"{first + 49}.0")
        awake.heard = b""
        if site.count() == 1:
            return
    pytest.fail("nobody was dropped")


def test_connections_that_come_and_go_leave_no_descriptor_behind(site):
    before = site.about()["files"]
    for _ in range(200):
        Watcher(site, 1).close()
    wait_until(lambda: site.count() == 0 and site.about()["files"] <= before + 2)


def test_a_connection_serves_a_request_then_a_stream_and_others_are_kept_alive(site, room):
    kept = HTTPConnection("127.0.0.1", site.port, timeout=5)
    room.callback(kept.close)
    kept.request("GET", "/about")
    assert kept.getresponse().read()
    local = kept.sock.getsockname()
    watcher = Watcher(site, 1)
    room.callback(watcher.close)
    watcher.first_version()
    for _ in range(3):
        kept.request("GET", "/about")
        assert kept.getresponse().read()
    assert kept.sock.getsockname() == local
    kept.sock.sendall(
        b"GET /table/1/events HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
    )
    heard = b""
    while b"event: state" not in heard:
        heard += kept.sock.recv(4096)
    wait_until(lambda: site.count() == 2)


def test_only_the_newest_pages_of_one_person_are_kept(site, room):
    watchers = [watch(room, site, 1, key="ann") for _ in range(7)]
    assert watchers[0].rest().endswith(b"event: full\ndata:\n\n\r\n0\r\n\r\n")
    assert site.count() == 6


def test_asking_for_the_headers_alone_opens_no_stream(site):
    connection = HTTPConnection("127.0.0.1", site.port, timeout=5)
    connection.request("HEAD", "/table/1/events")
    assert connection.getresponse().read() == b""
    connection.close()
    assert site.count() == 0


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def two_sites(request, sqlite_url, site) -> Iterator[tuple[Site, Site]]:
    """Two processes on one database."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            sites = site, Site(sqlite_url)
            stack.enter_context(serving(sites[1]))
        else:
            url = request.getfixturevalue("postgres").create("live_sites")
            live_app.create_tables(url)
            sites = Site(url), Site(url)
            stack.enter_context(serving(*sites))
        yield sites


def test_each_process_hears_of_a_move_made_in_the_other(two_sites, room):
    here, there = two_sites
    watchers = [watch(room, here, 4), watch(room, there, 4)]
    for mover in (here, there, here):
        version = mover.move(4)
        for watcher in watchers:
            watcher.wait_for_version(version)


def test_open_streams_end_properly_and_do_not_hold_up_a_restart(sqlite_url):
    site = Site(sqlite_url)
    with serving(site), ExitStack() as room:
        watchers = [watch(room, site, 1) for _ in range(10)]
        assert site.stop() < 10
        for watcher in watchers:
            assert watcher.rest().endswith(b"\r\n0\r\n\r\n")


def test_clients_that_ask_to_close_and_do_not_stall_nobody(site, room):
    began = time.monotonic()
    for _ in range(5):
        rude = room.enter_context(socket.create_connection(("127.0.0.1", site.port)))
        rude.sendall(b"GET /about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert rude.recv(1000)
    site.about()
    assert time.monotonic() - began < 6  # 2 s for each of the five, if gunicorn waits for them.
