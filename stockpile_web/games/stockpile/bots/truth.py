"""What everyone can expect at a table of which all cards are seen, once its piles are won."""

from collections import Counter
from math import exp

from stockpile_web.engine import Seat
from stockpile_web.games.stockpile.bots.outlook import MAJORITY_COUNTS, goods_worth, other_card
from stockpile_web.games.stockpile.bots.worth import Worth, effect, moved
from stockpile_web.games.stockpile.data import COMPANIES, MAJORITY, MAJORITY_TIED, Company
from stockpile_web.games.stockpile.data_epic import BOND_PRICE, INTEREST
from stockpile_web.games.stockpile.in_play import bid_track
from stockpile_web.games.stockpile.state import Standing, State

# Money that decides much: at the end, and more for each round that is left. Set by hand.
AT_THE_END, A_ROUND = 6.0, 5.0


class Truth:
    """An imagined table as only its maker sees it, before anybody has won a pile."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seats = range(len(state.players))
        self.left = state.table().rounds - state.round  # Movements after this round's.
        self.prices = [bid_track(state, seat) for seat in self.seats]
        self.cards = [self._cards(seat) for seat in self.seats]
        self.stock = [
            Counter(laid.card for laid in pile if laid.card in COMPANIES) for pile in state.piles
        ]
        self.extras = [
            [
                sum(other_card(laid.card, player) for laid in pile if laid.card not in COMPANIES)
                for pile in state.piles
            ]
            for player in state.players
        ]
        self.money = [self._money(seat) for seat in self.seats]
        self.shares = [
            {company: held + 2 * player.split[company] for company, held in player.shares.items()}
            for player in state.players
        ]

    def chance(self, seat: Seat, bids: list[Standing | None]) -> float:
        """Return how likely `seat` is to win the game, as far as the money tells."""
        money = self._expected(bids)
        scale, most = AT_THE_END + A_ROUND * self.left, max(money)
        weights = [exp((each - most) / scale) for each in money]
        return weights[seat] / sum(weights)

    def _cards(self, seat: Seat) -> dict[Company, Worth]:
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

    def _money(self, seat: Seat) -> float:
        """Return what the seat has, without what it is to win now and without majorities."""
        player = self.state.players[seat]
        bond = BOND_PRICE[len(self.seats)] + INTEREST * (self.left + 1)
        money = player.cash + player.bonds * bond + goods_worth(player.goods)
        return money + sum(
            player.shares[company] * card.regular + player.split[company] * card.split
            for company, card in self.cards[seat].items()
        )

    def _expected(self, bids: list[Standing | None]) -> list[float]:
        """Return by seat what each can expect to end with."""
        money, shares = self.money[:], [dict(held) for held in self.shares]
        for pile, standing in enumerate(bids):
            if standing is None:
                continue
            seat = standing.seat
            money[seat] += self.extras[seat][pile] - self.prices[seat][standing.space]
            for company, count in self.stock[pile].items():
                money[seat] += count * self.cards[seat][company].regular
                shares[seat][company] += count
        counts = MAJORITY_COUNTS[self.left]
        for company in COMPANIES:
            held = [each[company] for each in shares]
            if most := max(held):
                bonus = counts * (MAJORITY if held.count(most) == 1 else MAJORITY_TIED)
                for seat in self.seats:
                    if held[seat] == most:
                        money[seat] += bonus
        return money
