"""Movement: the pairs are turned up one by one and move the market.

How a ticker moves is in `market`, stock splits in `splits`, bankruptcy in `bankruptcy`, and what a
forecast with dollars pays in `dividends`: action cards, investors and strategies lead there too.
"""

from stockpile_web.engine import Dealer, ask
from stockpile_web.games.stockpile import dividends, market
from stockpile_web.games.stockpile.in_play import of_table
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class Movement(Phase):
    """Players' pairs in turn order, then the open one, then the hidden ones."""

    def proceed(self, state: State, dealer: Dealer) -> bool:
        if state.pairs_moved == len(state.pairs):
            return False
        pair = state.pairs[state.pairs_moved]
        state.pairs_moved += 1
        pair.up = True
        dealer.turn_up(
            "pair_revealed", seat=pair.holder, company=pair.company, forecast=pair.forecast
        )
        pays = pair.forecast.startswith("$")
        effect = (len(pair.forecast), 0) if pays else (0, int(pair.forecast))
        each, steps = ask(of_table(state), Twist.forecast, effect, pair)
        if (each, steps) != effect:
            dealer.announce("forecast_changed", company=pair.company, steps=steps)
        if each:
            dividends.declare(state, pair.company, each, dealer, steps_left=steps)
        else:
            market.move(state, pair.company, steps, dealer)
        return True
