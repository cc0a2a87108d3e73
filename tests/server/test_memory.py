"""How much memory the real server takes, all processes together: a small machine must do."""

import time
from pathlib import Path

import pytest

from bench._server import serving
from tests.support import door
from tests.support.live_site import wait_until

# Megabytes of all processes, worker included. It is 110 where nobody else runs Python: of what
# others have loaded from the same files, only a share is counted.
MOST_IDLE = 115.0
MOST_WITH_VIEWERS = 100.0  # Megabytes of the process that holds a thousand of them.
VIEWERS = 1000


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> door.Place:
    return door.Place(Path(tmp_path_factory.mktemp("memory")))


def test_an_idle_server_with_its_worker_fits_into_115_megabytes(place: door.Place) -> None:
    with serving("wsgi:app", {**place.environ, "WORKER": "on"}) as server:
        # The parent, two that answer, the keeper and its worker.
        wait_until(lambda: len(server.processes()) == 5, seconds=60)
        time.sleep(2)  # Until all have loaded what they need.
        assert server.memory() <= MOST_IDLE


def test_a_thousand_viewers_fit_into_one_process_of_a_hundred_megabytes(place: door.Place) -> None:
    with serving("wsgi:app", place.environ, 1) as server, door.streams(server.port, VIEWERS):
        assert server.resident() <= MOST_WITH_VIEWERS
