"""Posting to an address that a person has typed: never into our own network, and never for long.

The name is looked up once, every address it has is checked, and the connection goes to one that
was checked: a name that leads elsewhere a moment later leads nowhere. The addresses are tried in
turn. All of it, looking up the name too, has one time limit.
"""

import http.client
import ipaddress
import json
import socket
import ssl
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from flask import current_app

from stockpile_web.notify import slow_hosts
from stockpile_web.notify.failed import Failed, Skipped
from stockpile_web.notify.lanes import Lane

# An address that does not take the connection must leave time for the next one.
CONNECT_TIMEOUT = 3.0
LARGEST_ANSWER = 2048
LONGEST_SAID = 200
LONGEST_WAIT = 6 * 3600
AGENT = "Stockpile-Web"
# For examples only; this version of Python does not know of it yet.
_EXAMPLES = ipaddress.ip_network("3fff::/20")


class Answer(NamedTuple):
    """What the other side said; `wait` is for how many seconds it wants to be left alone."""

    status: int
    text: str
    wait: float


def what_is_wrong_with(address: str) -> str:
    """Say in a sentence what is wrong with an address; empty if nothing is, as far as it shows."""
    if current_app.config["WEBHOOKS"] == "off":
        return "The host of this site has turned this off."
    try:
        parts = urlsplit(address)
        has_port = parts.port != 0
    except ValueError:
        return "This is not an address."
    if parts.scheme not in _schemes() or not parts.hostname or not has_port:
        return f"The address must begin with {_schemes()[0]}://"
    if parts.username is not None or not address.isascii() or not address.isprintable():
        return "The address must have no name in it and only plain letters."
    return "" if " " not in address else "There must be no space in the address."


def post(address: str, body: bytes | dict[str, Any], headers: dict[str, str], lane: Lane) -> str:
    """Post `body` (a dict as JSON) and return the answer; raise Failed unless it was taken."""
    if wrong := what_is_wrong_with(address):
        raise Failed(wrong, for_good=True)
    host = urlsplit(address).netloc
    if lane.is_for_the_quick and slow_hosts.is_slow(host):
        raise Skipped(host_of(address))
    with slow_hosts.timed(host):
        answer = send_request(address, body, headers, lane.timeout)
    said = f"{answer.status} {answer.text}".strip()[:LONGEST_SAID]
    if 200 <= answer.status < 300:
        return said
    # Not found, gone, moved: it will not change by itself. Too many, or a fault there: it may.
    for_good = answer.status < 500 and answer.status not in (408, 425, 429)
    raise Failed(said, for_good=for_good, status=answer.status, wait=answer.wait)


def send_request(
    address: str,
    body: bytes | dict[str, Any],
    headers: dict[str, str],
    timeout: float,
    *,
    is_hosts: bool = False,
    largest: int = LARGEST_ANSWER,
) -> Answer:
    """Post `body` and return whatever is answered; raise Failed if nothing is.

    `timeout` is for everything, from the look-up of the name to the end of the answer.
    Wherever the host of this site has set an address (`is_hosts`), it may lie anywhere.
    """
    if isinstance(body, dict):
        body = json.dumps(body).encode()
        headers = {**headers, "Content-Type": "application/json"}
    deadline = time.monotonic() + timeout
    try:
        return _exchange(urlsplit(address), body, headers, is_hosts, largest, deadline)
    except TimeoutError:
        raise Failed("No answer in time.", for_good=False) from None
    except ssl.SSLError as error:
        raise Failed(f"Not safe to connect: {error.reason}", for_good=False) from None
    except (OSError, http.client.HTTPException) as error:
        raise Failed(f"Cannot be reached: {error}", for_good=False) from None


def host_of(address: str) -> str:
    """Return the host of an address: what a log may show, for the rest is often a password."""
    return urlsplit(address).hostname or ""


def is_public(address: str) -> bool:
    """Tell whether a numeric address is one of the whole internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        # An IPv4 address may lie inside: what counts is that one.
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if inner is None and ip in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
        if ip.is_site_local or ip in _EXAMPLES:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _schemes() -> tuple[str, ...]:
    return ("https", "http") if current_app.config["WEBHOOKS"] == "any" else ("https",)


def _look_up(host: str, port: int, is_hosts: bool, deadline: float) -> list[str]:
    """Return the numeric addresses of a host; refuse it if one of them is not for us."""
    try:
        found = _resolve(host, port).result(_left(deadline))
    except (socket.gaierror, UnicodeError):
        raise Failed(f"There is no host {host}.", for_good=False) from None
    addresses = [str(entry[4][0]) for entry in found]
    may_be_private = is_hosts or current_app.config["WEBHOOKS"] == "any"
    if not may_be_private and not all(map(is_public, addresses)):
        raise Failed(f"{host} lies in a private network: that is not allowed.", for_good=True)
    return list(dict.fromkeys(addresses))


def _resolve(host: str, port: int) -> Future[list[Any]]:
    """Look a name up in a thread of its own: the resolver knows no time limit of ours."""
    answer: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            answer.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except BaseException as error:  # noqa: BLE001 (passed on to whoever waits)
            answer.set_exception(error)

    threading.Thread(target=look_up, daemon=True).start()
    return answer


def _connect(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Connect to the first address that takes the connection."""
    for tried, address in enumerate(addresses, start=1):
        is_last = tried == len(addresses)
        seconds = _left(deadline) if is_last else min(_left(deadline) / 2, CONNECT_TIMEOUT)
        try:
            return socket.create_connection((address, port), seconds)
        except OSError:
            if is_last:
                raise
    raise OSError("the host has no address")


def _exchange(
    parts: SplitResult,
    body: bytes,
    headers: dict[str, str],
    is_hosts: bool,
    largest: int,
    deadline: float,
) -> Answer:
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    plain = _connect(_look_up(host, port, is_hosts, deadline), port, deadline)
    plain.settimeout(_left(deadline))
    # However slowly the other side speaks, it ends. A copy, because TLS takes the socket over.
    guard, is_cut = plain.dup(), threading.Event()
    end = threading.Timer(_left(deadline), _cut, [guard, is_cut])
    end.daemon = True
    end.start()
    connection = http.client.HTTPConnection(host, port)
    try:
        connection.sock = plain
        if parts.scheme == "https":
            context = ssl.create_default_context()
            connection.sock = context.wrap_socket(plain, server_hostname=host)
        name = host if port in (80, 443) else f"{host}:{port}"
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        own = {"Host": name, "Connection": "close", "User-Agent": AGENT}
        connection.request("POST", path, body, {**headers, **own})
        response = connection.getresponse()
        text = response.read(largest).decode(errors="replace")
        wait = _seconds(response.headers.get("Retry-After", ""))
        return Answer(response.status, " ".join(text.split()), wait)
    except (OSError, http.client.HTTPException):
        if is_cut.is_set():
            raise TimeoutError from None
        raise
    finally:
        end.cancel()
        connection.close()
        plain.close()
        guard.close()


def _left(deadline: float) -> float:
    """Return the seconds that are left; raise TimeoutError if none are."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _seconds(text: str) -> float:
    """Return the seconds that a header tells; none if it tells them otherwise."""
    return min(int(text), LONGEST_WAIT) if text.isascii() and text.isdigit() else 0


def _cut(connection: socket.socket, is_cut: threading.Event) -> None:
    is_cut.set()
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
