"""Investors whose power is in buying, splitting and selling shares, or in moving the market."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile import dividends, market
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.data_epic import SHORT_PRICE
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import (
    BuyDiscarded,
    DeclareDividend,
    DoubleUp,
    Move,
    Nudge,
    Short,
)
from stockpile_web.games.stockpile.phases.selling import can_sell, price_for, sales
from stockpile_web.games.stockpile.shares import double, give_up, ways_to_double
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class MovesTheMarket(Power):
    """Crazy Cramer: on his Action turn, move one company by one."""

    MOVES = (Nudge,)
    when = "action"

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [Nudge(company, steps) for company in COMPANIES for steps in (1, -1)]

    def use(self, state: State, seat: Seat, move: Nudge, dealer: Dealer) -> None:
        dealer.announce("nudged", seat=seat, company=move.company, steps=move.steps)
        market.move(state, move.company, move.steps, dealer)


class Doubles(Power):
    """Clever Chanda: on her Action turn, give up a share to split another card; both are shown."""

    MOVES = (DoubleUp,)
    when = "action"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        """A regular card to split, and another card, regular or split, to give up."""
        player = state.players[seat]
        return player.face_down() >= 2 or bool(player.face_down() and any(player.split.values()))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [DoubleUp(*way) for way in ways_to_double(state.players[seat])]

    def use(self, state: State, seat: Seat, move: DoubleUp, dealer: Dealer) -> None:
        give_up(state, seat, move.given, move.half, dealer)
        double(state, seat, move.company, dealer)


class PaysDividend(Power):
    """Dividend Deborah: at the end of the round, let one company pay $1K a share to all."""

    MOVES = (DeclareDividend,)
    when = "end_of_round"

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [DeclareDividend(company) for company in COMPANIES]

    def use(self, state: State, seat: Seat, move: DeclareDividend, dealer: Dealer) -> None:
        dealer.announce("dividend_chosen", seat=seat, company=move.company)
        dividends.declare(state, move.company, 1, dealer)


class SellsDearer(Twist):
    """Golden Graham: get $1K more for every share sold."""

    def share_price(self, price: int, state: State, seat: Seat, company: Company) -> int:
        return price + 1


class SellsShort(Power):
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


class SellsAgain(Power):
    """Tactical Talal: when all have sold, sell again."""

    when = "after_selling"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return can_sell(state.players[seat])

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return sales(state.players[seat], COMPANIES)


class BuysDiscarded(Power):
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


class MoreStrategies(Twist):
    """Illicit Ivan: more strategies by one less than there are rounds, and two a round."""

    def strategies_drawn(self, count: int, state: State) -> int:
        return state.table().rounds - 1

    def strategies_a_round(self, count: int) -> int:
        return 2
