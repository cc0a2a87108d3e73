"""Movement: the pairs are turned up one by one and move the market."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile import dividends, market
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import State


class Movement(Phase):
    """Players' pairs in turn order, then the open one, then the hidden ones."""

    def proceed(self, state: State, dealer: Dealer) -> bool:
        if state.pairs_moved == len(state.pairs):
            return False
        pair = state.pairs[state.pairs_moved]
        state.pairs_moved += 1
        pair.up = True
        dealer.announce(
            "pair_revealed", seat=pair.holder, company=pair.company, forecast=pair.forecast
        )
        if pair.forecast.startswith("$"):
            dividends.declare(state, pair.company, len(pair.forecast), dealer)
        else:
            market.move(state, pair.company, int(pair.forecast), dealer)
        return True
