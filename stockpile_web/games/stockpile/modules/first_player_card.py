"""First player card: who goes first is won with a pile, and given away by its winner."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Card
from stockpile_web.games.stockpile.data_epic import FIRST_CARD
from stockpile_web.games.stockpile.moves import GiveFirstCard, Move, PlaceFirstCard
from stockpile_web.games.stockpile.state import Laid, State, last_round
from stockpile_web.games.stockpile.twist import Twist


class FirstPlayerCard(Twist):
    """The first player lays it on a pile last of all; in the last round it stays in the box."""

    MOVES = (PlaceFirstCard, GiveFirstCard)

    def waits(self, state: State, seat: Seat) -> bool:
        if state.phase == "end_of_supply":
            is_laid = any(laid.card == FIRST_CARD for pile in state.piles for laid in pile)
            return seat == state.first and not is_laid and not last_round(state)
        return state.phase == "piles_won" and state.first_card_won == seat

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if not self.waits(state, seat):
            return moves
        if state.phase == "end_of_supply":
            return [*moves, *(PlaceFirstCard(pile) for pile in range(len(state.piles)))]
        return [*moves, *(GiveFirstCard(to) for to in range(len(state.players)))]

    def play(
        self, state: State, seat: Seat, move: PlaceFirstCard | GiveFirstCard, dealer: Dealer
    ) -> None:
        if isinstance(move, PlaceFirstCard):
            state.piles[move.pile].append(Laid(FIRST_CARD, by=seat))
            dealer.announce("first_card_placed", seat=seat, pile=move.pile)
        else:
            state.first_card_won, state.next_first = None, move.to
            dealer.announce("first_card_given", seat=seat, to=move.to)

    def pick_up(self, state: State, seat: Seat, card: Card, dealer: Dealer) -> None:
        if card == FIRST_CARD:
            state.first_card_won = seat

    def first_player(self, seat: Seat, state: State) -> Seat:
        chosen, state.next_first = state.next_first, None
        return seat if chosen is None else chosen
