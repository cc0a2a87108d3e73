"""The questions that the rules ask of Luminaries; a Luminary answers those that concern it."""

from dataclasses import dataclass

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.illimat.state import State


@dataclass(frozen=True)
class Luminary:
    """A Luminary in the corner of the field `home`. Every default answer means "no change"."""

    home: int

    def forbidden(self, action: str) -> str:
        """What does a season forbid in its field?"""
        return action

    def can_turn(self, can: bool) -> bool:
        """Can the Illimat be turned?"""
        return can

    def harvest_cards(self, most: int, field: int) -> int:
        """How many cards of a hand may be added up to harvest in `field`?"""
        return most

    def further_sowing(self, fields: list[int]) -> list[int]:
        """Into which fields must everyone sow a further card in each turn?"""
        return fields

    def swapping(self, fields: list[int]) -> list[int]:
        """In which fields may everyone exchange a card in each turn?"""
        return fields

    def when_revealed(self, state: State, dealer: Dealer) -> bool:
        """Do what happens when it is turned up; False if that cannot be, and it is discarded."""
        return True

    def reveals(self) -> int | None:
        """In which further field is a Luminary turned up after it?"""
        return None

    def when_claimed(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """Do what happens when `seat` takes it."""

    def frostbit(self, points: int) -> int:
        """What does being Frostbit score for whoever has claimed it?"""
        return points
