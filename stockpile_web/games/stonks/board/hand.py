"""The hand on a board: which cards can be played, and by which moves."""

from stockpile_web.engine import Facts, Piece
from stockpile_web.games.stonks.data import CARDS, Card, Company, Face
from stockpile_web.games.stonks.moves import Announce, Disguise, Invest, Move, PlayCard
from stockpile_web.games.stonks.view import View


class Held(Piece, frozen=True):
    """A card of the hand."""

    card: Card
    face: Face
    move: PlayCard | Facts | None  # Of a card with icons a part: a tile has the other.
    barred: bool  # It cannot be played, as others of the hand must follow.


class Hand(Piece, frozen=True):
    """The viewer's hand, and what they may do with it."""

    cards: list[Held]
    invests: bool  # Chooses two of them to begin the portfolio with.
    plays: bool
    barred: bool  # Some of them cannot be played.
    announces: list[Company]  # Which may be said to lead, by Speculation.
    disguises: bool  # May follow by Speculation.


def hand(view: View, moves: list[Move]) -> Hand | None:
    """Lay out the hand of a player."""
    if view.own is None or view.over:
        return None
    plays = {move.card: _control(move) for move in moves if isinstance(move, PlayCard)}
    cards = [
        Held(card, CARDS[card], plays.get(card), barred=bool(plays) and card not in plays)
        for card in view.own.hand
    ]
    leads = (move.leading for move in moves if isinstance(move, Announce))
    return Hand(
        cards=cards,
        invests=any(isinstance(move, Invest) for move in moves),
        plays=bool(plays),
        barred=any(held.barred for held in cards),
        announces=list(dict.fromkeys(leads)),
        disguises=any(isinstance(move, Disguise) for move in moves),
    )


def _control(move: PlayCard) -> PlayCard | Facts:
    """Return what the control of a card sends; `with` brings in the arrows on the tiles."""
    if not move.company:
        return move
    return {"move": "PlayCard", "card": move.card, "with": f"icons{CARDS[move.card].icons}"}
