"""Steps reach every whole choice and nothing else, by two other ways to count them."""

from random import Random

import pytest

from stockpile_web.games.illimat.data import CARDS
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.moves import Harvest, Stockpile
from tests.games.illimat.counting import (
    active_of,
    by_masks,
    by_partitions,
    by_steps,
    laid,
    openings,
    random_field,
)


def test_every_whole_choice_is_reached_and_every_one_reached_is_legal() -> None:
    random = Random(1)
    tried = 0
    for _ in range(60):
        items = random_field(random, random.randint(1, 6))
        used = {item.name for item in items}
        hand = random.sample([card for card in CARDS if card not in used], 4)
        state = laid(items, " ".join(hand), random.choice(["", "union"]))
        for opening in openings(state):
            tried += 1
            expected = by_partitions(items, opening.value, active_of(opening))
            assert by_steps(state, opening) == expected
            assert expected
    assert tried > 200


def test_every_value_that_can_be_harvested_or_stacked_is_offered() -> None:
    random = Random(2)
    for _ in range(60):
        items = random_field(random, random.randint(1, 6))
        used = {item.name for item in items}
        hand = random.sample([card for card in CARDS if card not in used], 3)
        offered = {(type(o), o.value, active_of(o)) for o in openings(laid(items, " ".join(hand)))}
        for card in hand:
            for value in CARDS[card].values:
                is_open = (Harvest, value, 0) in offered
                assert is_open == bool(by_partitions(items, value, 0))
            for passive in {value for c in hand if c != card for value in CARDS[c].values}:
                for counts in CARDS[card].values:
                    if by_partitions(items, passive, counts):
                        assert (Stockpile, passive, counts) in offered


def test_the_two_other_ways_to_count_agree() -> None:
    random = Random(3)
    for _ in range(40):
        items = random_field(random, 6)
        for value, active in ((10, 0), (14, 0), (14, 1), (9, 4), (15, 0)):
            assert by_masks(items, value, active) == by_partitions(items, value, active)


@pytest.mark.parametrize(
    ("value", "hand"),
    [(10, "Su10 St10"), pytest.param(14, "SuF StF", marks=pytest.mark.long)],
)
def test_fourteen_low_cards_have_thousands_of_whole_choices_all_of_them_reached(
    value: int, hand: str
) -> None:
    count_on_fourteen(Random(value), value, hand)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_more_fields_of_fourteen(seed: int) -> None:
    random = Random(seed)
    count_on_fourteen(random, 10, "Su10 St10")
    count_on_fourteen(random, 14, "SuF StF")


def count_on_fourteen(random: Random, value: int, hand: str) -> None:
    low = [card for card in CARDS if CARDS[card].values[0] <= 5 and card not in hand.split()]
    items = [Item((card,)) for card in random.sample(low, 14)]
    state = laid(items, hand)
    for opening in openings(state):
        if opening.value == value and getattr(opening, "card", hand[:3]).startswith(hand[:3]):
            found = by_steps(state, opening)
            assert len(found) > 500
            assert found == by_masks(items, value, active_of(opening))
