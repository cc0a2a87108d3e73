"""Two servers with nothing in common but a Postgres and the settings that hosts must share.

No sticky sessions and no shared disk: each request goes to either of them by chance.
"""

import time
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlencode

import pytest

from stockpile_web.web import rate_limits
from tests.conftest import PASSWORD
from tests.support.aftermath import refuse_dishonest, refuse_lost_or_doubled, wait_until_told
from tests.support.faults import BY_HTTP, Host, hosting
from tests.support.insisting import TOKEN, Browser
from tests.support.live_site import read_to_end, wait_until
from tests.support.people import seated
from tests.support.whole_matches import begin, play

# SQLite is a file on one machine.
pytestmark = [
    pytest.mark.long,
    pytest.mark.parametrize("database_url", ["postgres"], indirect=True),
]


@pytest.fixture
def hosts(site, postbox, tmp_path):
    """Two machines, as far as they can tell."""
    both = [
        Host(
            site,
            tmp_path / name,
            web=1,
            STOCKPILE_INSTANCE=str(tmp_path / f"{name}_instance"),
            **postbox.settings() | BY_HTTP,
        )
        for name in ("here", "there")
    ]
    with hosting(*both):
        yield both


class Stream:
    """An open page: what a host brings to it."""

    def __init__(self, host, browser, match_id):
        self._connection = HTTPConnection("127.0.0.1", host.port, timeout=60)
        session = browser.cookies["session"].value
        self._connection.request(
            "GET", f"/table/{match_id}/events", headers={"Cookie": f"session={session}"}
        )
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200

    def rest(self):
        """Return what it still brings until it ends."""
        return read_to_end(self._answer).decode()

    def next_line(self, *beginnings):
        """Return the next line that begins so; nothing at the end of the stream."""
        while line := self._answer.readline().decode():
            if line.startswith(beginnings):
                return line
        return ""

    def close(self):
        self._connection.close()


def test_matches_are_played_across_two_hosts_while_one_is_restarted(site, sign_up, postbox, hosts):
    matches = dict(begin(site, sign_up, number) for number in range(2))
    restarts: list[int] = []  # After how many moves.

    def restart_one(moves):
        if len(restarts) < 2 and moves > 40 * (len(restarts) + 1):
            restarts.append(moves)
            host = hosts[len(restarts) % 2]
            host.stop()
            host.start()

    players = play(site, hosts, matches, Random(1), restart_one)
    assert len(restarts) == 2
    repeated = sum(len(each.accepted) - len(set(each.accepted)) for each in players)
    print(f"{repeated} forms were filled in alike on a page of a moment ago")
    refuse_lost_or_doubled(site, players)
    refuse_dishonest(site, list(matches))
    wait_until_told(site, postbox)


def test_an_open_page_at_one_host_is_brought_what_happens_at_the_other(site, sign_up, hosts):
    here, there = hosts
    match_id, (ann, bob) = seated(site, sign_up, 2)
    watching = Browser([there], bob, Random(1))
    watching.look(f"/table/{match_id}")
    talking = Browser([here], ann, Random(2))
    token = TOKEN.findall(talking.look(f"/table/{match_id}"))[0]
    stream = Stream(there, watching, match_id)
    first = stream.next_line("data: ")
    sent = talking.ask(here, f"/table/{match_id}/chat", words(token, text="Is anybody there?"))
    assert sent.status == 303
    # By itself a stream says the same again every twenty seconds: this is something else.
    wait_until(lambda: stream.next_line("data: ") not in ("", first), seconds=60)
    assert "Is anybody there?" in watching.look(f"/table/{match_id}")
    stream.close()


def test_whoever_signs_out_at_one_host_is_signed_out_at_the_other_and_brought_nothing_more(
    site, sign_up, hosts
):
    here, there = hosts
    match_id, (ann, bob) = seated(site, sign_up, 2)
    mine, theirs = Browser([here], bob, Random(1)), Browser([there], bob, Random(1))
    theirs.look(f"/table/{match_id}")
    kept = theirs.ask(there, "/account")
    assert kept.status == 200
    stream = Stream(there, theirs, match_id)
    stream.next_line("data: ")
    token = TOKEN.findall(mine.look("/account"))[0]
    assert mine.ask(here, "/sign-out", words(token)).status == 303
    # A note from host to host takes a moment, and until then an answer may be an old one.
    wait_until(lambda: theirs.ask(there, "/account").status != 200, seconds=30)
    talking = Browser([here], ann, Random(2))
    token = TOKEN.findall(talking.look(f"/table/{match_id}"))[0]
    secret = "Bob must not hear this"
    talking.ask(here, f"/table/{match_id}/chat", words(token, text=secret))
    assert secret not in stream.rest()
    stream.close()


def test_wrong_passwords_are_counted_across_hosts(site, sign_up, hosts):
    client = site.test_client()
    sign_up(client, "ann")
    began = time.monotonic()
    stranger = Browser(hosts, client, Random(1))
    stranger.cookies.clear()
    most = rate_limits.PASSWORD_OF_ACCOUNT.most
    statuses = []
    for number in range(most + 1):
        password = PASSWORD if number == most else "wrong horse"
        host = hosts[number % 2]
        token = TOKEN.findall(stranger.ask(host, "/sign-in").text)[0]
        form = words(token, name="ann", password=password)
        statuses.append(stranger.ask(host, "/sign-in", form).status)
    if time.monotonic() - began > 60 * rate_limits.PASSWORD_OF_ACCOUNT.minutes:
        pytest.skip("a window of counted tries has ended meanwhile: this machine is too slow")
    assert statuses == [422] * most + [429]  # The last one was right.


def words(token, **fields):
    """Return a form as it is sent."""
    return urlencode({"csrf_token": token, **fields})
