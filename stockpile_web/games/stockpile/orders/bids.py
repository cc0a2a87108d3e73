"""Bids: the lowest one that stands, on the pile that is wanted most, as far as the order goes."""

from stockpile_web.engine import Followed
from stockpile_web.games.stockpile.data import ACTIONS, FEES
from stockpile_web.games.stockpile.moves import Bid, Move
from stockpile_web.games.stockpile.orders.book import (
    ACTION,
    ASK,
    CHEAPEST,
    HIDDEN,
    WORTH,
    Book,
    look,
)
from stockpile_web.games.stockpile.view import CardView, View


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Bid, also for an investor; a pile on which the player's own bid stands is passed over."""
    bids = [move for move in moves if isinstance(move, Bid)]
    if not bids or book.round != view.round or not (book.offers or book.then != ASK):
        return None
    for offer in book.offers:
        here = [bid for bid in bids if bid.pile == offer.pile and bid.space <= offer.most]
        if here:
            if look(view.piles[offer.pile]) != offer.seen and not book.anyway:
                return Followed(why={"kind": "pile_changed", "pile": offer.pile})
            return Followed(min(here, key=_space))
    if book.then == CHEAPEST:
        return Followed(min(bids, key=_space))
    if book.then == WORTH:
        return _by_worth(book, view, bids)
    return Followed(why={"kind": "bids_too_low", "piles": [offer.pile for offer in book.offers]})


def _by_worth(book: Book, view: View, bids: list[Bid]) -> Followed:
    """Make the bid that leaves most of what a pile is worth; somebody must always bid something."""
    piles = {bid.pile: [_worth(book, laid) for laid in view.piles[bid.pile].cards] for bid in bids}
    unknown = [pile for pile, cards in piles.items() if None in cards]
    if unknown or view.own is None:
        return Followed(why={"kind": "worth_unknown", "piles": unknown})
    track = view.own.bid_track
    lowest = {bid.pile: bid for bid in sorted(bids, key=_space, reverse=True)}
    left = {bid: sum(filter(None, piles[pile])) - track[bid.space] for pile, bid in lowest.items()}
    return Followed(max(left, key=left.__getitem__))


def _worth(book: Book, laid: CardView) -> int | None:
    """Return what a card is worth to the player; None if the order does not know its kind."""
    if laid.card is None:
        return book.worth.get(HIDDEN, 0)
    if laid.card in FEES:
        return -FEES[laid.card]
    return book.worth.get(ACTION if laid.card in ACTIONS else laid.card)


def _space(bid: Bid) -> int:
    return bid.space
