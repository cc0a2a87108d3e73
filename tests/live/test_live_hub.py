"""The hub: who is told what, when several pages watch a match."""

import socket
from collections.abc import Callable, Iterator

import pytest

from stockpile_web.live.audiences import STREAMS_PER_KEY, Viewer
from stockpile_web.live.boards import Brought, Source
from stockpile_web.live.hub import Hub
from tests.support.live_site import wait_until

Watch = Callable[..., socket.socket]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Adds viewers; what a test gets is the far end of the connection."""
    far_ends = []

    def watch(
        hub: Hub,
        match_id: int,
        key: str | None = None,
        chunked: bool = False,
        source: Source | None = None,
        shown: object = None,
    ):
        ours, hubs = socket.socketpair()
        ours.settimeout(5)
        far_ends.append(ours)
        hub.add(Viewer(hubs, match_id, key, chunked, source, shown))
        return ours

    yield watch
    for ours in far_ends:
        ours.close()


@pytest.fixture
def hub() -> Iterator[Hub]:
    hub = Hub(on_new=lambda match_id: None)
    yield hub
    hub.close()


def read(viewer: socket.socket) -> str:
    """Return what the viewer was sent."""
    return viewer.recv(65536).decode()


def test_everyone_who_watches_a_match_is_told_its_version(watch, hub):
    here, there, elsewhere = watch(hub, 1), watch(hub, 1), watch(hub, 2)
    hub.tell({1: (7, 2), 2: (1, 0)})
    assert read(here) == read(there) == "event: state\ndata: 7.2\n\n"
    assert read(elsewhere) == "event: state\ndata: 1.0\n\n"


def test_over_http_1_1_each_message_is_a_chunk(watch, hub):
    viewer = watch(hub, 1, chunked=True)
    hub.tell({1: (7, 2)})
    assert read(viewer) == "18\r\nevent: state\ndata: 7.2\n\n\r\n"


def test_a_newcomer_is_told_what_the_others_know(watch, hub):
    first = watch(hub, 1)
    hub.tell({1: (7, 2)})
    read(first)
    assert read(watch(hub, 1)) == "event: state\ndata: 7.2\n\n"


def test_versions_are_never_told_backwards_nor_twice(watch, hub):
    viewer = watch(hub, 1)
    for version in [(7, 2), (6, 2), (7, 2), (6, 3)]:
        hub.tell({1: version})
    hub.tell({1: (8, 0)})
    wanted = "".join(f"event: state\ndata: {v}\n\n" for v in ("7.2", "7.3", "8.3"))
    heard = ""
    while len(heard) < len(wanted):
        heard += read(viewer)
    assert heard == wanted


def test_a_viewer_is_registered_before_the_version_is_read(watch):
    registered = []
    hub: Hub
    hub = Hub(on_new=lambda match_id: registered.append(hub.watches(match_id)))
    watch(hub, 1)
    watch(hub, 1)
    wait_until(lambda: hub.count() == 2)
    hub.close()
    assert registered == [True]


def test_the_version_is_repeated_so_that_a_page_whose_fetch_failed_heals(watch):
    hub = Hub(on_new=lambda match_id: None, ping_seconds=0.05)
    viewer = watch(hub, 1)
    assert read(viewer) == ": still here\n\n"
    hub.tell({1: (7, 2)})
    heard = ""
    while heard.count("data: 7.2\n") < 3:
        heard += read(viewer)
    hub.close()


def test_a_viewer_who_hangs_up_is_forgotten(watch, hub):
    viewer = watch(hub, 1, key="ann")
    wait_until(lambda: hub.watched() == [1])
    viewer.close()
    wait_until(lambda: hub.count() == 0)
    assert hub.watched() == []


def test_a_viewer_who_does_not_read_is_dropped_and_the_others_stay(watch, hub):
    asleep, awake = watch(hub, 1), watch(hub, 1)
    for version in range(20_000):
        hub.tell({1: (version, 0)})
        awake.recv(65536)
        if hub.count() == 1:
            break
    assert hub.watches(1) and hub.count() == 1
    while asleep.recv(65536):
        pass  # What it had not read is still there, then comes the end.


def test_the_oldest_page_of_one_person_gives_way_when_there_are_too_many(watch, hub):
    bystander = watch(hub, 1, key="bea")
    pages = [watch(hub, 1, key="ann") for _ in range(STREAMS_PER_KEY + 1)]
    assert read(pages[0]) == "event: full\ndata:\n\n"
    assert read(pages[0]) == ""
    hub.tell({1: (7, 2)})
    for page in [bystander, *pages[1:]]:
        assert read(page) == "event: state\ndata: 7.2\n\n"


def test_streams_end_properly_when_the_server_stops(watch):
    hub = Hub(on_new=lambda match_id: None)
    viewer = watch(hub, 1, chunked=True)
    wait_until(lambda: hub.count() == 1)
    hub.close()
    assert read(viewer) == "0\r\n\r\n"
    assert read(viewer) == ""


def test_one_bad_connection_does_not_silence_the_others(watch, hub, caplog):
    viewer = watch(hub, 1)
    gone = socket.socket()
    gone.close()
    hub.add(Viewer(gone, 1, None, chunked=False))
    hub.tell({1: (7, 2)})
    assert read(viewer) == "event: state\ndata: 7.2\n\n"
    assert "could not" in caplog.text


def test_what_viewers_share_is_asked_for_once_and_brought_to_all_of_them_alone(watch, hub):
    asked: list[tuple[int, object]] = []

    def board(match_id: int, shown: object) -> Brought:
        asked.append((match_id, shown))
        return Brought(b"board %d\n\n" % len(asked), len(asked))

    ours, theirs = Source("ours", board), Source("theirs", lambda *_: Brought(None, None))
    us = [watch(hub, 1, source=ours, shown="page") for _ in range(3)]
    they, plain = watch(hub, 1, source=theirs), watch(hub, 1)
    hub.tell({1: (6, 2)})
    assert {read(viewer) for viewer in (*us, they, plain)} == {"event: state\ndata: 6.2\n\n"}
    hub.tell({1: (7, 2)})
    assert [read(viewer) for viewer in us] == ["board 1\n\n"] * 3
    # Whoever cannot be brought it, and whoever has no source, is told the version.
    assert read(they) == read(plain) == "event: state\ndata: 7.2\n\n"
    hub.tell({1: (8, 2)})
    assert [read(viewer) for viewer in us] == ["board 2\n\n"] * 3
    assert asked == [(1, "page"), (1, 1)]


def test_what_a_page_showed_is_forgotten_when_the_last_of_its_source_leaves(watch, hub):
    asked: list[object] = []

    def board(_match_id: int, shown: object) -> Brought:
        asked.append(shown)
        return Brought(None, None)

    source = Source("comes and goes", board)
    watch(hub, 1)  # Somebody else stays.
    gone = watch(hub, 1, source=source, shown="page")
    wait_until(lambda: hub.count() == 2)
    gone.close()
    wait_until(lambda: hub.count() == 1)
    watch(hub, 1, source=source)
    hub.tell({1: (6, 2)})
    hub.tell({1: (7, 2)})
    wait_until(lambda: bool(asked))
    assert asked == [None]


def test_a_board_that_fails_keeps_nobody_else_waiting_and_its_pages_fetch(watch, hub, caplog):
    def fail(*_: object) -> Brought:
        raise ValueError("no board")

    failing, fine = Source("failing", fail), Source("fine", lambda *_: Brought(b"board\n\n", 1))
    one, other = watch(hub, 1, source=failing), watch(hub, 1, source=fine)
    hub.tell({1: (6, 2)})
    assert read(one) == read(other)
    hub.tell({1: (7, 2)})
    assert read(one) == "event: state\ndata: 7.2\n\n"
    assert read(other) == "board\n\n"
    assert "could not be brought" in caplog.text


def test_who_may_see_no_more_is_let_go(watch, hub):
    gone, stays = watch(hub, 1, source=Source("gone", lambda *_: None)), watch(hub, 1)
    hub.tell({1: (6, 2)})
    assert read(gone) == read(stays)
    hub.tell({1: (7, 2)})
    assert read(stays) == "event: state\ndata: 7.2\n\n"
    assert read(gone) == ""


def test_the_pages_of_a_device_that_is_signed_out_are_let_go_and_no_others(watch):
    looks: list[int] = []
    hub = Hub(on_new=looks.append)
    phone, laptop = (Source(name, lambda *_: None, name) for name in ("phone", "laptop"))
    member = Source("member", lambda *_: None, "tablet", (7, 1))
    stranger = Source("all", lambda *_: None)
    gone = [watch(hub, match, source=phone) for match in (1, 1, 2)]
    stay = [watch(hub, 1, source=source) for source in (laptop, member, stranger)]
    wait_until(lambda: hub.count() == 6)
    assert hub.guarded() == {phone, laptop, member}
    # Whoever may have been signed out on the way here is looked at; strangers cannot be.
    assert looks == [1, 1, 2, 1, 1]
    hub.let_go({phone})
    assert [read(viewer) for viewer in gone] == [""] * 3
    hub.tell({1: (7, 2)})
    assert [read(viewer) for viewer in stay] == ["event: state\ndata: 7.2\n\n"] * 3
    hub.close()
