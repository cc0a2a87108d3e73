"""Sets of a game's options: small ones, the whole, and mixes; each with what its options need.

A set holds words as they are stored: a switch, or a number at its lowest or highest (`target=10`).
Where a set names no number, the usual one is played.
"""

from collections.abc import Iterable
from itertools import combinations

from stockpile_web.engine import Dealer, Game
from stockpile_web.engine.options import applying, read, together


def dealt(game: Game, words: Iterable[str], seats: int) -> dict[str, int]:
    """Return what `setup` is given at a table of `seats` that has chosen `words`."""
    return applying(game, read(sorted(words)), seats)


def switches(game: Game) -> list[str]:
    """Return the options that are chosen or not."""
    return [option.key for option in game.OPTIONS if option.numbers is None]


def extremes(game: Game) -> list[tuple[str, str]]:
    """Return the lowest and the highest of each option with a number."""
    numbers = {option.key: option.numbers for option in game.OPTIONS if option.numbers is not None}
    return [(f"{key}={many[0]}", f"{key}={many[-1]}") for key, many in numbers.items()]


def words_of(game: Game) -> list[str]:
    """Return all that can be in a set."""
    return [*switches(game), *(word for pair in extremes(game) for word in pair)]


def with_needs(game: Game, words: Iterable[str]) -> frozenset[str]:
    """Return the options that go together, with those without which they mean nothing."""
    needs = {option.key: option.needs for option in game.OPTIONS}
    word_of = {word.partition("=")[0]: word for word in words}
    keys = together(game, [*word_of, *(needs[key] for key in word_of)])
    return frozenset(word_of.get(key, key) for key in keys)


def of_size(game: Game, size: int) -> list[frozenset[str]]:
    """Return every set of so many options, with what they need."""
    sets = [with_needs(game, chosen) for chosen in combinations(words_of(game), size)]
    return list(dict.fromkeys(sets))


def large(game: Game) -> list[frozenset[str]]:
    """Return all that goes together, and the same without one option and what needs it."""
    keys = switches(game)
    everything = together(game, keys)
    without = [together(game, [key for key in keys if key != left]) for left in sorted(keys)]
    return list(dict.fromkeys([everything, *without]))


def mixes(game: Game, count: int) -> list[frozenset[str]]:
    """Return mixes drawn by lot, the same ones each time."""
    chance = Dealer("mixes")

    def draw() -> list[str]:
        chosen = [key for key in switches(game) if chance.below(2)]
        for lowest, highest in extremes(game):
            chosen += [[], [lowest], [highest]][chance.below(3)]
        return chosen

    return [with_needs(game, draw()) for _ in range(count)]
