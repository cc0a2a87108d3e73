"""How often a match of Stockpile waits for a person, with and without standing orders of their own.

Every seat begins with the usual order of the game, to collect dividends.

Four bots play as people do who come only when they are asked. A *wait* is a moment at which the
table stands still until somebody comes who is not there: several who are asked at once are one
wait, and whoever has just moved and is asked again is still there. A *visit* is one person coming
once, whatever they decide while they are there; on the site that is one form, or several in a row.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bench.games.stockpile import _sensible
from stockpile_web.engine import Dealer, Seat, on_turn, take_turn
from stockpile_web.games import GAMES

GAME = GAMES["stockpile"]
MATCHES, SEATS = 200, 4
TARGETS = {"the usual order": 82, "orders of their own": 30}
Leave = Callable[[Any], Any]


@dataclass
class Tally:
    """What was counted in one match or in several."""

    waits: Counter[str] = field(default_factory=Counter)  # By phase.
    visits: int = 0
    moves: int = 0
    ordered: int = 0
    money: int = 0


class Match:
    """A match at which people sit who leave orders when they go, if they leave any."""

    def __init__(self, seed: str, bot: str, leave: Leave | None) -> None:
        self.seed, self.choose, self.leave = seed, GAME.BOTS[bot].choose, leave
        self.tally = Tally()
        assert GAME.ORDERS is not None and GAME.ORDERS.usual is not None
        self.books: dict[Seat, Any] = {seat: GAME.ORDERS.usual() for seat in range(SEATS)}
        self.state = GAME.setup(SEATS, {}, Dealer(seed, 0))

    def play(self) -> Tally:
        """Play to the end."""
        waited_for: set[Seat] = set()
        here: Seat | None = None
        while (result := GAME.result(self.state)) is None:
            asked = on_turn(GAME, self.state, SEATS)
            if here not in asked:
                if not waited_for.intersection(asked):
                    self.tally.waits[self.phase()] += 1
                    waited_for = set(asked)
                here = asked[0]
                waited_for.discard(here)
                self.tally.visits += 1
                self.write_orders(here)  # Being there, they decide for as long as they are there.
                continue
            assert here is not None
            moves = GAME.legal(self.state, here)
            rng = Random(f"{self.seed} {self.tally.moves}")
            self.move(here, self.choose(GAME.view(self.state, here), moves, rng))
            self.write_orders(here)
        self.tally.money = sum(score.total for score in result.scores)
        return self.tally

    def phase(self) -> str:
        """Say what is asked."""
        return "dividend" if self.state.dividend else str(self.state.phase)

    def move(self, seat: Seat, move: Any) -> None:
        """Make a move."""
        self.tally.moves += 1
        take_turn(GAME, self.state, seat, move, Dealer(self.seed, self.tally.moves))

    def write_orders(self, seat: Seat) -> None:
        """Let a person leave orders, if people here do; all orders that can act do so."""
        if self.leave and GAME.result(self.state) is None:
            self.books[seat] = self.leave(GAME.view(self.state, seat))
        while any(self.follow(other) for other in self.books):
            pass

    def follow(self, seat: Seat) -> bool:
        """Let a seat's orders make one move, if there is one to make."""
        moves = GAME.legal(self.state, seat)
        assert GAME.ORDERS is not None
        view = GAME.view(self.state, seat)
        followed = GAME.ORDERS.follow(self.books[seat], view, moves) if moves else None
        if followed is None or followed.move is None:
            return False
        self.tally.ordered += 1
        self.move(seat, followed.move)
        return True


def measure(matches: int, bot: str, leave: Leave | None) -> Tally:
    """Play so many matches and return the mean of what was counted."""
    total = Tally()
    for number in range(matches):
        one = Match(f"pace {number}", bot, leave).play()
        total.waits.update(one.waits)
        for name in ("visits", "moves", "ordered", "money"):
            setattr(total, name, getattr(total, name) + getattr(one, name))
    return total


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    matches = int(words[0]) if words else MATCHES
    bot = "steady" if "steady" in GAME.BOTS else next(iter(GAME.BOTS))
    tallies = {
        "the usual order": measure(matches, bot, None),
        "orders of their own": measure(matches, bot, _sensible.orders),
    }
    print(f"{matches} matches, {SEATS} {bot} players, base game; all figures per match\n")
    print(f"{'':20}{'waits':>7}{'visits':>8}{'moves':>7}{'ordered':>9}{'money each':>12}")
    figures = {}
    for name, tally in tallies.items():
        waits, visits = tally.waits.total() / matches, tally.visits / matches
        moves, ordered = tally.moves / matches, tally.ordered / matches
        money = tally.money / matches / SEATS
        print(f"{name:20}{waits:7.1f}{visits:8.1f}{moves:7.1f}{ordered:9.1f}{money:12.1f}")
        figures[name] = {"waits": round(waits, 1), "visits": round(visits, 1)}
    print(f"\n{'waits by phase':20}{'usual':>7}{'own':>7}")
    usual, own = (tally.waits for tally in tallies.values())
    for phase in usual:
        print(f"{phase:20}{usual[phase] / matches:7.1f}{own[phase] / matches:7.1f}")
    for name, most in TARGETS.items():
        reached = figures[name]["waits"] <= most
        print(f"target: at most {most} waits with {name}: {'reached' if reached else 'missed'}")
    print(json.dumps({"bot": bot, **figures}))
