"""Where to lay cards: on the pile you mean to win what others will not pay for, and there alone."""

from typing import Any, NamedTuple

from stockpile_web.games.stockpile.bots.bidding import pile_worths
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.data import Card
from stockpile_web.games.stockpile.moves import (
    LayOpening,
    MoveCard,
    Place,
    PlaceFirstCard,
    PlaceGoods,
    PlaceHidden,
)

KINDS = (Place, PlaceHidden, PlaceGoods, PlaceFirstCard, LayOpening, MoveCard)

# How much it matters that every pile is worth something, and that others pay too much for theirs.
# Set by hand: over 400 games, leaving out either was not told apart from it.
LEVEL, OVERPAID = 0.4, 0.3

Addition = tuple[int, float, float]  # To which pile, its worth to the seat, and to the others.


class Prospect(NamedTuple):
    """What the seat can hope for in the auction: how much, and from which pile most."""

    worth: float
    pile: int
    mine: float  # What that pile is worth to the seat,
    theirs: float  # and what it seems worth to the others.


class Piles:
    """What each pile is worth to the seat, and what it seems worth to the others."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.mine = pile_worths(outlook)
        self.theirs = [
            sum(outlook.card_to_others(laid.card if laid.up else None) for laid in pile.cards)
            for pile in outlook.view.piles
        ]

    def promise(self, move: Any) -> float:
        """Return how well the seat can hope to do in the auction after a move."""
        return self.prospect(move).worth

    def prospect(self, move: Any) -> Prospect:
        """Return what the seat can hope for in the auction after a move."""
        mine, theirs = self.mine[:], self.theirs[:]
        for pile, to_me, to_others in self.added(move):
            mine[pile] += to_me
            theirs[pile] += to_others
        lowest, cash = min(theirs), self.outlook.me.cash
        gains = [a - b for a, b in zip(mine, theirs, strict=True)]
        best = max(
            (gain - max(0.0, worth - lowest - cash), number)
            for number, (gain, worth) in enumerate(zip(gains, theirs, strict=True))
        )
        others = (sum(gains) - gains[best[1]]) / (len(gains) - 1)
        worth = best[0] + LEVEL * lowest - OVERPAID * others
        return Prospect(worth, best[1], mine[best[1]], theirs[best[1]])

    def added(self, move: Any) -> list[Addition]:
        """Return what a move lays on which pile, and what it takes away."""
        match move:
            case Place(up, up_pile, down, down_pile):
                return [self._up(up, up_pile), self._down(down, down_pile)]
            case PlaceHidden(one, one_pile, two, two_pile):
                return [self._down(one, one_pile), self._down(two, two_pile)]
            case PlaceGoods(piles):
                drawn = self.outlook.own.drawn
                return [self._up(card, pile) for card, pile in zip(drawn, piles, strict=True)]
            case LayOpening(card, pile):
                return self._opened(card, pile)
            case MoveCard(pile, position, to):
                return self._moved(pile, position, to)
        return []

    def _up(self, card: Card, pile: int) -> Addition:
        return pile, self.outlook.card(card), self.outlook.card_to_others(card)

    def _down(self, card: Card, pile: int) -> Addition:
        return pile, self.outlook.card(card), self.outlook.any_card

    def _opened(self, card: Card, pile: int) -> list[Addition]:
        others = list(self.outlook.own.hand)
        others.remove(card)
        piles = [number for number in range(len(self.mine)) if number != pile]
        shown = [self._up(*laid) for laid in zip(others, piles, strict=True)]
        return [self._down(card, pile), *shown]

    def _moved(self, pile: int, position: int, to: int) -> list[Addition]:
        laid = self.outlook.view.piles[pile].cards[position]
        mine = self.outlook.card(laid.card)
        theirs = self.outlook.card_to_others(laid.card if laid.up else None)
        return [(pile, -mine, -theirs), (to, mine, theirs)]
