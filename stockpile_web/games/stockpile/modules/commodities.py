"""Commodities and taxes: laid face-up on the piles, kept open, worth something at the end."""

from collections import Counter
from itertools import permutations

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Card
from stockpile_web.games.stockpile.data_epic import COMMERCE_DECK, SET_BONUS, TAX, TAX_PENALTY
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.moves import Move, PlaceGoods
from stockpile_web.games.stockpile.phases.game_end import tell
from stockpile_web.games.stockpile.state import Laid, State
from stockpile_web.games.stockpile.twist import Twist


def sets(goods: list[Card]) -> list[list[Card]]:
    """Return the sets of different commodities among `goods`, the largest first."""
    left, found = Counter(goods), []
    del left[TAX]
    while left:
        found.append(list(left))
        left -= Counter(found[-1])
    return found


class Commodities(Twist):
    """Draw from the commerce deck after placing; when all have placed, lay it on a pile."""

    MOVES = (PlaceGoods,)

    def before_game(self, state: State, dealer: Dealer) -> None:
        state.commerce = [card for card, copies in COMMERCE_DECK.items() for _ in range(copies)]
        dealer.shuffle(state.commerce)

    def after_supply(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """One card each; two with two players."""
        drawn = [state.commerce.pop() for _ in range(state.table().supplies) if state.commerce]
        state.players[seat].drawn = drawn
        dealer.whisper(seat, "goods_drawn", cards=drawn[:])

    def waits(self, state: State, seat: Seat) -> bool:
        return state.phase == "after_supply" and bool(state.players[seat].drawn)

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        """No two cards of one player go to one pile."""
        if not self.waits(state, seat):
            return moves
        count = len(state.players[seat].drawn)
        ways = permutations(range(len(state.piles)), count)
        return [*moves, *(PlaceGoods(piles) for piles in ways)]

    def play(self, state: State, seat: Seat, move: PlaceGoods, dealer: Dealer) -> None:
        cards, state.players[seat].drawn = state.players[seat].drawn, []
        for card, pile in zip(cards, move.piles, strict=True):
            state.piles[pile].append(Laid(card, by=seat))
        dealer.announce("goods_placed", seat=seat, cards=cards, piles=[*move.piles])

    def pick_up(self, state: State, seat: Seat, card: Card, dealer: Dealer) -> None:
        if card in COMMERCE_DECK:
            state.players[seat].goods.append(card)

    def settle(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """Score sets of different commodities, then pay for the taxes."""
        goods = state.players[seat].goods
        taxes = goods.count(TAX)
        for cards in sets(goods):
            money = SET_BONUS[len(cards)]
            tell(state, seat, dealer, "commodity_set", cards=cards, money=money)
            earn(state, seat, money, dealer)
        if taxes:  # In full, even below zero.
            pay(state, seat, TAX_PENALTY[taxes])
            tell(state, seat, dealer, "taxes", count=taxes, money=-TAX_PENALTY[taxes])
