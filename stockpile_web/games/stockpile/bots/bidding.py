"""What to bid: on the pile that leaves most, just above what stands."""

from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.ratings import investor_worth
from stockpile_web.games.stockpile.bots.supplying import pile_worth
from stockpile_web.games.stockpile.bots.trading import shortage
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.moves import Bid

RAISE = 0.5  # Found by simulation: how much of its lead a bid may give up to be left alone.


def best_bid(outlook: Outlook, bids: list[Bid]) -> Bid:
    """Return the bid that promises most."""
    view = outlook.view
    if view.phase == "auction":
        seats = len(view.players)
        worths = [investor_worth(pile.cards[0].card or "", seats) for pile in view.piles]
        prices: tuple[int, ...] = BID_TRACK
    else:
        worths = [pile_worth(outlook, number) for number in range(len(view.piles))]
        prices = outlook.own.bid_track
    cash = outlook.me.cash
    costs = [price + shortage(outlook, cash - price) for price in prices]
    gains = {bid: worths[bid.pile] - costs[bid.space] for bid in bids}
    lowest: dict[int, Bid] = {}
    for bid in bids:
        lowest.setdefault(bid.pile, bid)
    best = max(lowest.values(), key=gains.__getitem__)
    second = max((gains[bid] for bid in lowest.values() if bid.pile != best.pile), default=0.0)
    higher = Bid(best.pile, best.space + 1, best.meeple)
    enough = second + RAISE * (gains[best] - second)
    return higher if gains.get(higher, enough) > enough else best
