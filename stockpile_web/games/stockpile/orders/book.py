"""What a player may order: a book that nobody else sees, and the round it is for."""

from stockpile_web.engine import Record
from stockpile_web.games.stockpile.data import Card, Company
from stockpile_web.games.stockpile.view import PileView, View

ASK, CHEAPEST, WORTH = "ask", "cheapest", "worth"
ROUND, ALWAYS, NEVER = "round", "always", "never"
# Cards that are worth something besides the shares.
ACTION, HIDDEN = "action", "hidden"

SALES = ("selling", "after_selling")
# When nobody sells any more in this round.
AFTER_SALES = frozenset(("before_movement", "movement", "interest", "end_of_round", "round_end"))


class Offer(Record):
    """Bid on a pile, but no further than a space of its track."""

    pile: int
    most: int  # A space.
    seen: str  # What the pile looked like when the order was left.


class Book(Record):
    """A player's standing orders."""

    round: int = 0  # With it lapse bids, actions, `now` and a `rest` for the round.
    offers: list[Offer] = []  # What is wanted most comes first.
    then: str = ASK  # Or CHEAPEST, or by what the cards are WORTH.
    worth: dict[
        Card, int
    ] = {}  # To this player: a share, an ACTION card, or a card that is HIDDEN.
    anyway: bool = False  # Bid on piles that have changed, too.
    now: list[Company] = []  # Sell all of them, at any price.
    at: dict[Company, int] = {}  # In every round, sell all of them at this price or more.
    rest: str = ASK  # Keep all other shares for the ROUND, or ALWAYS.
    sold: bool = False  # These orders have, on this turn: if nothing is left, they end it.
    dividends: str = ASK  # Collect ALWAYS, or NEVER show anything new.
    boom: Company = ""
    bust: Company = ""


def coming_round(view: View) -> int:
    """Return the round that orders left now are for: the next one, once the player has sold."""
    has_sold = view.phase == "selling" and _comes_before(view, view.on_turn[0])
    return view.round + (has_sold or view.phase in AFTER_SALES)


def strike_out_old(book: Book, view: View) -> None:
    """Strike out what was for a turn or a round that is over, at least for this player."""
    if view.phase not in SALES:
        book.sold = False
    if book.round < coming_round(view):
        book.round, book.offers, book.then, book.anyway = 0, [], ASK, False
        book.worth = {}
        book.now, book.boom, book.bust = [], "", ""
        book.rest = ASK if book.rest == ROUND else book.rest


def look(pile: PileView) -> str:
    """Return what a pile looks like to the viewer; `?` is a back."""
    return " ".join(laid.card or "?" for laid in pile.cards)


def _comes_before(view: View, seat: int) -> bool:
    return view.viewer is not None and view.order.index(view.viewer) < view.order.index(seat)
