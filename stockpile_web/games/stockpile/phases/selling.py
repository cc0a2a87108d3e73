"""Selling: in turn order, everyone sells as many shares as they like at today's value."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.moves import Done, Move, Sell, SellHalf, SellSplit
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Player, State, earn

DONE = Done()

# Every sale there is, made once, by company: the first n are open to a holder of n cards.
_COPIES = range(1, 11)
SALES = {company: [Sell(company, cards) for cards in _COPIES] for company in COMPANIES}
SPLIT_SALES = {company: [SellSplit(company, cards) for cards in _COPIES] for company in COMPANIES}
HALF_SALES = {company: [SellHalf(company, cards) for cards in _COPIES] for company in COMPANIES}


class Selling(Phase):
    """A player sells in any number of steps; one with no cards left is done."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.queue = [seat for seat in state.order() if _can_sell(state.players[seat])]

    def legal(self, state: State, seat: Seat) -> list[Move]:
        player = state.players[seat]
        moves: list[Move] = [DONE]
        for company, held in player.shares.items():
            if held:
                moves += SALES[company][:held]
        for company, held in player.split.items():
            if held:
                moves += SPLIT_SALES[company][:held]
                moves += HALF_SALES[company][:held]
        return moves

    def play(
        self, state: State, seat: Seat, move: Sell | SellSplit | SellHalf | Done, dealer: Dealer
    ) -> None:
        player = state.players[seat]
        if isinstance(move, Done):
            state.queue.pop(0)
            return
        company, cards = move.company, move.cards
        if isinstance(move, Sell):
            player.shares[company] -= cards
            state.discard += [company] * cards
            _pay_out(state, seat, "sold", company, cards, 1, dealer)
        elif isinstance(move, SellSplit):
            player.split[company] -= cards
            state.discard += [company] * cards
            _pay_out(state, seat, "split_sold", company, cards, 2, dealer)
        else:
            player.split[company] -= cards
            player.shares[company] += cards
            _pay_out(state, seat, "half_sold", company, cards, 1, dealer)
        if not _can_sell(player):
            state.queue.pop(0)


def _pay_out(
    state: State, seat: Seat, kind: str, company: Company, cards: int, shares: int, dealer: Dealer
) -> None:
    """Pay for `cards` of so many `shares` each."""
    each = state.price(company)
    money = each * shares * cards
    dealer.announce(kind, seat=seat, company=company, cards=cards, each=each, money=money)
    earn(state, seat, money, dealer)


def _can_sell(player: Player) -> bool:
    return any(player.shares.values()) or any(player.split.values())
