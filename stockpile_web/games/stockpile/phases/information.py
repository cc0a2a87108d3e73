"""Information: everyone is dealt a company with its forecast; one pair is open, the rest hidden."""

from stockpile_web.engine import Dealer, Facts, Seat, ask
from stockpile_web.games.stockpile.data import COMPANIES, FORECASTS
from stockpile_web.games.stockpile.in_play import of_table
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Pair, State
from stockpile_web.games.stockpile.twist import Twist


class Outlook(Phase):
    """Settle which six forecasts are dealt this round."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.forecasts = ask(of_table(state), Twist.forecasts, FORECASTS, state, dealer)


class Information(Phase):
    """Deal the pairs in the order in which they will move the market."""

    def begin(self, state: State, dealer: Dealer) -> None:
        companies, forecasts = list(COMPANIES), list(state.forecasts)
        for player in state.players:  # A card chosen before the deal is not shuffled in.
            if player.taken in companies:
                companies.remove(player.taken)
            elif player.taken:
                forecasts.remove(player.taken)
        dealer.shuffle(companies)
        dealer.shuffle(forecasts)
        state.pairs = []
        state.pairs_moved = 0
        table = state.table()
        for seat in state.order():
            for _ in range(table.pairs):
                taken, state.players[seat].taken = state.players[seat].taken, ""
                company = taken if taken in COMPANIES else companies.pop(0)
                forecast = taken if taken and taken not in COMPANIES else forecasts.pop(0)
                state.pairs.append(Pair(company, forecast, seat, known=[seat]))
                dealer.whisper(seat, "pair_dealt", company=company, forecast=forecast)
        while companies:
            pair = Pair(companies.pop(0), forecasts.pop(0), None, known=[])
            pair.up = len(state.pairs) < len(state.players) * table.pairs + table.open_pairs
            state.pairs.append(pair)
            if pair.up:
                dealer.turn_up("pair_opened", company=pair.company, forecast=pair.forecast)


def show_pair(state: State, seat: Seat, number: int, dealer: Dealer) -> None:
    """Let `seat` look at a pair; all see at which."""
    pair = state.pairs[number]
    pair.known.append(seat)
    secret = {"company": pair.company, "forecast": pair.forecast}
    dealer.reveal([seat], "pair_seen", secret, seat=seat, **which_pair(state, number))


def which_pair(state: State, number: int) -> Facts:
    """Return what all can see of a pair that is meant: whose, and which of theirs that are hidden.

    With two players everyone holds two pairs; with two or three, two lie hidden beside the board.
    """
    holder = state.pairs[number].holder
    hidden = [
        other
        for other, pair in enumerate(state.pairs)
        if pair.holder == holder and (other == number or not pair.up)
    ]
    return {"pair": number, "holder": holder, "nth": hidden.index(number), "of": len(hidden)}
