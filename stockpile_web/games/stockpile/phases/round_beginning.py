"""The round beginning: a new round, and what modules let players do before everything else."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile.phases.phase import Window
from stockpile_web.games.stockpile.state import State


class RoundBeginning(Window):
    """Turn the calendar; nothing of the last round is used up any more."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.round += 1
        dealer.announce("round_began", round=state.round, seat=state.first)
        for player in state.players:
            player.used = []
            player.ended, player.won = [], []
            player.fees_won = player.strategies_played = 0
        super().begin(state, dealer)
