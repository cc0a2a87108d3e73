"""The options that a game is played with: which count of those chosen, and how they are written.

Chosen options are numbers by key; that of a switch is 1. Written down, each is a word: its key, or
its key and its number (`target=17`).
"""

from collections.abc import Iterable, Mapping

from stockpile_web.engine import Game, Option


def read(words: Iterable[str]) -> dict[str, int]:
    """Return the options in `words`."""
    parts = (word.partition("=") for word in words)
    return {key: int(number or 1) for key, _, number in parts}


def write(game: Game, options: Mapping[str, int]) -> list[str]:
    """Return the words for `options`."""
    known = [option for option in game.OPTIONS if option.key in options]
    return [o.key if o.numbers is None else f"{o.key}={options[o.key]}" for o in known]


def titles(game: Game, options: Mapping[str, int]) -> list[str]:
    """Say to people what is played with: a number stands behind its title."""
    known = [option for option in game.OPTIONS if option.key in options]
    return [o.title if o.numbers is None else f"{o.title} {options[o.key]}" for o in known]


def applying(game: Game, chosen: Mapping[str, int], seats: int) -> dict[str, int]:
    """Return what `seats` players play with if they have chosen that: what `setup` is given.

    What means nothing is left out, and a number that nobody has chosen is the usual one. Options
    on which others depend stand before them, so one pass is enough.
    """
    played: dict[str, int] = {}
    for option in game.OPTIONS:
        if not option.is_for(seats) or option.unless in played:
            continue
        if option.numbers is None:
            if option.key in chosen:
                played[option.key] = 1
        elif not option.needs or option.needs in played:
            played[option.key] = chosen.get(option.key, option.number)
    return played


def objection(game: Game, chosen: Mapping[str, int], seats: int) -> str:
    """Say why `seats` players cannot play with all of these; empty if they can."""
    by_key = {option.key: option for option in game.OPTIONS}
    groups: dict[str, Option] = {}
    for option in game.OPTIONS:
        if option.key not in chosen:
            continue
        if not option.is_for(seats):
            return f"“{option.title}” means nothing for {seats} players."
        if option.unless in chosen:
            return f"“{option.title}” means nothing with “{by_key[option.unless].title}”."
        if option.needs and option.needs not in chosen:
            needed = by_key[option.needs].title
            return f"“{option.title}” needs “{needed}”: choose both of them, or neither."
        if option.group and option.group in groups:
            other = groups[option.group].title
            return f"“{other}” and “{option.title}” do not go together: choose one of them."
        if option.numbers is not None and chosen[option.key] not in option.numbers:
            return number_wanted(option)
        groups[option.group] = option
    return ""


def number_wanted(option: Option) -> str:
    """Say which numbers an option can have, to somebody who gave it another."""
    return f"“{option.title}” is a whole number {option.span}."


def together(game: Game, keys: Iterable[str]) -> frozenset[str]:
    """Leave out options that lack what they need, and all but the first of each group."""
    wanted = [option for option in game.OPTIONS if option.key in set(keys)]
    taken = {option.group: option.key for option in reversed(wanted)}
    able = {
        option.key for option in wanted if not option.group or taken[option.group] == option.key
    }
    return frozenset(o.key for o in wanted if o.key in able and (not o.needs or o.needs in able))
