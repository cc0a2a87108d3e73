"""Moves per CPU second of random play: our games beside python-chess and RLCard's UNO.

All of them choose at random from the list of legal moves and play it, in slices that alternate, so
that a noisy machine slows all of them alike. The target is a ratio, not a speed.
"""

import json
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import chess
import numpy
from rlcard.games.uno import Game as Uno  # type: ignore[import-untyped]

from stockpile_web.engine import Game, codec
from stockpile_web.engine.options import applying
from stockpile_web.engine.simulation import random_game
from stockpile_web.games import GAMES

SLICES, SLICE_SECONDS = 12, 0.5


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    players = {
        "python-chess": play_chess,
        "python-chess, bare": play_bare_chess,
        "rlcard uno": play_uno,
        **{
            f"{slug}, {seats} players": player_of(rules, seats)
            for slug, rules in GAMES.items()
            for seats in rules.SEATS
        },
    }
    moves, seconds = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    for number in range(SLICES):
        for name, play in players.items():
            began, game = process_time(), 0
            while (spent := process_time() - began) < SLICE_SECONDS:
                moves[name] += play(f"{number}:{game}")
                game += 1
            seconds[name] += spent
    speeds = {name: moves[name] / seconds[name] for name in players}
    print(f"{'':24}{'moves/s':>10}{'x chess':>9}{'x uno':>8}")
    for name, speed in speeds.items():
        ratios = f"{speed / speeds['python-chess']:9.1f}{speed / speeds['rlcard uno']:8.2f}"
        print(f"{name:24}{speed:10,.0f}{ratios}")
    encode, decode = codec_speed()
    print(f"\nlargest state at a full table: encode {encode:.0f} µs, decode {decode:.0f} µs")
    figures = {name: round(speed) for name, speed in speeds.items()}
    print(json.dumps({"moves_per_second": figures, "encode_us": encode, "decode_us": decode}))


def play_chess(seed: str) -> int:
    """Play one random game of chess as python-chess's own documentation loops over a game."""
    chooser, board = Random(seed), chess.Board()
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(chooser.random() * len(moves))])
    return board.ply()


def play_bare_chess(seed: str) -> int:
    """Play without asking for draws: only the list of moves ends it, or the 300th half-move."""
    chooser, board = Random(seed), chess.Board()
    while board.ply() < 300 and (moves := list(board.legal_moves)):
        board.push(moves[int(chooser.random() * len(moves))])
    return board.ply()


def play_uno(seed: str) -> int:
    """Play one random game of UNO by `game.step`, without encoding observations."""
    chooser, game = Random(seed), Uno(num_players=4)
    game.np_random = numpy.random.RandomState(len(seed))
    game.init_game()
    made = 0
    while not game.is_over():
        moves = game.get_legal_actions()
        game.step(moves[int(chooser.random() * len(moves))])
        made += 1
    return made


def player_of(rules: Game, seats: int) -> Callable[[str], int]:
    """Return a player of random games."""
    return lambda seed: random_game(rules, seats, applying(rules, {}, seats), seed)[1]


def codec_speed() -> tuple[float, float]:
    """Return the microseconds to encode and to decode the largest state of a full table."""
    rules = next(iter(GAMES.values()))
    states: list[str] = []

    def keep(state: Any, *_: object) -> None:
        states.append(codec.dump(state))

    seats = rules.SEATS[-1]
    random_game(rules, seats, applying(rules, {}, seats), "codec", keep)
    text, repeats = max(states, key=len), 2000
    state = codec.load(rules.State, text)
    began = process_time()
    for _ in range(repeats):
        codec.dump(state)
    encoded = process_time()
    for _ in range(repeats):
        codec.load(rules.State, text)
    decoded = process_time()
    return (encoded - began) / repeats * 1e6, (decoded - encoded) / repeats * 1e6
