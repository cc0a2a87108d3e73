"""/metrics: who may read it, what is counted, and that it names nobody."""

import os
import re
from pathlib import Path

import pytest

from stockpile_web import counters
from stockpile_web.storage.cache import BoundedCache
from stockpile_web.storage.transactions import Busy
from stockpile_web.worker.fork import fork
from tests.support.people import on_turn, seated
from tests.web.test_table import form_of

TOKEN = "a-token-of-the-host"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def counted(make_app):
    """An application that counts."""
    yield make_app(METRICS_TOKEN=TOKEN)
    counters.end()


def figures(app):
    """Return what /metrics tells, by name and labels as it is written."""
    answer = app.test_client().get("/metrics", headers=BEARER)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    lines = [line.rpartition(" ") for line in answer.text.splitlines() if line[0] != "#"]
    return {name: float(value) for name, _, value in lines}


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}]
)
def test_without_the_token_there_is_no_such_page(counted, headers):
    assert counted.test_client().get("/metrics", headers=headers).status_code == 404


@pytest.mark.parametrize("bearer", ["", TOKEN])
def test_unless_a_token_is_set_there_is_no_such_page(app, bearer):
    headers = {"Authorization": f"Bearer {bearer}"}
    assert app.test_client().get("/metrics", headers=headers).status_code == 404


def test_requests_are_counted_by_route_and_class_of_status(counted):
    client = counted.test_client()
    for path in ("/health", "/health", "/nowhere", "/people/Nobody"):
        client.get(path)
    found = figures(counted)
    name = "stockpile_web_request_seconds_count"
    assert found[f'{name}{{route="health.health",status="2xx"}}'] == 2
    assert found[f'{name}{{route="none",status="4xx"}}'] == 1
    assert found[f'{name}{{route="people.profile",status="4xx"}}'] == 1


def test_moves_and_refusals_are_counted(counted, sign_up):
    match_id, players = seated(counted, sign_up, 2)
    player = on_turn(counted, match_id, players)[0]
    form = form_of(player, match_id, 0)
    before = figures(counted)
    assert player.post(f"/table/{match_id}/move", data=form).status_code == 303
    stale = {**form, "move": '{"type":"Other"}'}
    assert player.post(f"/table/{match_id}/move", data=stale).status_code == 409
    after = figures(counted)
    by = 'stockpile_web_moves_total{by="person"}'
    assert after[by] > before[by]
    assert after['stockpile_web_moves_refused_total{why="stale"}'] == 1


def test_a_busy_database_and_caches_are_counted(counted):
    with pytest.raises(Busy):
        raise Busy
    cache: BoundedCache[str] = BoundedCache("of a test", 10_000, len)
    cache.get(("a",))
    cache.put(("a",), "x" * 100)
    cache.get(("a",))
    cache.put(("b",), "")
    found = figures(counted)
    assert found["stockpile_web_database_busy_total"] == 1
    assert found['stockpile_web_cache_lookups_total{cache="of a test",result="hit"}'] == 1
    assert found['stockpile_web_cache_lookups_total{cache="of a test",result="miss"}'] == 1
    assert 100 < found['stockpile_web_cache_bytes{cache="of a test"}'] < 1000


def test_processes_add_up_and_what_one_counted_outlives_it(counted):
    counters.MOVES.add("bot")
    counters.STREAMS.set(3)

    def count_in_child():
        counters.MOVES.add("bot", count=5)
        counters.STREAMS.set(100)

    os.waitpid(fork(count_in_child), 0)
    found = figures(counted)
    assert found['stockpile_web_moves_total{by="bot"}'] == 6
    assert found["stockpile_web_streams"] == 3  # Those of the child ended with it.


def test_what_was_counted_before_the_server_began_is_forgotten(counted, make_app):
    child = fork(lambda: counters.MOVES.add("bot", count=5))
    os.waitpid(child, 0)
    again = make_app(METRICS_TOKEN=TOKEN)
    assert 'stockpile_web_moves_total{by="bot"}' not in figures(again)


def test_memory_and_files_of_the_processes_are_told(counted):
    found = figures(counted)
    assert found["stockpile_web_processes"] >= 1
    assert found["stockpile_web_memory_bytes"] > 10_000_000
    assert found["stockpile_web_open_files"] > 3
    assert found["stockpile_web_cpu_seconds"] > 0


def test_no_metric_names_a_person_a_table_or_a_path(counted, sign_up):
    match_id, players = seated(counted, sign_up, 2)
    for player in players:
        player.get(f"/table/{match_id}")
        player.get("/join/s3cr3t")
        player.get("/people/Ann?x=s3cr3t")
    text = counted.test_client().get("/metrics", headers=BEARER).text
    assert "s3cr3t" not in text and "Ann" not in text and "127.0.0.1" not in text
    labels = set(re.findall(r'(\w+)="([^"]*)"', text))
    routes = {rule.endpoint for rule in counted.url_map.iter_rules()} | {"none"}
    assert {value for name, value in labels if name == "route"} <= routes
    assert {name for name, _ in labels} <= {
        "route", "status", "by", "why", "channel", "outcome", "duty", "cache", "result", "le",
    }  # fmt: skip


def test_nobody_else_on_the_machine_can_read_the_files_of_metrics(counted):
    folder = Path(counted.instance_path) / counters.FOLDER
    assert folder.stat().st_mode & 0o077 == 0


def test_what_an_order_did_counts_as_its_owners_move():
    from stockpile_web.match.turn import MOVER
    from stockpile_web.storage.models.matches import ORDER

    assert MOVER[ORDER] == MOVER[""]
