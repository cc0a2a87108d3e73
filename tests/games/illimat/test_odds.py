"""The odds of Illimat are what one counts in all the worlds that a seat cannot tell apart."""

from copy import deepcopy
from random import Random

import pytest

from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import CARDS, HARVEST
from stockpile_web.games.illimat.fields import can_take
from stockpile_web.games.illimat.odds import odds
from tests.games.illimat.worlds import another_world
from tests.support.random_play import Sitting

WORLDS = 800


@pytest.mark.parametrize("seed", ["odds", "more"])
def test_the_chance_that_another_can_take_a_field_or_a_stockpile_is_that_of_all_worlds(
    seed: str,
) -> None:
    sitting = Sitting("illimat", 3, (), seed)
    stockpiles = 0
    for _ in sitting.turns(40):
        state = sitting.state
        view = illimat.view(state, 0)
        found = odds(view)
        assert found is not None
        hands = sum(len(player.hand) for player in state.players[1:])
        assert found.in_hands == hands
        hidden = [*state.pile, *(card for field in state.fields for card in field.under)]
        hidden += [card for p in state.players[1:] for card in (*p.hand, *p.pile())]
        assert {card for each in found.unseen for card in each.cards} == {*hidden}
        open_fields = [each for each in view.fields if each.items and each.forbidden != HARVEST]
        assert [each.season for each in found.fields] == [each.season for each in open_fields]
        piles = [each for field in found.fields for each in field.stockpiles]
        if sitting.number % 13 and not (piles and not stockpiles):
            continue
        stockpiles += len(piles)
        random = Random(2)
        closed = deepcopy(state)  # Harvest piles are not looked through: any card may be there.
        for player in closed.players[1:]:
            player.harvest, player.children = [], player.pile()
        worlds = [another_world(closed, 0, random) for _ in range(WORLDS)]
        held = [{card for p in world.players[1:] for card in p.hand} for world in worlds]
        values = [{value for card in cards for value in CARDS[card].values} for cards in held]
        for told, field in zip(found.fields, open_fields, strict=True):
            takes = {value for value in range(1, 15) if can_take(field.items, value)}
            share = sum(not takes.isdisjoint(some) for some in values) / WORLDS
            assert share == pytest.approx(told.chance, abs=0.06)
        for each in piles:
            share = sum(each.value in some for some in values) / WORLDS
            assert share == pytest.approx(each.chance, abs=0.06)
    assert stockpiles
