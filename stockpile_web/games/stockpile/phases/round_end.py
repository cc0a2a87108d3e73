"""The round end: interest, then investors; the first player token is passed, or the game ends."""

from stockpile_web.engine import Dealer, ask
from stockpile_web.games.stockpile.fees import earn
from stockpile_web.games.stockpile.in_play import in_play, of_table
from stockpile_web.games.stockpile.phases import game_end
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import State, last_round
from stockpile_web.games.stockpile.twist import Twist


class Interest(Phase):
    """Everyone gets their interest before any investor acts."""

    def begin(self, state: State, dealer: Dealer) -> None:
        for seat in state.order():
            if money := ask(in_play(state, seat), Twist.interest, 0, state, seat):
                dealer.announce("interest_paid", seat=seat, money=money)
                earn(state, seat, money, dealer)


class RoundEnd(Phase):
    """The calendar has one space for each round."""

    def begin(self, state: State, dealer: Dealer) -> None:
        if last_round(state):
            game_end.begin(state, dealer)
        else:
            on_the_left = (state.first + 1) % len(state.players)
            state.first = ask(of_table(state), Twist.first_player, on_the_left, state)
