"""How strong the bots are: each against every one below it, on every seat in turn.

Options: --games (a row), --game, --bot (only these), --jobs (processes). A row holds how often the
bot wins, and between which shares the true one lies 19 times out of 20. One that takes its time
plays some hundred games in as many seconds or twice that: ask for fewer, or for the night.
"""

import argparse
import itertools
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from time import process_time
from typing import Any, NamedTuple

from stockpile_web.engine import Dealer, Game
from stockpile_web.engine.options import applying
from stockpile_web.engine.simulation import RANDOM, Record, bot_game, interval, options_for
from stockpile_web.games import GAMES

HEAD = ("game", "players", "options", "bot", "against", "games", "wins", "19 of 20 times", "chance")


class Row(NamedTuple):
    """A line of the table: one bot against others that are all alike."""

    slug: str
    seats: int
    options: str
    bot: str
    against: str
    games: int

    def names(self) -> list[str]:
        return [self.bot, *[self.against] * (self.seats - 1)]


def main(words: list[str]) -> None:
    """Measure, print a table in Markdown, the time of a choice, and a line of JSON."""
    parser = argparse.ArgumentParser(prog="./run bench bots")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--game", choices=sorted(GAMES), action="append")
    parser.add_argument("--bot", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(words)
    slugs = asked.game or sorted(GAMES)
    wanted = [row for slug in slugs for row in rows(slug, asked.games)]
    figures = []
    print("| " + " | ".join(HEAD) + " |\n" + "| --- " * len(HEAD) + "|")
    with ProcessPoolExecutor(asked.jobs) as processes:
        for row in (row for row in wanted if row.bot in (asked.bot or [row.bot])):
            parts = [(row, number) for number in range(row.games)]
            records = list(processes.map(play, parts, chunksize=5))
            figures.append(tell(row, records))
    print("\n| game | bot | mean of a choice | longest |\n| --- | --- | --- | --- |")
    for slug in slugs:
        for key in asked.bot or GAMES[slug].BOTS:
            mean, longest = seconds_to_choose(GAMES[slug], key)
            print(
                f"| {slug} | {key} | {1000 * mean:.2f} ms | {1000 * longest:.1f} ms |", flush=True
            )
    print(json.dumps(figures))


def rows(slug: str, games: int) -> Iterator[Row]:
    """Yield each bot against every one below it, at tables of every size and with all options.

    Against random movers, which lose to all, those play that move at once.
    """
    game = GAMES[slug]
    middle = game.SEATS[len(game.SEATS) // 2]
    tables = [(middle, ""), *([(middle, "all")] if game.OPTIONS else [])]
    tables += [(seats, "") for seats in game.SEATS if seats != middle]
    for seats, options in tables:
        for below, key in itertools.combinations([RANDOM, *game.BOTS], 2):
            if below != RANDOM or not game.BOTS[key].thinks:
                yield Row(slug, seats, options, key, below, games)


def play(part: tuple[Row, int]) -> Record:
    """Play one game of a row."""
    row, number = part
    game, seed = GAMES[row.slug], f"bench:{number}"
    return bot_game(
        game, row.names(), options_for(game, row.options, row.seats, seed), seed, number
    )


def tell(row: Row, records: list[Record]) -> dict[str, Any]:
    """Print a row and return its figures."""
    wins = sum(record.shares[0] for record in records)
    low, high = interval(wins, row.games)
    share, chance = 100 * wins / row.games, 100 / row.seats
    between = f"{100 * low:.0f}–{100 * high:.0f} %"
    against = f"{row.seats - 1} × {row.against}" if row.seats > 2 else row.against
    cells = [row.slug, row.seats, row.options or "none", row.bot, against, row.games]
    cells += [f"{share:.0f} %", between, f"{chance:.0f} %"]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return {**row._asdict(), "wins": round(share, 1), "low": low, "high": high}


def seconds_to_choose(game: Game, key: str) -> tuple[float, float]:
    """Return the CPU seconds that a choice takes, on average and at most, in a game of its like."""
    seats, seed = game.SEATS[len(game.SEATS) // 2], "pace"
    chooser, times = Random(seed), []
    state, made = game.setup(seats, applying(game, {}, seats), Dealer(seed, 0)), 0
    while game.result(state) is None:
        seat, moves = next((s, moves) for s in range(seats) if (moves := game.legal(state, s)))
        view = game.view(state, seat)
        began = process_time()
        move = game.BOTS[key].choose(view, moves, chooser)
        times.append(process_time() - began)
        made += 1
        game.play(state, seat, move, Dealer(seed, made))
    return sum(times) / len(times), max(times)
