"""What a player can do; steps put a harvest or a stockpile together."""

from stockpile_web.engine import Action, Step
from stockpile_web.games.illimat.data import Card, Season
from stockpile_web.games.illimat.fields import Value

# Wherever a move has a season: the one that a face card of the Stars gives to its field, and
# empty for every other card.


class Sow(Action, frozen=True):
    """Lay a card face up into a field."""

    card: Card
    field: int
    season: Season = ""


class Harvest(Step, frozen=True):
    """Begin to take groups worth `value` with a card; where it is allowed with two.

    Of two face cards the last one says how the Illimat turns.
    """

    cards: tuple[Card, ...]
    field: int
    value: Value


class HarvestAll(Action, frozen=True):
    """Take all that lies in a field."""

    cards: tuple[Card, ...]
    field: int
    value: Value
    season: Season = ""


class Stockpile(Step, frozen=True):
    """Begin to stack the active card with items of a field to groups worth `value`."""

    card: Card
    field: int
    value: Value
    counts: Value  # What the card itself counts as: a Fool may be 1 or 14.


class Add(Step, frozen=True):
    """Put an item of the field into the group that is being summed."""

    item: Card  # Its name.
    counts: Value  # What it counts as: a loose Fool may be 1 or 14.


class Finish(Action, frozen=True):
    """Carry out the harvest or the stockpile that was put together."""

    season: Season = ""


class SowMore(Action, frozen=True):
    """Lay the further card that a Luminary asks for into its field."""

    card: Card
    field: int
    season: Season = ""


class Swap(Action, frozen=True):
    """Exchange a card of your hand for a loose one in a field."""

    card: Card
    item: Card
    field: int


class TurnIllimat(Action, frozen=True):
    """Give the field that you have cleared a season."""

    season: Season


class Done(Action, frozen=True):
    """Exchange nothing more, and go on."""


Move = (
    Sow | Harvest | HarvestAll | Stockpile | Add | Finish | SowMore | Swap | TurnIllimat | Done
)  # fmt: skip
