"""What a share is worth to whoever holds it: by space and movements left, if forecasts are chance.

Whoever holds a share may sell it before each movement, so it is worth its price or more.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from stockpile_web.games.stockpile.data import BOARDS, FORECASTS, SPLIT_BONUS, Company
from stockpile_web.games.stockpile.data_epic import DICE

Chance = tuple[float, int, int]  # How likely, which dividend a share, how many steps.


class Worth(NamedTuple):
    """What one card is worth: a regular one, and a split one with its two shares."""

    regular: float
    split: float


NOTHING = Worth(0, 0)


@cache
def effect(forecast: str, falsified: bool = False) -> tuple[int, int]:
    """Return the dividend a share and the steps that a forecast brings."""
    each, steps = (len(forecast), 0) if forecast.startswith("$") else (0, int(forecast))
    if falsified:
        steps += 3 if steps < 0 else -3
    return each, steps


@cache
def any_forecast(dice: bool) -> tuple[Chance, ...]:
    """Return what a round of which nothing is known may bring to a company."""
    faces = [face for die in DICE for face in die] if dice else [*FORECASTS]
    return tuple((1 / len(faces), *effect(face)) for face in faces)


@cache
def kept(board: str, company: Company, left: int, dice: bool) -> tuple[Worth, ...]:
    """Return, by space, what a card is worth while so many movements are left to come."""
    values = BOARDS[board][company].values
    if not left:
        return tuple(Worth(value, 2 * value) for value in values)
    chances = any_forecast(dice)
    held = [held_through(board, company, s, left, dice, chances) for s in range(len(values))]
    return tuple(
        Worth(max(value, card.regular), max(2 * value, card.split))
        for value, card in zip(values, held, strict=True)
    )


@lru_cache(maxsize=20_000)  # With dice there is no end of what may be known of a round.
def held_through(
    board: str,
    company: Company,
    space: int,
    left: int,
    dice: bool,
    chances: tuple[Chance, ...],
) -> Worth:
    """Return what a card is worth that is not sold before the next of the movements `left`."""
    regular = split = 0.0
    for chance, each, steps in chances:
        card = moved(board, company, space, steps, left - 1, dice)
        regular += chance * (each + card.regular)
        split += chance * (2 * each + card.split)
    return Worth(regular, split)


@cache
def moved(board: str, company: Company, space: int, steps: int, left: int, dice: bool) -> Worth:
    """Return what a card is worth when its ticker has moved by `steps`, with what that pays."""
    track = BOARDS[board][company]
    if space + steps < 0:
        return NOTHING
    splits = regular = split = 0
    while steps > 0:
        way = min(steps, len(track.values) - 1 - space)
        dollars = len(track.dollars.intersection(range(space + 1, space + way + 1)))
        regular += dollars * (2 if splits else 1)
        split += 2 * dollars
        space, steps = space + way, steps - way
        if steps:
            regular += SPLIT_BONUS if splits else 0
            split += SPLIT_BONUS
            space, steps, splits = track.octagon, steps - 1, splits + 1
    after = kept(board, company, left, dice)[space + steps]
    return Worth(regular + (after.split if splits else after.regular), split + after.split)
