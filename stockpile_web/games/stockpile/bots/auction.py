"""An auction played in the head on an imagined table."""

from bisect import bisect_right
from functools import cached_property

from stockpile_web.engine import Seat
from stockpile_web.games.stockpile.bots.minds import Mind
from stockpile_web.games.stockpile.bots.truth import Truth
from stockpile_web.games.stockpile.in_play import bid_track
from stockpile_web.games.stockpile.moves import Bid
from stockpile_web.games.stockpile.phases.demand import spaces_to_outbid
from stockpile_web.games.stockpile.state import Standing, State

Bids = list[Standing | None]


class Auction:
    """The Demand Phase of one imagined table, which is left as it was.

    Left out is what some investors are paid, or pay, while they bid: it decides nothing.
    """

    def __init__(self, state: State, minds: list[Mind]) -> None:
        self.state, self.minds = state, minds
        self.meeples = state.table().meeples
        seats = range(len(minds))
        self.prices = [bid_track(state, seat) for seat in seats]
        self.further = [spaces_to_outbid(state, seat) for seat in seats]

    @cached_property
    def truth(self) -> Truth:
        """What comes of it."""
        return Truth(self.state)

    def chance(self, seat: Seat, first: Bid | None = None) -> float:
        """Return how likely `seat` is to win if it makes the bid and all bid on from there."""
        bids, queue = self.state.bids[:], self.state.queue[:]
        if first is not None:
            self._place(bids, queue, first.pile, first.space)
        while queue:
            self._place(bids, queue, *self._best(bids, queue[0]))
        return self.truth.chance(seat, bids)

    def _best(self, bids: Bids, seat: Seat) -> tuple[int, int]:
        """Return on which pile and space a player bids."""
        prices, money = self.prices[seat], self.state.players[seat].cash
        lowest: dict[int, int] = {}
        for pile, standing in enumerate(bids):
            if standing is None:
                lowest[pile] = 0
            elif standing.seat == seat:
                money -= max(0, prices[standing.space])
            else:
                lowest[pile] = standing.space + self.further[standing.seat]
        spaces = bisect_right(prices, money)
        can_pay = {pile: space for pile, space in lowest.items() if space < spaces}
        return self.minds[seat].bid(can_pay, spaces)

    def _place(self, bids: Bids, queue: list[Seat], pile: int, space: int) -> None:
        """Place a meeple of the first in the queue; when all have, whoever lacks one is next."""
        seat = queue.pop(0)
        bids[pile] = Standing(seat, space, 0)
        if not queue:
            standing = [bid.seat for bid in bids if bid is not None]
            seats = len(self.minds)
            clockwise = ((seat + step) % seats for step in range(1, seats + 1))
            queue += [each for each in clockwise if standing.count(each) < self.meeples][:1]
