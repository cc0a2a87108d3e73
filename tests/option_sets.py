"""Sets of a game's options: small ones, the whole, and mixes; each with what its options need."""

from itertools import combinations

from stockpile_web.engine import Dealer, Game


def with_needs(game: Game, keys: tuple[str, ...]) -> frozenset[str]:
    """Return the options with those without which they mean nothing."""
    needs = {option.key: option.needs for option in game.OPTIONS}
    wanted = {*keys, *(needs[key] for key in keys)}
    return frozenset(wanted - {""})


def of_size(game: Game, size: int) -> list[frozenset[str]]:
    """Return every set of so many options, with what they need."""
    keys = [option.key for option in game.OPTIONS]
    sets = [with_needs(game, chosen) for chosen in combinations(keys, size)]
    return list(dict.fromkeys(sets))


def large(game: Game) -> list[frozenset[str]]:
    """Return everything, and everything but one option and what needs it."""
    everything = frozenset(option.key for option in game.OPTIONS)
    needy = {option.key: option.needs for option in game.OPTIONS}
    without = [
        frozenset(key for key in everything if key != left and needy[key] != left)
        for left in sorted(everything)
    ]
    return list(dict.fromkeys([everything, *without]))


def mixes(game: Game, count: int) -> list[frozenset[str]]:
    """Return mixes drawn by lot, the same ones each time."""
    chance = Dealer("mixes")
    keys = [option.key for option in game.OPTIONS]
    return [with_needs(game, tuple(key for key in keys if chance.below(2))) for _ in range(count)]
