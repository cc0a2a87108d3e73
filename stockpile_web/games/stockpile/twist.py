"""The questions that the base rules ask; the default answer to each is "no change".

A module answers for the whole table, an investor for the seat that has it.
"""

from typing import TYPE_CHECKING, Any

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Card, Company, Forecast

if TYPE_CHECKING:
    from stockpile_web.games.stockpile.moves import Move
    from stockpile_web.games.stockpile.state import Pair, State


class Twist:
    """A change to the base rules."""

    MOVES: tuple[type[Any], ...] = ()  # The moves that it adds, and plays.

    def board(self, board: str) -> str:
        """Which side of the board is used?"""
        return board

    def before_game(self, state: "State", dealer: Dealer) -> None:
        """The table is laid out."""

    def after_choice(self, state: "State", dealer: Dealer) -> None:
        """Everyone has made a choice before the game."""

    def starting_money(self, money: int, investor: str, players: int) -> int:
        """What does an investor that is bid for begin with at a table of so many players?"""
        return money

    def waits(self, state: "State", seat: Seat) -> bool:
        """Does `seat` have something to decide in this phase? Told from what all can see."""
        return False

    def insists(self, state: "State", seat: Seat) -> bool:
        """Is that something which `seat` must decide before its turn can end?"""
        return False

    def moves(self, moves: "list[Move]", state: "State", seat: Seat) -> "list[Move]":
        """Which moves are open to `seat`, who is on turn?"""
        return moves

    def play(self, state: "State", seat: Seat, move: Any, dealer: Dealer) -> None:
        """One of `MOVES` is made."""

    def after_turn(self, state: "State", seat: Seat, dealer: Dealer) -> None:
        """`seat` has no more to decide in this phase: its turn is over."""

    def forecasts(
        self, cards: tuple[Forecast, ...], state: "State", dealer: Dealer
    ) -> tuple[Forecast, ...]:
        """Which six forecasts are dealt this round?"""
        return cards

    def opens_piles(self, opens: bool) -> bool:
        """Does this seat lay out the cards with which the stockpiles begin?"""
        return opens

    def after_supply(self, state: "State", seat: Seat, dealer: Dealer) -> None:
        """A player has laid the cards of a Supply Phase."""

    def before_demand(self, state: "State", seat: Seat, dealer: Dealer) -> None:
        """The Demand Phase begins."""

    def bid_track(self, prices: tuple[int, ...]) -> tuple[int, ...]:
        """What does this seat pay on each space of a bidding track?"""
        return prices

    def spaces_to_outbid(self, spaces: int) -> int:
        """How many spaces further must a bid be to outbid this seat?"""
        return spaces

    def after_bid(self, state: "State", seat: Seat, dealer: Dealer) -> None:
        """A meeple of this seat was placed."""

    def after_outbid(self, state: "State", seat: Seat, dealer: Dealer) -> None:
        """A meeple of this seat was outbid."""

    def fee(self, amount: int) -> int:
        """What does this seat pay for a trading fee it picks up? Less than nothing is a gain."""
        return amount

    def pick_up(self, state: "State", seat: Seat, card: Card, dealer: Dealer) -> None:
        """A card of this module was in a pile that `seat` has won."""

    def share_price(self, price: int, state: "State", seat: Seat, company: Company) -> int:
        """What does `seat` get for a share it sells?"""
        return price

    def forecast(self, effect: tuple[int, int], pair: "Pair") -> tuple[int, int]:
        """Which dividend a share, then how many steps, does a pair bring?"""
        return effect

    def strategies_drawn(self, count: int, state: "State") -> int:
        """How many more strategies does this seat draw before the game?"""
        return count

    def strategies_a_round(self, count: int) -> int:
        """How many strategies may this seat play in a round?"""
        return count

    def interest(self, money: int, state: "State", seat: Seat) -> int:
        """How much interest does `seat` get at the end of a round?"""
        return money

    def first_player(self, seat: Seat, state: "State") -> Seat:
        """Who goes first in the next round?"""
        return seat

    def final_sale(self, prices: list[int], state: "State", seat: Seat) -> list[int]:
        """What does this seat get for each share of the final sale?"""
        return prices

    def settle(self, state: "State", seat: Seat, dealer: Dealer) -> None:
        """The final sale is over: what else does `seat` get or owe?"""
