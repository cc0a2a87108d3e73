"""The odds of $TONKS$ are what one counts in all the worlds that a seat cannot tell apart."""

from random import Random

import pytest

from stockpile_web.games import stonks
from stockpile_web.games.stonks.data import CARDS
from stockpile_web.games.stonks.odds import odds
from stockpile_web.games.stonks.state import TRICK, State
from tests.games.stonks.worlds import another_world
from tests.support.random_play import Sitting

WORLDS = 800


def test_the_chance_that_nobody_holds_a_better_card_is_that_of_all_worlds() -> None:
    sitting = Sitting("stonks", 4, (), "odds")
    compared = 0
    for _ in sitting.turns(60):
        state = sitting.state
        if state.phase != TRICK or any(played.down for played in state.trick):
            continue
        me = sitting.on_turn()[0]
        found = odds(stonks.view(state, me))
        assert found is not None and found.cards
        hands = sum(len(p.hand) for seat, p in enumerate(state.players) if seat != me)
        assert found.in_hands == hands
        assert sum(len(each.numbers) for each in found.unseen) == hands + found.elsewhere
        unsure = [each for each in found.cards if 0 < each.unbeatable < 1]
        if not unsure or compared > 4:
            continue
        compared += 1
        each = unsure[0]
        share = sum(_is_best(world, me, each.card) for world in _worlds(state, me)) / WORLDS
        assert share == pytest.approx(each.unbeatable, abs=0.06)
    assert compared > 2


def _worlds(state: State, me: int) -> list[State]:
    random = Random(5)
    return [another_world(state, me, random) for _ in range(WORLDS)]


def _is_best(world: State, me: int, card: str) -> bool:
    """Tell whether none of those who play after me holds a card that beats mine."""
    played = {me, *(each.seat for each in world.trick)}
    leading = world.leading or CARDS[card].company
    held = [c for seat, p in enumerate(world.players) if seat not in played for c in p.hand]
    return not any(_rank(world, leading, c) > _rank(world, leading, card) for c in held)


def _rank(world: State, leading: str, card: str) -> tuple[bool, int]:
    face = CARDS[card]
    if face.company not in (leading, world.trump()):
        return False, 0
    return face.company == world.trump(), face.number
