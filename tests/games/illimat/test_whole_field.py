"""Taking a whole field in one press: offered exactly when it can be, and found soon."""

from random import Random

from stockpile_web.engine import Dealer
from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import CARDS
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.moves import Add, Finish, Harvest, HarvestAll
from stockpile_web.games.illimat.whole_field import split
from tests.games.illimat.counting import by_masks, laid, random_field


def test_a_field_is_offered_whole_exactly_if_all_of_it_can_be_taken() -> None:
    random, whole = Random(4), 0
    for _ in range(400):
        items = random_field(random, random.randint(2, 9), random.choice([4, 14]))
        for value in range(1, 29):
            parts = split(items, value)
            names = frozenset(item.name for item in items)
            assert (parts is not None) == (names in by_masks(items, value, 0))
            whole += parts is not None
            if parts is not None:
                assert sorted(item.name for item, _ in parts) == sorted(names)
    assert whole > 50


def test_the_search_for_a_whole_field_is_never_cut_short_up_to_fourteen_items() -> None:
    """Every field here falls into groups of its value, because it was made of such groups."""
    random, tried = Random(6), 0
    while tried < 100:
        value, deck = random.randint(5, 28), random.sample([*CARDS], len(CARDS))
        cards: list[str] = []
        while len(cards) < 14:
            group, room = list[str](), value
            for card in deck:
                counts = CARDS[card].values[0]
                if card not in cards and counts <= room:
                    group.append(card)
                    room -= counts
            if room:
                break
            cards += group
        if 10 <= len(cards) <= 14:
            tried += 1
            assert split([Item((card,)) for card in cards], value) is not None


def test_taking_all_is_the_same_as_taking_it_step_by_step() -> None:
    items = [Item((card,)) for card in ("Au7", "Sp3", "Wi5", "Au5")]
    one, other = laid(items, "Su10"), laid(items, "Su10")
    illimat.play(one, 0, HarvestAll(("Su10",), 0, 10), Dealer("same"))
    dealer = Dealer("same")
    for move in (
        Harvest(("Su10",), 0, 10), Add("Wi5", 5), Add("Au5", 5), Add("Sp3", 3), Add("Au7", 7),
        Finish(),
    ):  # fmt: skip
        illimat.play(other, 0, move, dealer)
    assert one == other
