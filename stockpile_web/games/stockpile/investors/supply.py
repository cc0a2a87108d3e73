"""Investors of the Supply Phase: what lies on the stockpiles, and how."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Card
from stockpile_web.games.stockpile.moves import LayOpening, Move, PlaceHidden
from stockpile_web.games.stockpile.phases.supply import end_placing
from stockpile_web.games.stockpile.state import Laid, State
from stockpile_web.games.stockpile.twist import Twist


class RoyalRobins(Twist):
    """Royal Robins: lay out the opening cards, one of them face-down."""

    MOVES = (LayOpening,)

    def opens_piles(self, opens: bool) -> bool:
        return True

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if state.phase != "opening":
            return moves
        piles = range(len(state.piles))
        cards = dict.fromkeys(state.players[seat].hand)
        return [*moves, *(LayOpening(card, pile) for card in cards for pile in piles)]

    def play(self, state: State, seat: Seat, move: LayOpening, dealer: Dealer) -> None:
        """He chooses the hidden card and its pile; the others follow in the order drawn."""
        others, state.players[seat].hand = state.players[seat].hand, []
        others.remove(move.card)
        shown: list[Card | None] = []
        for number, pile in enumerate(state.piles):
            if number == move.pile:
                pile.append(Laid(move.card, by=seat, up=False, known=[seat]))
                shown.append(None)
            else:
                pile.append(Laid(others.pop(0), by=seat))
                shown.append(pile[0].card)
        state.queue.remove(seat)
        secret = {"card": move.card}
        dealer.reveal([seat], "piles_laid", secret, seat=seat, pile=move.pile, cards=shown)


class SecretiveStuart(Twist):
    """Secretive Stuart: place both cards face-down if he likes."""

    MOVES = (PlaceHidden,)

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if state.phase != "supply":
            return moves
        one, two = state.players[seat].hand
        piles = range(len(state.piles))
        return [*moves, *(PlaceHidden(one, a, two, b) for a in piles for b in piles)]

    def play(self, state: State, seat: Seat, move: PlaceHidden, dealer: Dealer) -> None:
        for card, pile in ((move.one, move.one_pile), (move.two, move.two_pile)):
            state.piles[pile].append(Laid(card, by=seat, up=False, known=[seat]))
        dealer.reveal(
            [seat],
            "placed_hidden",
            {"cards": [move.one, move.two]},
            seat=seat,
            piles=[move.one_pile, move.two_pile],
        )
        end_placing(state, seat, dealer)
