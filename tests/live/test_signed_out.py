"""Whoever loses the right to watch in one process is cut off in another, without news of a match.

The real server holds the streams; this process, on the same database, is the other one.
"""

import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import NamedTuple

import pytest

from tests.browser.account import PASSWORD, Account
from tests.browser.house import House, open_house
from tests.browser.scenes import seat, set_up_table
from tests.support.live_site import read_to_end


class Page(NamedTuple):
    """An open page: what it is told, and the version that it was told first."""

    stream: HTTPResponse
    version: bytes


Watch = Callable[[Account, int], Page]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def house(request, tmp_path_factory) -> Iterator[House]:
    settings = {"WORKER": "off", "SITE_URL": ""}
    if request.param == "postgres":
        settings["DATABASE_URL"] = request.getfixturevalue("postgres").create("signed_out")
    with open_house(tmp_path_factory.mktemp("signed_out"), **settings) as house:
        yield house


@pytest.fixture
def watch(house) -> Iterator[Watch]:
    """Opens a stream, and waits until it has begun."""
    opened: list[HTTPConnection] = []

    def watch(person: Account, match_id: int) -> Page:
        connection = HTTPConnection("127.0.0.1", house.port, timeout=20)
        opened.append(connection)
        cookie = {"Cookie": f"session={person.cookie()}"}
        connection.request("GET", f"/table/{match_id}/events", headers=cookie)
        stream = connection.getresponse()
        assert stream.status == 200
        while not (line := stream.readline()).startswith(b"data: "):
            pass
        return Page(stream, line)

    yield watch
    for connection in opened:
        connection.close()


def people(house: House, *names: str) -> list[Account]:
    found = [Account(house) for _ in names]
    for person, name in zip(found, names, strict=True):
        person.sign_up_quietly(name)
    return found


def other_device(person: Account) -> Account:
    """Return somebody once more, signed in elsewhere."""
    twin = Account(person.house)
    twin.name = person.name
    twin.client.environ_base["REMOTE_ADDR"] = person.client.environ_base["REMOTE_ADDR"]
    twin.send("/sign-in", name=person.name, password=PASSWORD)
    return twin


def still_told(page: Page, speaker: Account, match_id: int) -> bool:
    """Tell whether a stream still brings what is new at its table, and not what it has said."""
    speaker.send(f"/table/{match_id}/chat", text="Hello?")
    deadline = time.monotonic() + 15
    while (line := page.stream.readline()) and time.monotonic() < deadline:
        if line.startswith(b"data: ") and line != page.version:
            return True
    return False


WAYS = {
    "sign out there": lambda here, there: there.send("/sign-out"),
    "sign out elsewhere": lambda here, there: here.send("/account/devices/sign-out", others="on"),
    "change the password": lambda here, there: here.send(
        "/account/password", password=PASSWORD, new_password="battery staple"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_pages_of_a_device_that_is_signed_out_are_cut_off_and_no_others(house, watch, way):
    ann, bob = people(house, "ann", "bob")
    match_id = seat(ann, bob)
    elsewhere = other_device(ann)
    anns, gone, bobs = (watch(who, match_id) for who in (ann, elsewhere, bob))
    WAYS[way](ann, elsewhere)
    read_to_end(gone.stream)
    assert still_told(anns, bob, match_id) and still_told(bobs, bob, match_id)


def test_whoever_deletes_their_account_is_cut_off(house, watch):
    ann, bob = people(house, "ann", "bob")
    bobs = watch(bob, set_up_table(ann, 3, listed="on"))
    bob.send("/account/delete", password=PASSWORD)
    read_to_end(bobs.stream)


def test_whoever_is_put_out_of_a_group_or_leaves_it_sees_its_tables_no_more(house, watch):
    ann, bob, carol = people(house, "ann", "bob", "carol")
    group = ann.send("/groups/new", name=f"Club of {ann.name}", entry="open")
    match_id = set_up_table(ann, 3, group=group.rsplit("/", 1)[1])
    for member in (bob, carol):
        member.send(group, do="join")
    anns, bobs, carols = (watch(who, match_id) for who in (ann, bob, carol))
    ann.send(group, do="remove", whom=bob.name)
    read_to_end(bobs.stream)
    carol.send(group, do="leave")
    read_to_end(carols.stream)
    assert still_told(anns, ann, match_id)


def test_whoever_loses_their_seat_is_cut_off(house, watch):
    ann, bob = people(house, "ann", "bob")
    match_id = set_up_table(ann, 3, listed="on")
    bob.send(f"/table/{match_id}/seating", do="join")
    anns, bobs = watch(ann, match_id), watch(bob, match_id)
    ann.send(f"/table/{match_id}/seating", do="remove", seat="1")
    read_to_end(bobs.stream)
    assert still_told(anns, ann, match_id)
