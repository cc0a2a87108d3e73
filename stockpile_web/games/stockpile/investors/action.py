"""Investors of the Action Phase."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile import market
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import DoubleUp, Move, Nudge
from stockpile_web.games.stockpile.shares import double, give_up, ways_to_double
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class CrazyCramer(Power):
    """Crazy Cramer: on his Action turn, move one company by one."""

    MOVES = (Nudge,)
    when = "action"

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [Nudge(company, steps) for company in COMPANIES for steps in (1, -1)]

    def use(self, state: State, seat: Seat, move: Nudge, dealer: Dealer) -> None:
        dealer.announce("nudged", seat=seat, company=move.company, steps=move.steps)
        market.move(state, move.company, move.steps, dealer)


class CleverChanda(Power):
    """Clever Chanda: on her Action turn, give up a share to split another card; both are shown."""

    MOVES = (DoubleUp,)
    when = "action"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        """A regular card to split, and another card, regular or split, to give up."""
        player = state.players[seat]
        return player.face_down() >= 2 or bool(player.face_down() and any(player.split.values()))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [DoubleUp(*way) for way in ways_to_double(state.players[seat])]

    def use(self, state: State, seat: Seat, move: DoubleUp, dealer: Dealer) -> None:
        give_up(state, seat, move.given, move.half, dealer)
        double(state, seat, move.company, dealer)


class IllicitIvan(Twist):
    """Illicit Ivan: more strategies by one less than there are rounds, and two a round."""

    def strategies_drawn(self, count: int, state: State) -> int:
        return state.table().rounds - 1

    def strategies_a_round(self, count: int) -> int:
        return 2
