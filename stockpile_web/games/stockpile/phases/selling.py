"""Selling: in turn order, everyone sells as many shares as they like at today's value."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.moves import Done, Move, Sell, SellHalf, SellSplit
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Player, State, earn

DONE = Done()


class Selling(Phase):
    """A player sells in any number of steps; one with no cards left is done."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.queue = [seat for seat in state.order() if _can_sell(state.players[seat])]

    def legal(self, state: State, seat: Seat) -> list[Move]:
        player = state.players[seat]
        moves: list[Move] = [DONE]
        for company, held in player.shares.items():
            for cards in range(1, held + 1):
                moves.append(Sell(company, cards))
        for company, held in player.split.items():
            for cards in range(1, held + 1):
                moves.append(SellSplit(company, cards))
                moves.append(SellHalf(company, cards))
        return moves

    def play(
        self, state: State, seat: Seat, move: Sell | SellSplit | SellHalf | Done, dealer: Dealer
    ) -> None:
        player = state.players[seat]
        match move:
            case Sell(company, cards):
                player.shares[company] -= cards
                state.discard += [company] * cards
                _pay_out(state, seat, company, cards, "sold", cards, dealer)
            case SellSplit(company, cards):
                player.split[company] -= cards
                state.discard += [company] * cards
                _pay_out(state, seat, company, 2 * cards, "split_sold", cards, dealer)
            case SellHalf(company, cards):
                player.split[company] -= cards
                player.shares[company] += cards
                _pay_out(state, seat, company, cards, "half_sold", cards, dealer)
        if isinstance(move, Done) or not _can_sell(player):
            state.queue.pop(0)


def _pay_out(
    state: State, seat: Seat, company: str, shares: int, kind: str, cards: int, dealer: Dealer
) -> None:
    each = state.price(company)
    dealer.announce(kind, seat=seat, company=company, cards=cards, each=each, money=each * shares)
    earn(state, seat, each * shares, dealer)


def _can_sell(player: Player) -> bool:
    return any(player.shares.values()) or any(player.split.values())
