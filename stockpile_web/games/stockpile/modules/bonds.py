"""Bonds: bought at the beginning of a round, they bear interest and are paid back at the end."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data_epic import BOND_PRICE, BONDS, BONDS_A_ROUND, INTEREST
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.moves import DONE, BuyBonds, Move
from stockpile_web.games.stockpile.phases.game_end import tell
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


def price(state: State) -> int:
    """Return what a bond costs at this table."""
    return BOND_PRICE[len(state.players)]


class Bonds(Twist):
    """In turn order, before everything else, buy up to three."""

    MOVES = (BuyBonds,)

    def before_game(self, state: State, dealer: Dealer) -> None:
        state.bonds_left = BONDS

    def waits(self, state: State, seat: Seat) -> bool:
        return state.phase == "round_beginning" and bool(self._affordable(state, seat))

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if not self.waits(state, seat):
            return moves
        most = self._affordable(state, seat)
        return [*moves, *(BuyBonds(count) for count in range(1, most + 1)), DONE]

    def play(self, state: State, seat: Seat, move: BuyBonds, dealer: Dealer) -> None:
        cost = move.count * price(state)
        state.bonds_left -= move.count
        state.players[seat].bonds += move.count
        pay(state, seat, cost)
        dealer.announce("bonds_bought", seat=seat, count=move.count, money=-cost)
        state.queue.remove(seat)

    def interest(self, money: int, state: State, seat: Seat) -> int:
        return money + INTEREST * state.players[seat].bonds

    def settle(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """Pay the bonds back at their full price."""
        player = state.players[seat]
        if count := player.bonds:
            player.bonds = 0
            money = count * price(state)
            tell(state, seat, dealer, "bonds_redeemed", count=count, money=money)
            earn(state, seat, money, dealer)

    def _affordable(self, state: State, seat: Seat) -> int:
        return min(BONDS_A_ROUND, state.bonds_left, state.players[seat].cash // price(state))
