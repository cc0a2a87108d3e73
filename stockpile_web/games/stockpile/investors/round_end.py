"""Investors of the round end."""

from itertools import combinations

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile import dividends
from stockpile_web.games.stockpile.data import COMPANIES, FEES
from stockpile_web.games.stockpile.data_epic import COMMODITIES
from stockpile_web.games.stockpile.fees import earn, pay, payable
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import (
    DeclareDividend,
    Give,
    Move,
    Redistribute,
    ShowCompanies,
    TakeIncome,
)
from stockpile_web.games.stockpile.shares import owned
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class LucrativeLi(Twist):
    """Lucrative Li: $1K more interest for every two bonds, rounded up."""

    def interest(self, money: int, state: State, seat: Seat) -> int:
        return money + (state.players[seat].bonds + 1) // 2


class AgileAna(Power):
    """Agile Ana: $1K for each different company she owns; she shows a card of each, or none."""

    MOVES = (ShowCompanies,)
    when = "end_of_round"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        player = state.players[seat]
        return bool(player.face_down() or any(player.split.values()))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [ShowCompanies()] if owned(state.players[seat]) else []

    def use(self, state: State, seat: Seat, move: ShowCompanies, dealer: Dealer) -> None:
        companies = owned(state.players[seat])
        money = len(companies)
        dealer.announce("companies_shown", seat=seat, companies=companies, money=money)
        earn(state, seat, money, dealer)


class DividendDeborah(Power):
    """Dividend Deborah: at the end of the round, let one company pay $1K a share to all."""

    MOVES = (DeclareDividend,)
    when = "end_of_round"

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [DeclareDividend(company) for company in COMPANIES]

    def use(self, state: State, seat: Seat, move: DeclareDividend, dealer: Dealer) -> None:
        dealer.announce("dividend_chosen", seat=seat, company=move.company)
        dividends.declare(state, move.company, 1, dealer)


class DaringDangote(Power):
    """Daring Dangote: $1K for each commodity card, by itself at the end of his turn.

    Whoever has another power to use may take it before that.
    """

    MOVES = (TakeIncome,)
    when = "end_of_round"
    must = True

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return self._income(state, seat) > 0

    def waits(self, state: State, seat: Seat) -> bool:
        others = self.others(state, seat)
        return self.is_open(state, seat) and any(power.waits(state, seat) for power in others)

    def insists(self, state: State, seat: Seat) -> bool:
        """What is not taken comes by itself."""
        return False

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [TakeIncome()]

    def use(self, state: State, seat: Seat, move: TakeIncome, dealer: Dealer) -> None:
        money = self._income(state, seat)
        dealer.announce("paid_for_commodities", seat=seat, money=money)
        earn(state, seat, money, dealer)

    def after_turn(self, state: State, seat: Seat, dealer: Dealer) -> None:
        if self.is_open(state, seat):
            self.play(state, seat, TakeIncome(), dealer)

    def _income(self, state: State, seat: Seat) -> int:
        return sum(card in COMMODITIES for card in state.players[seat].goods)


class OpulentOprah(Power):
    """Opulent Oprah: after the interest, give $2K to another player, or $1K to each of two.

    With less she gives what she has. Without any she gives nothing, and says so before another
    power of hers brings money.
    """

    MOVES = (Give,)
    when = "end_of_round"
    must = True

    def can_be_used(self, state: State, seat: Seat) -> bool:
        has_money, others = state.players[seat].cash > 0, self.others(state, seat)
        return has_money or any(power.is_open(state, seat) for power in others)

    def insists(self, state: State, seat: Seat) -> bool:
        return state.players[seat].cash > 0 and super().insists(state, seat)

    def offers(self, state: State, seat: Seat) -> list[Move]:
        if not state.players[seat].cash:
            return [Give(())]
        others = [other for other in range(len(state.players)) if other != seat]
        pairs = combinations(others, 2) if state.players[seat].cash >= 2 else ()
        return [*(Give((other,)) for other in others), *(Give(pair) for pair in pairs)]

    def use(self, state: State, seat: Seat, move: Give, dealer: Dealer) -> None:
        for other in move.to:
            each = min(2 // len(move.to), state.players[seat].cash)
            hand_over(state, seat, other, each, dealer)


class SocialistSanders(Power):
    """Socialist Sanders: after the interest, $2K from the richest other, half for the poorest."""

    MOVES = (Redistribute,)
    when = "end_of_round"
    must = True

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return bool(self.offers(state, seat))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        """Where several are equally rich or poor, he says whom he means.

        Who is poorest is seen when he has taken the money and kept his part, with which he may
        have had to pay a fee.
        """
        cash = {other: player.cash for other, player in enumerate(state.players)}
        most = max(money for other, money in cash.items() if other != seat)
        if not most:
            return []
        him = state.players[seat]
        left = {**cash, seat: him.cash + 1 - sum(FEES[fee] for fee in payable(him, him.cash + 1))}
        moves: list[Move] = []
        for rich in (other for other in cash if other != seat and cash[other] == most):
            least = min(money for other, money in left.items() if other != rich)
            poor = (other for other in left if other != rich and left[other] == least)
            moves += (Redistribute(rich, other) for other in poor)
        return moves

    def use(self, state: State, seat: Seat, move: Redistribute, dealer: Dealer) -> None:
        """The first thousand is his own; the second, if there is one, goes to the poorest."""
        taken = min(2, state.players[move.rich].cash)
        hand_over(state, move.rich, seat, 1, dealer)
        if taken == 2:
            hand_over(state, move.rich, move.poor, 1, dealer)


def hand_over(state: State, giver: Seat, taker: Seat, money: int, dealer: Dealer) -> None:
    """Let one player give money to another."""
    dealer.announce("money_given", seat=giver, to=taker, money=-money)
    pay(state, giver, money)
    dealer.announce("money_received", seat=taker, giver=giver, money=money)
    earn(state, taker, money, dealer)
