"""What a player can do."""

from stockpile_web.engine import Action, Step


class Pick(Step, frozen=True):
    """Pick a card of your hand: nobody learns of it before it is laid."""

    number: int


class Lay(Action, frozen=True):
    """Lay the cards that you have picked."""


class Pass(Action, frozen=True):
    """Be out."""


Move = Pick | Lay | Pass

LAY, PASS = Lay(), Pass()
