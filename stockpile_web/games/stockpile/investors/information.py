"""Investors of the Information Phase."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import Move, TakeCard
from stockpile_web.games.stockpile.state import State


class ForecastPhil(Power):
    """Forecast Phil: choose a company or a forecast before the deal; all see which of the two."""

    MOVES = (TakeCard,)
    when = "before_information"
    must = True

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [TakeCard(card) for card in (*COMPANIES, *dict.fromkeys(state.forecasts))]

    def use(self, state: State, seat: Seat, move: TakeCard, dealer: Dealer) -> None:
        state.players[seat].taken = move.card
        what = "company" if move.card in COMPANIES else "forecast"
        dealer.reveal([seat], "card_taken", {"card": move.card}, seat=seat, what=what)
