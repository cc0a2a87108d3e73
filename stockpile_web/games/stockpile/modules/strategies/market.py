"""Strategies that move the market, let it pay, or bend a forecast."""

from itertools import combinations, product

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile import dividends
from stockpile_web.games.stockpile import market as tickers
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.data_epic import COMMODITIES
from stockpile_web.games.stockpile.modules.strategies.card import (
    Picks,
    Strategy,
    return_good,
    unused_actions,
    waste_action,
)
from stockpile_web.games.stockpile.phases.information import which_pair
from stockpile_web.games.stockpile.state import State


class PaysDividend(Strategy):
    """A company, of a least value, pays so much a share to all who hold it."""

    def __init__(self, each: int, cost: int = 0, least: int = 0) -> None:
        self.each, self.cost, self.least = each, cost, least

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [(company,) for company in COMPANIES if state.price(company) >= self.least]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        dividends.declare(state, picks[0], self.each, dealer)


class Moves(Strategy):
    """One company moves by so many steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [(company,) for company in COMPANIES]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        tickers.move(state, picks[0], self.steps, dealer)


class PumpAndDump(Moves):
    """A company rises by two; then its shares may be sold at once."""

    cost = 2

    def __init__(self) -> None:
        super().__init__(2)

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        state.players[seat].selling = picks[0]
        super().carry_out(state, seat, picks, dealer)


class MovesSeveral(Strategy):
    """So many different companies each move by so many steps, up or down, for some card.

    The picks are the card it costs, then companies and steps in turn. They move one after the
    other; should one of them pay on its way, the others follow when it has.
    """

    def __init__(self, companies: int, steps: int) -> None:
        self.companies, self.steps = companies, steps

    def costs(self, state: State, seat: Seat) -> list[Picks]:
        """Return the cards with which it can be paid."""
        return unused_actions(state, seat)

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        up_or_down = list(product((self.steps, -self.steps), repeat=self.companies))
        return [
            (*cost, *(pick for one in zip(chosen, steps, strict=True) for pick in one))
            for cost in self.costs(state, seat)
            for chosen in combinations(COMPANIES, self.companies)
            for steps in up_or_down
        ]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        if picks[0] in COMMODITIES:
            return_good(state, seat, picks[0])
            dealer.announce("commodity_spent", seat=seat, card=picks[0])
        else:
            waste_action(state, seat, picks[0], dealer)
        state.to_move = list(zip(picks[1::2], picks[2::2], strict=True))
        tickers.go_on(state, dealer)


class SystemicShock(MovesSeveral):
    """Paid with a commodity; without that module, with an action card."""

    def __init__(self) -> None:
        super().__init__(3, 1)

    def costs(self, state: State, seat: Seat) -> list[Picks]:
        if "commodities" not in state.modules:
            return super().costs(state, seat)
        held = state.players[seat].goods
        return [(card,) for card in COMMODITIES if card in held]


class FalsifiedEarnings(Strategy):
    """Lay it on a forecast, even one you do not know; it bends it when it is turned up."""

    cost = 2

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        return [(number,) for number, pair in enumerate(state.pairs) if not pair.falsified]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        pair = state.pairs[picks[0]]
        pair.falsified = True
        company = pair.company if pair.up else None
        facts = which_pair(state, picks[0])
        dealer.announce("forecast_falsified", seat=seat, company=company, **facts)
