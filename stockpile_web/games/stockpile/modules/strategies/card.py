"""The shape of an investment strategy, and the costs that several share."""

from typing import Any

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Card
from stockpile_web.games.stockpile.fees import earn
from stockpile_web.games.stockpile.phases.action import discard_action
from stockpile_web.games.stockpile.state import State

Picks = tuple[Any, ...]


class Strategy:
    """A card: the ways to play it now, each a tuple of picks, and what happens then."""

    cost = 0  # In money.

    def ways(self, state: State, seat: Seat) -> list[Picks]:
        """Return every way to play it; none if its cost or its effect is out of reach."""
        return [()]

    def carry_out(self, state: State, seat: Seat, picks: Picks, dealer: Dealer) -> None:
        """Pay what it costs beyond money, and do what it says."""
        raise NotImplementedError

    def open_ways(self, state: State, seat: Seat) -> list[Picks]:
        """Return the ways, if the money for them is there."""
        return self.ways(state, seat) if state.players[seat].cash >= self.cost else []


def receive(state: State, seat: Seat, money: int, dealer: Dealer) -> None:
    """Let a strategy pay its player."""
    dealer.announce("strategy_paid", seat=seat, money=money)
    earn(state, seat, money, dealer)


def return_good(state: State, seat: Seat, card: Card) -> None:
    """Return a commodity or a tax to the box."""
    state.players[seat].goods.remove(card)
    state.spent.append(card)


def unused_actions(state: State, seat: Seat) -> list[Picks]:
    """Return the action cards with which a cost can be paid."""
    return [(card,) for card in dict.fromkeys(state.players[seat].actions)]


def waste_action(state: State, seat: Seat, card: str, dealer: Dealer) -> None:
    """Discard an action card without using it."""
    discard_action(state, seat, card)
    dealer.announce("action_wasted", seat=seat, card=card)
