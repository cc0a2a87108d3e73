"""Forecast dice: six dice say which forecasts are dealt this round."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile.data import Forecast
from stockpile_web.games.stockpile.data_epic import DICE
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class ForecastDice(Twist):
    """The first player rolls them, for all to see, before anything is dealt."""

    def forecasts(
        self, cards: tuple[Forecast, ...], state: State, dealer: Dealer
    ) -> tuple[Forecast, ...]:
        rolled = tuple(die[dealer.below(len(die))] for die in DICE)
        dealer.announce("dice_rolled", seat=state.first, forecasts=[*rolled])
        return rolled
