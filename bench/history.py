"""Any turn of a match beside its newest: time and bytes at 100, 1,000 and 10,000 moves.

The matches are a real one whose states and events are recorded over and over again. Pages are asked
for in turn, in one process on SQLite, and nothing that was rendered or read is kept between them.
Ratios are to the page of the newest turn of the same match, in the same round of questions.
"""

import json
from collections.abc import Iterator
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from flask import Flask
from sqlalchemy import delete, insert, select, update

from bench._seed import seat, sign_in
from stockpile_web import create_app
from stockpile_web.engine import codec
from stockpile_web.match.rows import read_past
from stockpile_web.storage import snapshots
from stockpile_web.storage.models import Chapter, Match, Move
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import board_cache

LENGTHS = (100, 1_000, 10_000)
PLAYERS = 4
TIMES = 25
TARGET = 2.0  # Any turn opens in at most twice the time of the newest.
PACKED = {"Accept-Encoding": "gzip"}


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        app = create_app({"STOCKPILE_INSTANCE": folder, "DATABASE_URL": url, "SECRET_KEY": "bench"})
        migrate(app)
        rows = measure(app)
    worst = max(row["ratio"] for turns in rows.values() for row in turns.values())
    print(f"The slowest turn takes {worst:.2f} times as long as the newest; wanted: {TARGET}.")
    print(json.dumps({"turns": rows, "worst": worst}), flush=True)


def measure(app: Flask) -> dict[str, dict[str, dict[str, float]]]:
    """Measure some turns of matches of each length, and print a row for each."""
    people = sign_in(app, PLAYERS)
    print(f"{'moves':>8}{'turn':>8}{'ms':>8}{'ratio':>8}{'KB':>8}{'gzip':>8}", flush=True)
    found = {}
    for length, match_id in zip(LENGTHS, seat(app, people, len(LENGTHS)), strict=True):
        lengthen(app, match_id, length)
        rows = found[str(length)] = _turns(app, match_id, length)
        for number, row in rows.items():
            figures = "".join(f"{figure:8.2f}" for figure in row.values())
            print(f"{length:8}{number:>8}{figures}", flush=True)
    return found


def lengthen(app: Flask, match_id: int, length: int) -> None:
    """Let a match have so many moves, by recording its own again and again."""
    with app.app_context(), writing() as tx:
        played = tx.execute(select(*Move.__table__.c).filter_by(match_id=match_id)).mappings().all()
        states = [past.state for past in read_past(reading(), match_id, 0, len(played)).values()]
        tx.execute(delete(Move).filter_by(match_id=match_id))
        tx.execute(delete(Chapter).filter_by(match_id=match_id))
        moves, begun = [], []
        before, place = "", (0, "")
        for number, (state, row) in enumerate(_again(states, played, length)):
            plain = codec.load(dict[str, Any], state)
            if (plain["round"], plain["phase"]) != place:
                place = plain["round"], plain["phase"]
                begun.append(
                    {"match_id": match_id, "number": number, "round": place[0], "phase": place[1]}
                )
            frame = snapshots.pack(number, state, before)
            moves.append({**row, "number": number, "frame": frame})
            before = state
        tx.execute(insert(Move), moves)
        tx.execute(insert(Chapter), begun)
        tx.execute(update(Match).filter_by(id=match_id).values(version=length, state=before))


def _again(states: list[str], played: Any, length: int) -> Iterator[tuple[str, Any]]:
    """Yield moves in a row, and the states after them, while the rounds are counted on."""
    rounds = codec.load(dict[str, Any], states[-1])["round"]
    for number in range(length):
        lap, place = divmod(number, len(states))
        plain = codec.load(dict[str, Any], states[place])
        plain["round"] += lap * rounds
        yield codec.dump(plain), played[place]


def _turns(app: Flask, match_id: int, length: int) -> dict[str, dict[str, float]]:
    newest = length - 1
    # The first, the one before a key frame in the middle (which takes most frames), and the newest.
    middle = snapshots.key_of(length // 2) - 1
    numbers = (0, middle, length // 2, newest - 1, newest)
    times: dict[int, list[float]] = {number: [] for number in numbers}
    client = app.test_client()
    pages = {number: f"/table/{match_id}/turn/{number}" for number in numbers}
    for _ in range(TIMES):
        for number, address in pages.items():
            board_cache.clear()
            begun = perf_counter()
            assert client.get(address).status_code == 200
            times[number].append((perf_counter() - begun) * 1000)
    ratios = {
        number: median(one / new for one, new in zip(taken, times[newest], strict=True))
        for number, taken in times.items()
    }
    return {
        str(number): {
            "ms": round(median(times[number]), 2),
            "ratio": round(ratios[number], 2),
            "kb": round(len(client.get(address).data) / 1000, 1),
            "gzip_kb": round(len(client.get(address, headers=PACKED).data) / 1000, 1),
        }
        for number, address in pages.items()
    }
