"""The real server while its Postgres can only be read, as after a failover, and afterwards."""

from pathlib import Path

import pytest

from bench._server import serving
from tests.faults.clients import Place, ask, environ_of
from tests.support import pgtest
from tests.support.live_site import wait_until

pytestmark = pytest.mark.long

SOON = 30.0
TRIES = 8


def turn(server: pgtest.Server, into: str) -> None:
    """Make a server one that only reads (`= on`), or can write (`= off`)."""
    with server.connect() as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute(f"ALTER SYSTEM SET default_transaction_read_only {into}".encode())
        connection.execute("SELECT pg_reload_conf()")


def test_after_a_failover_moves_are_refused_with_words_and_go_on_by_themselves(
    mortal: pgtest.Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Place(environ_of(tmp_path, mortal.create("games")))
    first, *_ = place.tables
    with serving("wsgi:app", place.environ, 2) as server:
        moves = iter(place.moves[first])

        def is_refused() -> bool:
            return ask(server.port, place.post(f"/table/{first}/chat", text="Hello")).status == 503

        assert ask(server.port, next(moves)).status == 200
        turn(mortal, "= on")
        wait_until(is_refused, SOON)
        move = next(moves)
        for _ in range(TRIES):
            refused = ask(server.port, move)
            assert refused.status == 503
            assert "Retry-After" in refused.head and b"cannot reach its database" in refused.body
            assert ask(server.port, place.get(f"/table/{first}/log")).status == 200
        turn(mortal, "= off")
        wait_until(lambda: ask(server.port, move).status == 200, SOON)
        move = next(moves)  # The other process may not have tried yet.
        wait_until(lambda: ask(server.port, move).status == 200, SOON)
        wait_until(lambda: not is_refused(), SOON)
        assert "Traceback" not in capfd.readouterr().err
