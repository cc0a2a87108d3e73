"""Action: in turn order, everyone uses all action cards won this round."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile import market
from stockpile_web.games.stockpile.data import ACTIONS, BOOM, BUST, COMPANIES
from stockpile_web.games.stockpile.moves import Boom, Bust, Move
from stockpile_web.games.stockpile.phases.phase import Phase, is_waiting, waiting
from stockpile_web.games.stockpile.state import State

USES: dict[str, list[Move]] = {
    BOOM: [Boom(company) for company in COMPANIES],
    BUST: [Bust(company) for company in COMPANIES],
}


class ActionPhase(Phase):
    """Each card moves one company's ticker, and may split it or break it."""

    def begin(self, state: State, dealer: Dealer) -> None:
        others = waiting(state)
        state.queue = [
            seat for seat in state.order() if state.players[seat].actions or seat in others
        ]

        dealer.let_slip()  # Whoever is on turn holds action cards, and those passed over do not.

    def leave(self, state: State, seat: Seat, dealer: Dealer) -> None:
        super().leave(state, seat, dealer)
        dealer.let_slip()

    def legal(self, state: State, seat: Seat) -> list[Move]:
        held = state.players[seat].actions
        return [move for card in ACTIONS if card in held for move in USES[card]]

    def may_end(self, state: State, seat: Seat) -> bool:
        return not state.players[seat].actions

    def is_done(self, state: State, seat: Seat) -> bool:
        return not state.players[seat].actions and not is_waiting(state, seat)

    def play(self, state: State, seat: Seat, move: Boom | Bust, dealer: Dealer) -> None:
        card = BOOM if isinstance(move, Boom) else BUST
        discard_action(state, seat, card)
        dealer.announce("action_used", seat=seat, card=card, company=move.company)
        market.move(state, move.company, ACTIONS[card], dealer)


def discard_action(state: State, seat: Seat, card: str) -> None:
    """Lay an action card on the discard pile, used or not."""
    state.players[seat].actions.remove(card)
    state.discard.append(card)
