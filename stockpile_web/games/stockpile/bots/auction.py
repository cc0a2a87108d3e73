"""An auction played in the head, by the rules, on an imagined table."""

from functools import cached_property
from typing import NamedTuple

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.bots.bidding import best_bid, pile_worths, space_costs
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.truth import Truth
from stockpile_web.games.stockpile.moves import Bid
from stockpile_web.games.stockpile.phases.demand import Demand, place_meeple
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.view import view as view_of

DEMAND = Demand()


class Mind(NamedTuple):
    """What one player thinks of the piles, and what each space costs them."""

    outlook: Outlook
    worths: list[float]
    costs: list[float]


class Auction:
    """The Demand Phase of one imagined table, which is left as it was."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.minds: dict[Seat, Mind] = {}

    def mind(self, seat: Seat) -> Mind:
        """Return what a player thinks: the same throughout the auction."""
        if seat not in self.minds:
            outlook = Outlook(view_of(self.state, seat))
            self.minds[seat] = Mind(outlook, pile_worths(outlook), space_costs(outlook))
        return self.minds[seat]

    @cached_property
    def truth(self) -> Truth:
        """What comes of it."""
        seats = range(len(self.state.players))
        return Truth(self.state, [self.mind(seat).outlook for seat in seats])

    def doubt(self, viewer: Seat) -> float:
        """Return what the others who have bid seem to give away by bidding where they did."""
        return sum(
            self._given_away(standing.seat, pile)
            for pile, standing in enumerate(self.state.bids)
            if standing is not None and standing.seat != viewer
        )

    def _given_away(self, seat: Seat, pile: int) -> float:
        """Return how much better another pile would have been, at the price it has now."""
        _, worths, costs = self.mind(seat)
        gains = {}
        for number, standing in enumerate(self.state.bids):
            space = 0 if standing is None else standing.space + (number != pile)
            if space < len(costs):
                gains[number] = worths[number] - costs[space]
        return max(gains.values()) - gains[pile]

    def chance(self, seat: Seat, first: Bid | None = None) -> float:
        """Return how likely `seat` is to win if it makes the bid and all bid on from there."""
        truth, state, dealer = self.truth, self.state, Dealer("")
        before = _Bidding(state)
        if first is not None:
            place_meeple(state, seat, first, dealer)
        while state.queue:
            bidder = state.queue[0]
            _, worths, costs = self.mind(bidder)
            bid = best_bid(worths, costs, DEMAND.legal(state, bidder))
            place_meeple(state, bidder, bid, dealer)
        won = [
            (standing.seat, pile, standing.space)
            for pile, standing in enumerate(state.bids)
            if standing is not None
        ]
        before.restore(state)
        return truth.chance(seat, won)


class _Bidding:
    """What bids change on a table, to put it back."""

    def __init__(self, state: State) -> None:
        self.bids, self.made, self.queue = state.bids[:], state.bids_made, state.queue[:]
        self.discard = state.discard[:]
        self.players = [(p.cash, p.meeples[:], p.fees[:]) for p in state.players]

    def restore(self, state: State) -> None:
        """Put it back."""
        state.bids, state.bids_made, state.queue = self.bids, self.made, self.queue
        state.discard = self.discard
        for player, (cash, meeples, fees) in zip(state.players, self.players, strict=True):
            player.cash, player.meeples, player.fees = cash, meeples, fees
