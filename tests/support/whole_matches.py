"""Whole matches, played over HTTP by a thread for each person, with trouble in between."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from flask import Flask
from flask.testing import FlaskClient

from tests.support.aftermath import are_over
from tests.support.faults import Host
from tests.support.insisting import Browser, Player
from tests.support.known import FIRST

People = dict[str, FlaskClient]  # Browsers by name.


def begin(app: Flask, sign_up: Callable[..., int], number: int) -> tuple[int, People]:
    """Seat people, at every other table with a bot that thinks; return it and their browsers."""
    size, count = (5, 5) if number % 2 else (4, 3)
    people: People = {}
    for each in range(count):
        name = f"p{number}x{each}"
        people[name] = client = app.test_client()
        # From addresses of their own: so many from one would be too many.
        client.environ_base["REMOTE_ADDR"] = f"192.0.2.{5 * number + each + 1}"
        sign_up(client, name, email=f"{name}@example.org")
    host, *others = people.values()
    form = {"game": FIRST, "size": str(size), "pace": "day", "listed": "on"}
    match_id = int(str(host.post("/tables/new", data=form).location).rsplit("/", 1)[1])
    for other in others:
        other.post(f"/table/{match_id}/seating", data={"do": "join"})
    if count < size:
        host.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": "sharp"})
    return match_id, people


def play(
    app: Flask,
    hosts: Sequence[Host],
    matches: Mapping[int, People],
    chance: Random,
    trouble: Callable[[int], None],
) -> list[Player]:
    """Play matches to their ends; `trouble` is told again and again how many moves were made."""
    players = []
    for match_id, people in matches.items():
        for name, client in people.items():
            own = Random(chance.random())
            players.append(Player(name, Browser(hosts, client, own), match_id, own))
    for player in players:
        player.start()
    try:
        while not are_over(app, list(matches)):
            problems = [player.problem for player in players if player.problem]
            assert not problems, problems
            trouble(sum(len(player.accepted) for player in players))
            time.sleep(0.1)
    finally:
        for player in players:
            player.done.set()
        for player in players:
            player.join(60)
    return players
