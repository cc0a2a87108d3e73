"""Games among bots and random movers, for `./run simulate`, the tests and the bench."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from stockpile_web.engine import Dealer, Event, Facts, Game, Result, Scene, Seat
from stockpile_web.engine.options import applying, read, together
from stockpile_web.engine.steps import Choose, as_recorded, choose_turn

Witness = Callable[[Any, Seat, Any, list[Event]], None]

RANDOM = (
    "random"  # Makes any legal move: to measure against, not to play with. Also a mix of options.
)
ALL = "all"


def random_game(
    game: Game, seats: int, options: Mapping[str, int], seed: str, witness: Witness | None = None
) -> tuple[Any, int]:
    """Play one random game to its end; return the last state and the number of moves.

    `witness` is shown the state, seat, move and events after the deal (seat -1) and every move; a
    move that had steps is a list.
    """
    chooser = Random(seed)

    def choose(_state: Any, moves: list[Any]) -> Any:
        return moves[int(chooser.random() * len(moves))]

    dealer = Dealer(seed, 0)
    state = game.setup(seats, options, dealer)
    if witness:
        witness(state, -1, None, dealer.events)
    made = 0
    legal, play = game.legal, game.play
    while game.result(state) is None:
        for seat in range(seats):
            moves = legal(state, seat)
            if moves:
                break
        else:
            raise RuntimeError(f"Nobody has a move and there is no result (seed {seed}).")
        made += 1
        turn = choose_turn(game, state, seat, moves, choose)
        dealer = Dealer(seed, made)
        play(state, seat, turn[-1], dealer)
        if witness:
            witness(state, seat, as_recorded(turn), dealer.events)
    return state, made


def play_to(game: Game, scene: Scene, seed: str) -> tuple[Any, int]:
    """Let the plainest bot play until a scene has come; return state and number of moves."""
    bot, chooser = next(iter(game.BOTS.values())), Random(seed)
    options = applying(game, read(scene.options), scene.seats)
    state, made = game.setup(scene.seats, options, Dealer(seed, 0)), 0
    while not scene.has_come(game.view(state, None)):
        seat, moves = next((s, m) for s in range(scene.seats) if (m := game.legal(state, s)))
        made += 1
        move = bot.choose(game.view(state, seat), moves, chooser)
        game.play(state, seat, move, Dealer(seed, made))
    return state, made


class Record(NamedTuple):
    """How one game among bots ended, by the places of the list that named them."""

    shares: list[float]  # Of the victory.
    scores: list[int]
    rounds: int
    moves: int


def bot_game(
    game: Game, bots: Sequence[str], options: Mapping[str, int], seed: str, shift: int = 0
) -> Record:
    """Play one game among `bots`, who move up by `shift` seats."""
    seats = len(bots)
    sitting = [bots[(seat - shift) % seats] for seat in range(seats)]
    chooser = Random(f"{seed}:bots")
    state, made = game.setup(seats, options, Dealer(seed, 0)), 0
    while (result := game.result(state)) is None:
        seat, moves = next((s, moves) for s in range(seats) if (moves := game.legal(state, s)))
        turn = choose_turn(game, state, seat, moves, _chooser(game, sitting[seat], seat, chooser))
        made += 1
        game.play(state, seat, turn[-1], Dealer(seed, made))
    winners = result.places.count(1)
    order = [(place + shift) % seats for place in range(seats)]
    return Record(
        shares=[(result.places[seat] == 1) / winners for seat in order],
        scores=[result.scores[seat].total for seat in order],
        rounds=game.view(state, None).round,
        moves=made,
    )


def _chooser(game: Game, bot: str, seat: Seat, rng: Random) -> Choose:
    """Return how a bot chooses for a seat."""
    if bot == RANDOM:
        return lambda _state, moves: rng.choice(moves)
    choose = game.BOTS[bot].choose
    return lambda state, moves: choose(game.view(state, seat), moves, rng)


def interval(wins: float, games: int) -> tuple[float, float]:
    """Return between which shares of victories the true one lies, 19 times out of 20 (Wilson)."""
    z, share = 1.96, wins / games
    middle = share + z * z / (2 * games)
    off = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - off) / whole), min(1.0, (middle + off) / whole)


def bot_summary(bots: Sequence[str], records: list[Record]) -> str:
    """Say who won how often; bots of one name are taken together."""
    games = len(records)
    lines = [
        f"{games} games, {len(bots)} seats, everyone on every seat in turn",
        f"rounds per game  {sum(record.rounds for record in records) / games:.1f}",
        f"moves per game   {sum(record.moves for record in records) / games:.1f}",
        "",
        "bot         wins each   19 of 20 times between   mean score",
    ]
    for name in dict.fromkeys(bots):
        places = [place for place, bot in enumerate(bots) if bot == name]
        wins = sum(record.shares[place] for record in records for place in places) / len(places)
        mean = sum(record.scores[place] for record in records for place in places)
        low, high = interval(wins, games)
        lines.append(
            f"{name:12}{100 * wins / games:8.1f}%   {100 * low:11.1f}% and {100 * high:5.1f}%"
            f"{mean / games / len(places):16.1f}"
        )
    return "\n".join(lines)


def options_for(game: Game, words: str, seats: int, seed: str) -> dict[str, int]:
    """Return the options in `words`, as far as they count: with commas between, `all`, or `random`.

    A random mix is drawn anew for every seed; of both only what goes together.
    """
    if words not in (ALL, RANDOM):
        return applying(game, read(filter(None, words.split(","))), seats)
    chooser = Random(f"options {seed}")
    drawn = [o.key for o in game.OPTIONS if words == ALL or chooser.random() < 0.5]
    chosen = dict.fromkeys(together(game, drawn), 1)
    numbers = {
        option.key: option.number if words == ALL else chooser.choice(option.numbers)
        for option in game.OPTIONS
        if option.numbers is not None
    }
    return applying(game, chosen | numbers, seats)


def full_log(game: Game, seats: int, options: Mapping[str, int], seed: str) -> list[Facts]:
    """Play one random game and return all that happened, told in full."""
    log: list[Facts] = []

    def keep(state: Any, seat: Seat, move: Any, events: list[Event]) -> None:
        log.extend(event.in_full() for event in events)

    random_game(game, seats, options, seed, keep)
    return log


def summary(results: list[Result], rounds: int, moves: int) -> str:
    """Say what the games were like; `rounds` and `moves` are of all games together."""
    games, seats = len(results), len(results[0].scores)
    wins = Counter(
        seat for result in results for seat, place in enumerate(result.places) if place == 1
    )
    means = [sum(result.scores[seat].total for result in results) / games for seat in range(seats)]
    lines = [
        f"{games} games, {seats} seats",
        f"rounds per game  {rounds / games:.1f}",
        f"moves per game   {moves / games:.1f}",
        f"mean final score {sum(means) / seats:.1f}",
        "",
        "seat  wins      mean",
    ]
    lines += [
        f"{seat + 1:4}  {wins[seat]:4} {100 * wins[seat] / games:3.0f}% {means[seat]:7.1f}"
        for seat in range(seats)
    ]
    shared = sum(result.places.count(1) > 1 for result in results)
    return "\n".join([*lines, "", f"shared victories {shared}"])
