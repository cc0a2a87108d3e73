"""What to bid: on the pile that leaves most, just above what stands."""

from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.ratings import investor_worth
from stockpile_web.games.stockpile.bots.trading import shortage
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.moves import Bid

# How much of its lead a bid may give up to be left alone. Set by hand: over 400 games, 0 and 2 won
# no more and no less often than chance allows.
RAISE = 0.5


def best_bid(worths: list[float], costs: list[float], bids: list[Bid]) -> Bid:
    """Return the bid that promises most, by what piles are worth and what spaces cost."""
    lowest = {bid.pile: bid for bid in reversed(bids)}
    spaces = {pile: lowest[pile].space for pile in sorted(lowest)}
    pile, space = best_space(worths, costs, spaces)
    higher = Bid(pile, space, lowest[pile].meeple)
    return higher if higher in bids else lowest[pile]


def best_space(
    worths: list[float], costs: list[float], lowest: dict[int, int], raises: float = RAISE
) -> tuple[int, int]:
    """Return the best pile and the space to bid on, by the lowest space of each pile."""
    gains = {pile: worths[pile] - costs[space] for pile, space in lowest.items()}
    pile = max(gains, key=gains.__getitem__)
    space, gain = lowest[pile], gains.pop(pile)
    second = max(gains.values(), default=0.0)
    enough = second + raises * (gain - second)
    is_raised = space + 1 < len(costs) and worths[pile] - costs[space + 1] > enough
    return pile, space + is_raised


def ranked_bids(worths: list[float], costs: list[float], bids: list[Bid]) -> list[Bid]:
    """Return all bids: the best, the lowest on each other pile, and what pays more than it need."""
    best, lowest = best_bid(worths, costs, bids), {bid.pile: bid for bid in reversed(bids)}

    def place(bid: Bid) -> tuple[bool, bool, float]:
        is_lowest = bid.pile != best.pile and bid == lowest[bid.pile]
        return bid != best, not is_lowest, costs[bid.space] - worths[bid.pile]

    return sorted(bids, key=place)


def pile_worths(outlook: Outlook) -> list[float]:
    """Return what each pile is worth to the seat; in the investor auction, each investor."""
    view = outlook.view
    if view.phase == "auction":
        seats = len(view.players)
        return [investor_worth(pile.cards[0].card or "", seats) for pile in view.piles]
    return [sum(outlook.card(laid.card) for laid in pile.cards) for pile in view.piles]


def space_costs(outlook: Outlook) -> list[float]:
    """Return what it costs the seat to win on each space of a track."""
    if outlook.view.phase == "auction":
        return [*BID_TRACK]
    cash = outlook.me.cash
    return [price + shortage(outlook, cash - price) for price in outlook.own.bid_track]
