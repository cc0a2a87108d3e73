"""Posting to an address that somebody has typed: where it may lead, and for how long."""

import socket
import time

import pytest

from stockpile_web.notify.channels import Failed, post
from stockpile_web.notify.lanes import SLOW

pytestmark = pytest.mark.usefixtures("may_post_here")


def failure(app, address, timeout=SLOW.timeout):
    with app.app_context(), pytest.raises(Failed) as failed:
        post.post(address, b"x", {}, SLOW._replace(timeout=timeout))
    return str(failed.value), failed.value.for_good


def test_a_silent_a_slow_a_closed_and_a_garbled_server_hold_up_nobody(app, receiver):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        assert failure(app, f"http://{address}/", 0.3) == ("No answer in time.", False)
        assert failure(app, f"https://{address}/", 0.3) == ("No answer in time.", False)
    assert failure(app, f"http://{address}/")[0].startswith("Cannot be reached")
    began = time.monotonic()
    receiver.drip = True
    with app.app_context():
        brief = SLOW._replace(timeout=1)
        post.post(receiver.url, b"x", {}, brief)  # It has said 200, and is cut off after that.
    assert time.monotonic() - began < 5
    receiver.drip = False
    secure = receiver.url.replace("http:", "https:")
    assert failure(app, secure)[0].startswith("Not safe to connect")
    assert failure(app, "http://no-such-host.invalid/")[0] == (
        "There is no host no-such-host.invalid."
    )


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1",
        "fec0::1", "feff::1", "3fff::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "ff02::1",
    ],
)  # fmt: skip
def test_private_addresses_are_known_in_every_disguise(address):
    assert not post.is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"])
def test_public_addresses_are_let_through(address):
    assert post.is_public(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1"])
def test_nothing_is_posted_into_a_private_network(app, receiver, host):
    app.config["WEBHOOKS"] = "public"
    said, for_good = failure(app, f"https://{host}:{receiver.server.server_port}/")
    assert "private network" in said and for_good
    assert receiver.got == []


def test_a_name_that_leads_to_one_private_address_among_others_is_refused(app, monkeypatch):
    app.config["WEBHOOKS"] = "public"
    found = [(2, 1, 6, "", (ip, 443)) for ip in ("1.1.1.1", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert "private network" in failure(app, "https://example.org/")[0]


def test_the_connection_goes_to_the_address_that_was_checked(app, receiver, monkeypatch):
    """A name that is looked up twice could lead elsewhere the second time."""
    real, asked = socket.getaddrinfo, []

    def look_up(host, *rest, **further):
        asked.append(host)
        return real("127.0.0.1" if host == "games.example" else host, *rest, **further)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    address = f"games.example:{receiver.server.server_port}"
    with app.app_context():
        assert post.post(f"http://{address}/", b"x", {}, SLOW) == "200 thank you"
    assert asked == ["games.example", "127.0.0.1"]
    assert receiver.got[0][1]["Host"] == address


def _leads_to(monkeypatch, *addresses):
    """Let the name games.example have these addresses."""
    real = socket.getaddrinfo

    def look_up(host, port, *rest, **further):
        if host == "games.example":
            return [(2, 1, 6, "", (address, port)) for address in addresses]
        return real(host, port, *rest, **further)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_if_one_address_of_a_host_does_not_answer_the_next_one_is_tried(app, receiver, monkeypatch):
    _leads_to(monkeypatch, "127.0.0.2", "127.0.0.3", "127.0.0.1")
    with app.app_context():
        address = f"http://games.example:{receiver.server.server_port}/"
        assert post.post(address, b"x", {}, SLOW) == "200 thank you"
    assert len(receiver.got) == 1


def test_all_addresses_together_have_one_time_limit(app, monkeypatch):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:  # Until no connection is taken any more.
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        _leads_to(monkeypatch, *["127.0.0.1"] * 3)
        began = time.monotonic()
        assert failure(app, f"http://games.example:{port}/", 1) == ("No answer in time.", False)
        assert time.monotonic() - began < 3
        for filler in fillers:
            filler.close()


def test_a_name_that_nobody_answers_for_is_given_up_in_time(app, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    began = time.monotonic()
    assert failure(app, "http://games.example/", 0.3) == ("No answer in time.", False)
    assert time.monotonic() - began < 2
