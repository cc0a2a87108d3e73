"""An auction played in the head, on an imagined table of which all cards are seen."""

from collections import Counter
from math import exp

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.bots.bidding import best_bid, pile_worths, space_costs
from stockpile_web.games.stockpile.bots.outlook import MAJORITY_COUNTS, Outlook, goods_worth
from stockpile_web.games.stockpile.bots.worth import Worth, effect, moved
from stockpile_web.games.stockpile.data import (
    COMPANIES,
    MAJORITY,
    MAJORITY_TIED,
    Company,
)
from stockpile_web.games.stockpile.data_epic import BOND_PRICE, INTEREST
from stockpile_web.games.stockpile.moves import Bid
from stockpile_web.games.stockpile.phases.demand import Demand, place_meeple
from stockpile_web.games.stockpile.state import State

DEMAND = Demand()

# Money that decides much: at the end, and more for each round that is left.
AT_THE_END, A_ROUND = 6.0, 5.0


class Auction:
    """The Demand Phase of one imagined table: who thinks what of the piles, and what is true."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seats = range(len(state.players))
        outlooks = [Outlook(stockpile.view(state, seat)) for seat in self.seats]
        self.worths = [pile_worths(outlook) for outlook in outlooks]
        self.costs = [space_costs(outlook) for outlook in outlooks]
        self.prices = [outlook.own.bid_track for outlook in outlooks]
        self.left = outlooks[0].left - 1  # Movements after this round's.
        self.cards = [self._true_worths(seat) for seat in self.seats]
        self.stock = [
            Counter(laid.card for laid in pile if laid.card in COMPANIES) for pile in state.piles
        ]
        self.extras = [
            [
                sum(outlook.card(laid.card) for laid in pile if laid.card not in COMPANIES)
                for pile in state.piles
            ]
            for outlook in outlooks
        ]
        self.base = [self._base(seat) for seat in self.seats]
        self.shares = [
            {c: player.shares[c] + 2 * player.split[c] for c in COMPANIES}
            for player in state.players
        ]
        self.table = _Snapshot(state)

    def doubt(self, viewer: Seat) -> float:
        """Return what the others who have bid seem to give away by bidding where they did."""
        return sum(
            self._given_away(standing.seat, pile)
            for pile, standing in enumerate(self.state.bids)
            if standing is not None and standing.seat != viewer
        )

    def chance(self, seat: Seat, first: Bid | None = None) -> float:
        """Return how likely `seat` is to win if it makes the bid and all bid on from there."""
        dealer, state = Dealer(""), self.state
        if first is not None:
            place_meeple(state, seat, first, dealer)
        while state.queue:
            bidder = state.queue[0]
            bids = DEMAND.legal(state, bidder)
            bid = best_bid(self.worths[bidder], self.costs[bidder], bids)
            place_meeple(state, bidder, bid, dealer)
        won = [
            (standing.seat, pile, standing.space)
            for pile, standing in enumerate(state.bids)
            if standing is not None
        ]
        self.table.restore(state)
        return self._share(self._money(won), seat)

    def _given_away(self, seat: Seat, pile: int) -> float:
        """Return how much better another pile would have been, at the price it has now."""
        worths, costs = self.worths[seat], self.costs[seat]
        gains = {}
        for number, standing in enumerate(self.state.bids):
            space = 0 if standing is None else standing.space + (number != pile)
            if space < len(costs):
                gains[number] = worths[number] - costs[space]
        return max(gains.values()) - gains[pile]

    def _true_worths(self, seat: Seat) -> dict[Company, Worth]:
        """Return what cards will be worth when the pairs have moved; who knows a fall sells."""
        state, cards = self.state, {}
        dice = "forecast_dice" in state.modules
        for pair in state.pairs:
            each, steps = effect(pair.forecast, pair.falsified)
            space, price = state.tickers[pair.company], state.price(pair.company)
            card = moved(state.board, pair.company, space, steps, self.left, dice)
            regular, split = card.regular + each, card.split + 2 * each
            if pair.up or seat in pair.known:
                regular, split = max(regular, price), max(split, 2 * price)
            cards[pair.company] = Worth(regular, split)
        return cards

    def _base(self, seat: Seat) -> float:
        """Return what the seat has without what it is to win now."""
        player, cards = self.state.players[seat], self.cards[seat]
        bond = BOND_PRICE[len(self.seats)] + INTEREST * (self.left + 1)
        money = player.cash + player.bonds * bond + goods_worth(player.goods)
        return money + sum(
            player.shares[company] * card.regular + player.split[company] * card.split
            for company, card in cards.items()
        )

    def _money(self, won: list[tuple[Seat, int, int]]) -> list[float]:
        """Return what everyone can expect when the piles are won on these spaces."""
        money = self.base[:]
        shares = [dict(held) for held in self.shares]
        for seat, pile, space in won:
            money[seat] += self.extras[seat][pile] - self.prices[seat][space]
            for company, count in self.stock[pile].items():
                money[seat] += count * self.cards[seat][company].regular
                shares[seat][company] += count
        counts = MAJORITY_COUNTS[self.left]
        for company in COMPANIES:
            held = [each[company] for each in shares]
            most = max(held)
            if most:
                leaders = [seat for seat in self.seats if held[seat] == most]
                bonus = MAJORITY if len(leaders) == 1 else MAJORITY_TIED
                for seat in leaders:
                    money[seat] += counts * bonus
        return money

    def _share(self, money: list[float], seat: Seat) -> float:
        """Return how likely the seat is to win, as far as the money tells."""
        scale, most = AT_THE_END + A_ROUND * self.left, max(money)
        weights = [exp((each - most) / scale) for each in money]
        return weights[seat] / sum(weights)


class _Snapshot:
    """What bidding changes on a table, to put it back."""

    def __init__(self, state: State) -> None:
        self.bids, self.made, self.queue = state.bids[:], state.bids_made, state.queue[:]
        self.discard = state.discard[:]
        self.players = [(p.cash, p.meeples[:], p.fees[:]) for p in state.players]

    def restore(self, state: State) -> None:
        """Put it back."""
        state.bids, state.bids_made, state.queue = self.bids[:], self.made, self.queue[:]
        state.discard = self.discard[:]
        for player, (cash, meeples, fees) in zip(state.players, self.players, strict=True):
            player.cash, player.meeples, player.fees = cash, meeples[:], fees[:]
