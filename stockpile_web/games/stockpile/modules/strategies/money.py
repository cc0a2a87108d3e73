"""Strategies that pay: by bids, fees, goods, shares, or just so."""

from collections import Counter

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data_epic import (
    BLOCK_TRADING,
    COMMODITIES,
    TAX,
    VALUE_INVESTING,
)
from stockpile_web.games.stockpile.modules.strategies.card import (
    Picks,
    Strategy,
    receive,
    return_good,
    unused_actions,
    waste_action,
)
from stockpile_web.games.stockpile.shares import give_up, owned, ways_to_give
from stockpile_web.games.stockpile.state import State


class PaysBySpace(Strategy):
    """By the space on which your best meeple for it ended."""

    def __init__(self, pays: dict[int, int]) -> None:
        self.pays = pays

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if self._best(state, seat) else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        receive(state, seat, self._best(state, seat), dealer)

    def _best(self, state: State, seat: Seat) -> int:
        return max(self.pays.get(space, 0) for space in [*state.players[seat].ended, -1])


class CornerTheMarket(Strategy):
    """$5K for every commodity card beyond the first of its kind."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if self._duplicates(state, seat) else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        receive(state, seat, 5 * self._duplicates(state, seat), dealer)

    def _duplicates(self, state: State, seat: Seat) -> int:
        goods = Counter(card for card in state.players[seat].goods if card in COMMODITIES)
        return sum(count - 1 for count in goods.values())


class Diversification(Strategy):
    """$2K for each different company you own; you show a card of each."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if owned(state.players[seat]) else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        companies = owned(state.players[seat])
        dealer.announce("strategy_showed", seat=seat, companies=companies)
        receive(state, seat, 2 * len(companies), dealer)


class Interpositioning(Strategy):
    """$6K for each trading fee obtained this round."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if state.players[seat].fees_won else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        receive(state, seat, 6 * state.players[seat].fees_won, dealer)


class NakedShort(Strategy):
    """Discard an action card unused: $12K."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return unused_actions(state, seat)

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        waste_action(state, seat, picks[0], dealer)
        receive(state, seat, 12, dealer)


class GoldenParachute(Strategy):
    """Give up a share and get twice its value."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [*ways_to_give(state.players[seat])]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        give_up(state, seat, picks[0], picks[1], dealer)
        receive(state, seat, 2 * state.price(picks[0]), dealer)


class Receive(Strategy):
    """Get money."""

    def __init__(self, money: int) -> None:
        self.money = money

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        receive(state, seat, self.money, dealer)


class TaxHaven(Strategy):
    """Return one of your tax cards to the box."""

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if TAX in state.players[seat].goods else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        return_good(state, seat, TAX)
        dealer.announce("tax_avoided", seat=seat)


class JunkBonds(Strategy):
    """Take a bond from the supply."""

    cost = 2

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [()] if state.bonds_left else []

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        state.bonds_left -= 1
        state.players[seat].bonds += 1
        dealer.announce("bond_taken", seat=seat)


BLOCK = PaysBySpace(BLOCK_TRADING)
VALUE = PaysBySpace(VALUE_INVESTING)
