"""How even Stockpile's investors and strategies are, with steady bots on all seats.

Everyone keeps investors and returns strategies by lot, so that all of them are seen alike. A row
tells of those who had it: their money at the end, by how much they were above the others at their
table, and how often they won.
Options: --games, --seats, --jobs, --chart (a file for the chart).
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench._chart import Bar, chart
from stockpile_web.engine import Dealer
from stockpile_web.games import GAMES
from stockpile_web.games.stockpile.investors import INVESTORS, starting_money
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES
from stockpile_web.games.stockpile.moves import DiscardStrategies, KeepInvestors

GAME, BOT = GAMES["stockpile"], GAMES["stockpile"].BOTS["steady"]
LEFT_OUT = ("investor_bidding", "named_strategies")
OPTIONS = {option.key: 1 for option in GAME.OPTIONS if option.key not in LEFT_OUT}
ENOUGH = 30  # Times, before anything is said of a line.
FAR_OFF = 10  # Thousands above or below the others: the house value is badly off.


class Seated(NamedTuple):
    """What one player had, and how it went."""

    investors: tuple[str, ...]
    strategies: list[str]  # In hand as the game began.
    money: int
    lead: float  # Over the mean of the others at the table.
    share: float  # Of the victory.


class Line(NamedTuple):
    """How those did who had one investor, or one strategy."""

    key: str
    times: int
    money: float
    lead: float
    off: float  # The true lead is nearer than this, 19 times out of 20.
    wins: float


def main(words: list[str]) -> None:
    """Measure, print two tables in Markdown and a line of JSON, and draw the chart."""
    parser = argparse.ArgumentParser(prog="./run bench balance")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seats", type=int, default=4, choices=GAME.SEATS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--chart", type=Path, default=Path(__file__).with_name("balance.svg"))
    asked = parser.parse_args(words)
    parts = [(asked.seats, number) for number in range(asked.games)]
    with ProcessPoolExecutor(asked.jobs) as processes:
        seated = [one for table in processes.map(play, parts, chunksize=20) for one in table]
    investors = lines((key, one) for one in seated for key in one.investors)
    strategies = lines((key, one) for one in seated for key in dict.fromkeys(one.strategies))
    print(f"{asked.games} games, {asked.seats} players, all modules\n")
    tell("investor", {key: INVESTORS[key].name for key in INVESTORS}, investors, asked.seats)
    print()
    tell("strategy", {key: STRATEGIES[key].name for key in STRATEGIES}, strategies, asked.seats)
    names = {key: INVESTORS[key].name for key in INVESTORS}
    bars = [Bar(names[line.key], line.lead, line.off) for line in investors]
    asked.chart.write_text(chart("Lead over the others at the table, in $K", bars))
    figures = {line.key: round(line.lead, 1) for line in [*investors, *strategies]}
    print(json.dumps(figures))


def play(part: tuple[int, int]) -> list[Seated]:
    """Play one game and return how it went for everyone."""
    seats, number = part
    seed, made = f"balance:{number}", 0
    chooser = Random(seed)
    hands: list[list[str]] = []
    state = GAME.setup(seats, OPTIONS, Dealer(seed, 0))
    while (result := GAME.result(state)) is None:
        seat, moves = next((s, moves) for s in range(seats) if (moves := GAME.legal(state, s)))
        if isinstance(moves[0], KeepInvestors | DiscardStrategies):
            move = chooser.choice(moves)
        else:
            hands = hands or [player.strategies[:] for player in state.players]
            move = BOT.choose(GAME.view(state, seat), moves, chooser)
        made += 1
        GAME.play(state, seat, move, Dealer(seed, made))
    scores = [score.total for score in result.scores]
    return [
        Seated(
            state.players[seat].investors,
            hands[seat],
            scores[seat],
            scores[seat] - (sum(scores) - scores[seat]) / (seats - 1),
            (result.places[seat] == 1) / result.places.count(1),
        )
        for seat in range(seats)
    ]


def lines(seen: Iterable[tuple[str, Seated]]) -> list[Line]:
    """Return a line for each thing that was had, the best first."""
    by_key: dict[str, list[Seated]] = defaultdict(list)
    for key, one in seen:
        by_key[key].append(one)
    found = []
    for key, those in by_key.items():
        count = len(those)
        lead = sum(one.lead for one in those) / count
        money = sum(one.money for one in those) / count
        spread = sqrt(sum((one.lead - lead) ** 2 for one in those) / count)
        wins = 100 * sum(one.share for one in those) / count
        found.append(Line(key, count, money, lead, 1.96 * spread / sqrt(count), wins))
    return sorted(found, key=lambda line: -line.lead)


def tell(what: str, names: dict[str, str], found: list[Line], seats: int) -> None:
    """Print a table, with a mark on what is badly off."""
    head = [what, "begins with", "times", "money at the end", "lead", "wins", ""]
    print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|")
    for line in found:
        start = starting_money(line.key, seats) if line.key in INVESTORS else ""
        is_far_off = line.times >= ENOUGH and abs(line.lead) - line.off > FAR_OFF
        mark = "far off" if is_far_off else ""
        print(
            f"| {names[line.key]} | {start} | {line.times} | {line.money:.0f} "
            f"| {line.lead:+.1f} ± {line.off:.1f} | {line.wins:.0f} % | {mark} |"
        )
