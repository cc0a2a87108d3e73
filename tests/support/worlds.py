"""What only a game can know of its own secrets: it says it in `tests/games/<game>/worlds.py`.

That module gives

- `another_world(state, viewer, random)`: a copy of the state in which all that `viewer` (a seat, or
  None) cannot know is dealt anew, in keeping with all that is public;
- `box(state)`: every card that the printed tables put into such a game;
- `cards(state)`: every card there is, wherever it lies;
- `lose(state, what)`: take "a card" or "a dollar" away, which must not happen;
- `money(state)`: the money of each seat, or an empty list in a game without money;
- `outward(move)`: what the other players see of a move, as it is recorded: with steps, a list;
- `reveals(facts, viewer)`: whether an event turns up something that `viewer` could not know before.
"""

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from tests.support.random_play import Sitting, Turn


def worlds_of(slug: str) -> ModuleType:
    """Return the module of a game."""
    return import_module(f"tests.games.{slug}.worlds")


def counted_turns(sitting: Sitting) -> Iterator[Turn]:
    """Play to the end; after every move all that is in the box is there, and all money is told."""
    worlds = worlds_of(sitting.slug)
    box, money = worlds.box(sitting.state), worlds.money(sitting.state)
    assert worlds.cards(sitting.state) == box
    for turn in sitting.turns():
        for event in turn.events:
            if event.public and "money" in event.public:
                money[event.public["seat"]] += event.public["money"]
        assert worlds.money(sitting.state) == money, "a dollar was not told"
        assert worlds.cards(sitting.state) == box, "a card is not there"
        yield turn
