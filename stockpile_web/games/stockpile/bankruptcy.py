"""Bankruptcy: below its track a company is lost to all who hold it, and begins anew."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile.data import BOARDS, Company
from stockpile_web.games.stockpile.state import State


def go_bankrupt(state: State, company: Company, dealer: Dealer) -> None:
    """Discard every card of the company, split ones too, and return its ticker to the start."""
    state.tickers[company] = BOARDS[state.board][company].start
    lost = [player.shares[company] + player.split[company] for player in state.players]
    for player in state.players:
        player.shares[company] = player.split[company] = 0
    state.discard += [company] * sum(lost)
    dealer.turn_up("bankrupt", company=company, cards=lost, after=state.price(company))
