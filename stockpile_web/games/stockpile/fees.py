"""Trading fees, and all money that is paid: whatever comes in pays open fees at once."""

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile.data import FEES, Card
from stockpile_web.games.stockpile.in_play import in_play
from stockpile_web.games.stockpile.state import Player, State
from stockpile_web.games.stockpile.twist import Twist


def pick_up_fee(state: State, seat: Seat, card: Card, dealer: Dealer) -> None:
    """A fee in a pile is owed by its winner, unless somebody's power turns it into a gain."""
    state.players[seat].fees_won += 1
    due = ask(in_play(state, seat), Twist.fee, FEES[card])
    if due > 0:
        state.players[seat].fees.append(card)
        return
    state.discard.append(card)
    dealer.announce("fee_gained", seat=seat, card=card, money=-due)
    earn(state, seat, -due, dealer)


def pay(state: State, seat: Seat, amount: int) -> None:
    """Let `seat` pay the bank."""
    state.players[seat].cash -= amount


def earn(state: State, seat: Seat, amount: int, dealer: Dealer, bound: int = 0) -> None:
    """Let the bank pay `seat`, who at once pays every open fee that can now be paid.

    Money that is `bound` by bids pays no fee.
    """
    player = state.players[seat]
    player.cash += amount
    if player.fees:
        pay_fees(state, seat, dealer, bound)


def pay_fees(state: State, seat: Seat, dealer: Dealer, bound: int = 0) -> None:
    """Pay the open trading fees that can be paid; the rest stay open."""
    player = state.players[seat]
    for fee in payable(player, player.cash - bound):
        player.fees.remove(fee)
        pay(state, seat, FEES[fee])
        state.discard.append(fee)
        dealer.announce("fee_paid", seat=seat, card=fee, money=-FEES[fee])


def payable(player: Player, money: int) -> list[Card]:
    """Return the open fees that so much money pays, smallest first, each in full."""
    paid: list[Card] = []
    for fee in sorted(player.fees):
        money -= FEES[fee]
        if money < 0:
            break
        paid.append(fee)
    return paid
