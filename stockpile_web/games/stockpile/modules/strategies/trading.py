"""Strategies that trade shares, and that look at pairs."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile import market as tickers
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.data_epic import SHORT_PRICE
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.modules.strategies.card import Picks, Strategy, receive
from stockpile_web.games.stockpile.phases.information import show_pair
from stockpile_web.games.stockpile.phases.selling import can_sell, price_for
from stockpile_web.games.stockpile.shares import double, give_up, take_discarded, ways_to_give
from stockpile_web.games.stockpile.state import ANY, State


def discarded(state: State) -> list[str]:
    """Return the companies of which a card lies on the discard pile."""
    return [company for company in COMPANIES if company in state.discard]


class ConvertibleBond(Strategy):
    """Return a bond for a discarded stock card."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [(c,) for c in discarded(state)] if state.players[seat].bonds else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        state.players[seat].bonds -= 1
        state.bonds_left += 1
        take_discarded(state, seat, picks[0], dealer)


class FraudulentTransfer(Strategy):
    """Give up a share for a discarded stock card, and get $3K."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        gifts = ways_to_give(state.players[seat])
        return [(*gift, taken) for gift in gifts for taken in discarded(state)]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        give_up(state, seat, picks[0], picks[1], dealer)
        take_discarded(state, seat, picks[2], dealer)
        receive(state, seat, 3, dealer)


class VultureCapitalism(FraudulentTransfer):
    """As a transfer; then the given company falls by one, or the taken one rises by one."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [(*way, steps) for way in super().ways(state, seat) for steps in (-1, 1)]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        given, half, taken, steps = picks
        give_up(state, seat, given, half, dealer)
        take_discarded(state, seat, taken, dealer)
        tickers.move(state, given if steps < 0 else taken, steps, dealer)


class RogueTrading(Strategy):
    """Show a regular card and split it."""

    cost = 3

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [(company,) for company, held in state.players[seat].shares.items() if held]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        double(state, seat, picks[0], dealer)


class ShortAndDistort(Strategy):
    """Sell up to three shares at a fixed price; a split card is two of them, or one if halved.

    The picks are companies and halves in turn: half of a split card leaves a regular one, so the
    two shares of a whole one are its half and then what is left of it.
    """

    most = 3

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        """Regular cards first, then those that are split, whole ones before halves."""
        player = state.players[seat]
        stock = {
            (company, half): (player.split if half else player.shares)[company]
            for company, half in ways_to_give(player)
        }
        lots: list[Picks] = []
        for company, half in stock:
            lots += (
                [(company, True, company, False), (company, True)] if half else [(company, half)]
            )
        return [
            tuple(pick for lot in sold for pick in lot)
            for count in range(1, self.most + 1)
            for sold in combinations_with_replacement(lots, count)
            if sum(len(lot) for lot in sold) <= 2 * self.most
            and all(
                stock[card] >= times for card, times in Counter(lot[:2] for lot in sold).items()
            )
        ]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        player = state.players[seat]
        for company, half in zip(picks[::2], picks[1::2], strict=True):
            if half:
                player.split[company] -= 1
                player.shares[company] += 1
            else:
                player.shares[company] -= 1
                state.discard.append(company)
            money = price_for(state, seat, company, SHORT_PRICE)
            dealer.announce("sold_short", seat=seat, company=company, half=half, money=money)
            earn(state, seat, money, dealer)


class FrontRunning(Strategy):
    """Sell any number of shares now, each for $1K more."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if can_sell(state.players[seat]) else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        state.players[seat].selling = ANY


class StockBuyback(Strategy):
    """Buy a discarded stock card for $3K less than its value."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        cash = state.players[seat].cash
        return [(c,) for c in discarded(state) if self._price(state, c) <= cash]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        price = self._price(state, picks[0])
        dealer.announce("strategy_paid", seat=seat, money=-price)
        pay(state, seat, price)
        take_discarded(state, seat, picks[0], dealer)

    def _price(self, state: State, company: str) -> int:
        return max(0, state.price(company) - 3)


class LooksAtPairs(Strategy):
    """Look at so many pairs you do not know, and get some money."""

    def __init__(self, pairs: int, money: int = 0) -> None:
        self.pairs, self.money = pairs, money

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        hidden = [n for n, p in enumerate(state.pairs) if not p.up and seat not in p.known]
        count = min(self.pairs, len(hidden))
        return [*combinations(hidden, count)] if count else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        for number in picks:
            show_pair(state, seat, number, dealer)
        if self.money:
            receive(state, seat, self.money, dealer)


class DataBroker(Strategy):
    """Turn up a pair of your own for $6K; a falsified one stays hidden until the movement."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        own = [(n, pair) for n, pair in enumerate(state.pairs) if pair.holder == seat]
        return [(n,) for n, pair in own if not pair.up and not pair.falsified]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        pair = state.pairs[picks[0]]
        pair.up = True
        facts = {"company": pair.company, "forecast": pair.forecast}
        dealer.announce("pair_shown", seat=seat, pair=picks[0], **facts)
        receive(state, seat, 6, dealer)
