"""Investors of the Selling Phase and of the moment after it."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.data_epic import SHORT_PRICE
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import BuyDiscarded, Move, Short
from stockpile_web.games.stockpile.phases.selling import can_sell, price_for, sales
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class GoldenGraham(Twist):
    """Golden Graham: get $1K more for every share sold."""

    def share_price(self, price: int, state: State, seat: Seat, company: Company) -> int:
        return price + 1


class ShortingSoros(Power):
    """Shorting Soros: once in the Selling Phase, and in the final sale, one share for $8K."""

    MOVES = (Short,)
    when = "selling"

    def waits(self, state: State, seat: Seat) -> bool:
        """Who may sell again at the end of the Selling Phase may do so short, if not done yet."""
        if state.phase != "after_selling" or self.is_used(state, seat):
            return super().waits(state, seat)
        return any(power.waits(state, seat) for power in self.others(state, seat))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        player = state.players[seat]
        cards = [Short(company, half=False) for company, held in player.shares.items() if held]
        return [*cards, *(Short(company, half=True) for company, n in player.split.items() if n)]

    def use(self, state: State, seat: Seat, move: Short, dealer: Dealer) -> None:
        player = state.players[seat]
        player.sold = True
        if move.half:
            player.split[move.company] -= 1
            player.shares[move.company] += 1
        else:
            player.shares[move.company] -= 1
            state.discard.append(move.company)
        money = price_for(state, seat, move.company, SHORT_PRICE)
        dealer.announce("sold_short", seat=seat, company=move.company, half=move.half, money=money)
        earn(state, seat, money, dealer)

    def final_sale(self, prices: list[int], state: State, seat: Seat) -> list[int]:
        """The share that brings least is the one to sell short."""
        price = price_for(state, seat, next(iter(COMPANIES)), SHORT_PRICE)
        if not prices or min(prices) >= price:
            return prices
        worst = prices.index(min(prices))
        return [*prices[:worst], price, *prices[worst + 1 :]]


class TacticalTalal(Power):
    """Tactical Talal: when all have sold, sell again."""

    when = "after_selling"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return can_sell(state.players[seat])

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return sales(state.players[seat], COMPANIES)


class BailoutBarack(Power):
    """Bailout Barack: after the Selling Phase, buy a discarded stock card for $2K less."""

    MOVES = (BuyDiscarded,)
    when = "before_movement"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return bool(self.offers(state, seat))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        cash = state.players[seat].cash
        return [
            BuyDiscarded(company)
            for company in COMPANIES
            if company in state.discard and self._cost(state, company) <= cash
        ]

    def use(self, state: State, seat: Seat, move: BuyDiscarded, dealer: Dealer) -> None:
        cost = self._cost(state, move.company)
        state.discard.remove(move.company)
        state.players[seat].shares[move.company] += 1
        pay(state, seat, cost)
        dealer.announce("discard_bought", seat=seat, company=move.company, money=-cost)

    @staticmethod
    def _cost(state: State, company: Company) -> int:
        return max(0, state.price(company) - 2)
