"""Sets of a game's options: small ones, the whole, and mixes; each with what its options need."""

from itertools import combinations

from stockpile_web.engine import Dealer, Game
from stockpile_web.engine.simulation import together


def with_needs(game: Game, keys: tuple[str, ...]) -> frozenset[str]:
    """Return the options that go together, with those without which they mean nothing."""
    needs = {option.key: option.needs for option in game.OPTIONS}
    return together(game, [*keys, *(needs[key] for key in keys)])


def of_size(game: Game, size: int) -> list[frozenset[str]]:
    """Return every set of so many options, with what they need."""
    keys = [option.key for option in game.OPTIONS]
    sets = [with_needs(game, chosen) for chosen in combinations(keys, size)]
    return list(dict.fromkeys(sets))


def large(game: Game) -> list[frozenset[str]]:
    """Return all that goes together, and the same without one option and what needs it."""
    keys = [option.key for option in game.OPTIONS]
    everything = together(game, keys)
    without = [together(game, [key for key in keys if key != left]) for left in sorted(keys)]
    return list(dict.fromkeys([everything, *without]))


def mixes(game: Game, count: int) -> list[frozenset[str]]:
    """Return mixes drawn by lot, the same ones each time."""
    chance = Dealer("mixes")
    keys = [option.key for option in game.OPTIONS]
    return [with_needs(game, tuple(key for key in keys if chance.below(2))) for _ in range(count)]
