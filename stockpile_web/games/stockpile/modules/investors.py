"""Investors: dealt before the game, some kept, each with its own money and power."""

from itertools import combinations

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.investors import BASE, EPIC, INVESTORS, PROMO, starting_money
from stockpile_web.games.stockpile.moves import KeepInvestors, Move
from stockpile_web.games.stockpile.state import Laid, State
from stockpile_web.games.stockpile.twist import Twist

SETS = {"investors": BASE, "epic_investors": EPIC, "promo_investors": PROMO}


class Investors(Twist):
    """Deal twice as many as are kept: one of two, or two of four with two players."""

    MOVES = (KeepInvestors,)

    def before_game(self, state: State, dealer: Dealer) -> None:
        sets = [name for option, name in SETS.items() if option in state.modules]
        deck = [
            key
            for key, investor in INVESTORS.items()
            if investor.set in sets and (not investor.needs or investor.needs in state.modules)
        ]
        dealer.shuffle(deck)
        for seat, player in enumerate(state.players):
            player.cash = 0
            player.offered = [deck.pop() for _ in range(2 * state.table().meeples)]
            dealer.whisper(seat, "investors_dealt", investors=player.offered[:])

    def waits(self, state: State, seat: Seat) -> bool:
        return state.phase == "keeping" and bool(state.players[seat].offered)

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if not self.waits(state, seat):
            return moves
        kept = combinations(state.players[seat].offered, state.table().meeples)
        return [*moves, *(KeepInvestors(keys) for keys in kept)]

    def play(self, state: State, seat: Seat, move: KeepInvestors, dealer: Dealer) -> None:
        state.players[seat].offered = []
        state.players[seat].investors = move.keys
        dealer.whisper(seat, "investors_chosen", investors=[*move.keys])

    def starting_money(self, money: int, investor: str, players: int) -> int:
        return starting_money(investor, players)

    def after_choice(self, state: State, dealer: Dealer) -> None:
        """Everyone opens what they kept, and takes its money or lays it out to be bid for."""
        if state.phase != "keeping":
            return
        for seat in state.order():
            player = state.players[seat]
            if "investor_bidding" in state.modules:
                for key in player.investors:
                    dealer.turn_up("investor_laid", seat=seat, pile=len(state.piles), investor=key)
                    state.piles.append([Laid(key, by=seat)])
                player.investors = ()
            else:
                money = sum(starting_money(key, len(state.players)) for key in player.investors)
                kept = [*player.investors]
                dealer.turn_up("investors_kept", seat=seat, investors=kept, money=money)
                player.cash = money
