"""Information: everyone is dealt a company with its forecast; one pair is open, the rest hidden."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile.data import COMPANIES, FORECASTS
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Pair, State


class Information(Phase):
    """Deal the pairs in the order in which they will move the market."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.round += 1
        dealer.announce("round_began", round=state.round, seat=state.first)
        companies, forecasts = list(COMPANIES), list(FORECASTS)
        dealer.shuffle(companies)
        dealer.shuffle(forecasts)
        pairs = zip(companies, forecasts, strict=True)
        table = state.table()
        state.pairs = []
        state.pairs_moved = 0
        for seat in state.order():
            for _ in range(table.pairs):
                company, forecast = next(pairs)
                state.pairs.append(Pair(company, forecast, seat, known=[seat]))
                dealer.whisper(seat, "pair_dealt", company=company, forecast=forecast)
        for position, (company, forecast) in enumerate(pairs):
            is_open = position < table.open_pairs
            state.pairs.append(Pair(company, forecast, None, known=[], up=is_open))
            if is_open:
                dealer.announce("pair_opened", company=company, forecast=forecast)
