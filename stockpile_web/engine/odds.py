"""Chances that follow from counting cards: what games share when they tell the odds."""

from math import comb


def chance_of_any(unseen: int, wanted: int, held: int) -> float:
    """Return how likely at least one of `held` cards, out of so many unseen, is a wanted one."""
    held = min(held, unseen)
    return 1 - comb(unseen - wanted, held) / comb(unseen, held)
