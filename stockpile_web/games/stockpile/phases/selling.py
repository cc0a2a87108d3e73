"""Selling: in turn order, everyone sells as many shares as they like at today's value."""

from collections.abc import Iterable

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.fees import earn
from stockpile_web.games.stockpile.in_play import in_play
from stockpile_web.games.stockpile.moves import DONE, Move, Sell, SellHalf, SellSplit
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Player, State
from stockpile_web.games.stockpile.twist import Twist

# Every sale there is, made once, by company: the first n are open to a holder of n cards.
_COPIES = range(1, 11)
SALES = {company: [Sell(company, cards) for cards in _COPIES] for company in COMPANIES}
SPLIT_SALES = {company: [SellSplit(company, cards) for cards in _COPIES] for company in COMPANIES}
HALF_SALES = {company: [SellHalf(company, cards) for cards in _COPIES] for company in COMPANIES}


class Selling(Phase):
    """A player sells in any number of sales, and then says that they are done."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.queue = [seat for seat in state.order() if can_sell(state.players[seat])]

    def legal(self, state: State, seat: Seat) -> list[Move]:
        return [DONE, *sales(state.players[seat], COMPANIES)]

    def play(
        self, state: State, seat: Seat, move: Sell | SellSplit | SellHalf, dealer: Dealer
    ) -> None:
        player, company, cards = state.players[seat], move.company, move.cards
        player.sold = True
        if isinstance(move, Sell):
            player.shares[company] -= cards
            state.discard += [company] * cards
            pay_out(state, seat, "sold", company, cards, 1, dealer)
        elif isinstance(move, SellSplit):
            player.split[company] -= cards
            state.discard += [company] * cards
            pay_out(state, seat, "split_sold", company, cards, 2, dealer)
        else:
            player.split[company] -= cards
            player.shares[company] += cards
            pay_out(state, seat, "half_sold", company, cards, 1, dealer)


def sales(player: Player, companies: Iterable[Company]) -> list[Move]:
    """Return every sale that `player` can make of `companies`."""
    moves: list[Move] = []
    for company in companies:
        if held := player.shares[company]:
            moves += SALES[company][:held]
        if held := player.split[company]:
            moves += SPLIT_SALES[company][:held]
            moves += HALF_SALES[company][:held]
    return moves


def pay_out(
    state: State, seat: Seat, kind: str, company: Company, cards: int, shares: int, dealer: Dealer
) -> None:
    """Pay for `cards` of so many `shares` each."""
    each = price_for(state, seat, company)
    money = each * shares * cards
    dealer.announce(kind, seat=seat, company=company, cards=cards, each=each, money=money)
    earn(state, seat, money, dealer)


def price_for(state: State, seat: Seat, company: Company, value: int | None = None) -> int:
    """Return what `seat` gets for a share, at today's value unless another is given."""
    price = state.price(company) if value is None else value
    twists = in_play(state, seat)
    return ask(twists, Twist.share_price, price, state, seat, company) if twists else price


def can_sell(player: Player) -> bool:
    """Tell whether a player has any card to sell."""
    return any(player.shares.values()) or any(player.split.values())
