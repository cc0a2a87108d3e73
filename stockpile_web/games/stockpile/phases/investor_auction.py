"""Investor bidding: before the game, the investors that players laid on the piles are bid for."""

from bisect import bisect_right

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.in_play import of_table
from stockpile_web.games.stockpile.phases.demand import Demand, clear_tracks, open_tracks
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class InvestorAuction(Demand):
    """As in the Demand Phase, but up to an investor's starting money, which pays the bid."""

    def begin(self, state: State, dealer: Dealer) -> None:
        if state.piles:
            open_tracks(state)

    def affordable(self, state: State, seat: Seat) -> list[int]:
        return [bisect_right(BID_TRACK, _money(state, pile[0].card)) for pile in state.piles]

    def proceed(self, state: State, dealer: Dealer) -> bool:
        """Everyone gets their investor, with its money less the bid."""
        for pile, standing in enumerate(state.bids):
            if standing is None:
                continue
            key, bid = state.piles[pile][0].card, BID_TRACK[standing.space]
            player = state.players[standing.seat]
            money = _money(state, key) - bid
            player.investors = (*player.investors, key)
            player.cash += money
            dealer.announce("investor_won", seat=standing.seat, investor=key, bid=bid, money=money)
        if state.bids:
            clear_tracks(state)
            state.piles = []
        return False


def _money(state: State, investor: str) -> int:
    return ask(of_table(state), Twist.starting_money, 0, investor, len(state.players))
