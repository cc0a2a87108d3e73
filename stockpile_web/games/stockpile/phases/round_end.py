"""The round end: pass the first player token to the left, or end the game."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile.phases import game_end
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import State


class RoundEnd(Phase):
    """The calendar has one space for each round."""

    def begin(self, state: State, dealer: Dealer) -> None:
        if state.round == state.table().rounds:
            game_end.begin(state, dealer)
        else:
            state.first = (state.first + 1) % len(state.players)
