"""Bids: the lowest one that stands, on the pile that is wanted most, as far as the order goes."""

from stockpile_web.engine import Followed
from stockpile_web.games.stockpile.moves import Bid, Move
from stockpile_web.games.stockpile.orders.book import CHEAPEST, Book, look
from stockpile_web.games.stockpile.view import View


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Bid, also for an investor; a pile on which the player's own bid stands is passed over."""
    bids = [move for move in moves if isinstance(move, Bid)]
    if not bids or book.round != view.round or not (book.offers or book.then == CHEAPEST):
        return None
    for offer in book.offers:
        here = [bid for bid in bids if bid.pile == offer.pile and bid.space <= offer.most]
        if here:
            if look(view.piles[offer.pile]) != offer.seen and not book.anyway:
                return Followed(why={"kind": "pile_changed", "pile": offer.pile})
            return Followed(min(here, key=_space))
    if book.then == CHEAPEST:
        return Followed(min(bids, key=_space))
    return Followed(why={"kind": "bids_too_low", "piles": [offer.pile for offer in book.offers]})


def _space(bid: Bid) -> int:
    return bid.space
