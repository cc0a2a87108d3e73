"""The viewer's harvest pile on a board: what of it counts at the end of a round."""

from stockpile_web.engine import Piece
from stockpile_web.games.illimat.data import CARDS, SUITS, Face, Suit
from stockpile_web.games.illimat.view import View


class OfSuit(Piece, frozen=True):
    """The cards of one suit in the pile."""

    suit: Suit
    faces: list[Face]


class HarvestPile(Piece, frozen=True):
    """The pile by suit, and who else knows it."""

    cards: int
    fools: int
    suits: list[OfSuit]  # Those that have cards.
    children: list[Face]  # Cards that nobody else has seen.


def harvest_pile(view: View) -> HarvestPile | None:
    """Sort the viewer's harvest pile."""
    if view.own is None or view.over:
        return None
    faces = [face for card, face in CARDS.items() if card in view.own.pile]
    by_suit = (OfSuit(suit, [face for face in faces if face.suit == suit]) for suit in SUITS)
    return HarvestPile(
        cards=len(faces),
        fools=sum(face.is_fool for face in faces),
        suits=[each for each in by_suit if each.faces],
        children=[CARDS[card] for card in view.own.children],
    )
