"""Processes are killed while whole matches are played: nothing is lost, and nothing done twice.

FAULT_MOVES says about how many moves are made, FAULT_SEED what befalls whom: a run that failed has
printed its own.
"""

import os
import secrets
from random import Random

import pytest

from tests.support.aftermath import (
    leases_end,
    refuse_dishonest,
    refuse_lost_or_doubled,
    wait_until_told,
)
from tests.support.faults import BY_HTTP, Host, hosting
from tests.support.whole_matches import begin, play

MOVES = int(os.environ.get("FAULT_MOVES", "200"))
MOVES_OF_A_MATCH = 100  # Those of people, about.
AT_ONCE = 5  # Matches.
ROLES = ("web", "worker", "web", "parent", "worker")
BETWEEN = (10, 30)  # Moves from one fault to the next.

pytestmark = pytest.mark.long


@pytest.fixture
def chance() -> Random:
    """What befalls whom, printed so that it can be had again; deals are by chance as ever."""
    seed = os.environ.get("FAULT_SEED") or secrets.token_hex(4)
    print(f"FAULT_SEED={seed}")
    return Random(seed)


class Killer:
    """Kills one process after the other, by chance, as moves are made."""

    def __init__(self, app, host, chance):
        self.killed = []
        self._app, self._host, self._chance = app, host, chance
        self._next_at = 5

    def __call__(self, moves):
        if moves >= self._next_at:
            self._next_at = moves + self._chance.randint(*BETWEEN)
            role = ROLES[len(self.killed) % len(ROLES)]
            self.killed.append(role)
            self._host.kill(role)
            leases_end(self._app)


def test_whoever_is_killed_no_move_is_lost_or_doubled_and_everybody_is_told(
    site, sign_up, postbox, tmp_path, chance
):
    count = max(1, MOVES // MOVES_OF_A_MATCH)
    host = Host(site, tmp_path / "host", **postbox.settings() | BY_HTTP)
    with hosting(host):
        for first in range(0, count, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, count))
            matches = dict(begin(site, sign_up, number) for number in numbers)
            killer = Killer(site, host, chance)
            players = play(site, [host], matches, chance, killer)
            moves = sum(len(player.accepted) for player in players)
            broken = sum(player.browser.broken for player in players)
            print(f"{moves} moves, {broken} sent again, killed: {' '.join(killer.killed)}")
            assert set(ROLES) == set(killer.killed) and broken
            refuse_lost_or_doubled(site, players)
            refuse_dishonest(site, list(matches))
        wait_until_told(site, postbox)
