"""What cards and cleared fields are worth to the seat of a view, in points."""

from collections.abc import Iterable
from functools import cached_property
from math import exp, sqrt

from stockpile_web.games.illimat.data import CARDS, STARS, SUMMER, WINTER, Card
from stockpile_web.games.illimat.view import View

# A share of what the whole of a kind scores. Set by hand: over thousands of games against three
# casual ones, 0.5 for Summer and -0.4 for Winter were not told apart from these.
SUMMER_CARD, WINTER_CARD, A_FOOL = 0.35, -0.3, 1.0
# Of a field that is cleared: a Luminary scores a point, and most bring something besides.
LUMINARY, REVEALED = 1.4, 0.2

# What a card counts for the Bumper Crop: most while the race for it is open.
CROP = 2.4
SURE, STILL_TO_COME = 1.5, 0.6  # How far leads may still change, at the end and before.


class Worth:
    """What things are worth as the round stands."""

    def __init__(self, view: View) -> None:
        self.view = view

    @cached_property
    def any_card(self) -> float:
        """What a card is worth whatever it shows."""
        mine, theirs = crops(self.view)
        left = len(deck(self.view)) - sum(player.pile for player in self.view.players)
        spread = SURE + STILL_TO_COME * sqrt(left)
        return CROP / spread * exp(-(((mine - theirs) / spread) ** 2) / 2)

    def of(self, cards: Iterable[Card]) -> float:
        """Return what cards add to a harvest pile."""
        total = 0.0
        for card in cards:
            face = CARDS[card]
            total += self.any_card + A_FOOL * face.is_fool
            total += SUMMER_CARD * (face.suit == SUMMER) + WINTER_CARD * (face.suit == WINTER)
        return total

    def of_clearing(self, field: int, okuses: int) -> float:
        """Return what comes of clearing a field while so many okuses lie on the Illimat."""
        seen = self.view.fields[field]
        return (okuses > 0) + LUMINARY * bool(seen.luminary) + REVEALED * seen.is_face_down


def crops(view: View) -> tuple[int, int]:
    """Return how many cards the seat has harvested, and how many the best of the others."""
    assert view.viewer is not None
    piles = [player.pile for player in view.players]
    return piles.pop(view.viewer), max(piles)


def deck(view: View) -> list[Card]:
    """Return the cards that are played with."""
    return [card for card, face in CARDS.items() if view.has_stars or face.suit != STARS]
