"""Stock splits: past the end of its track a company doubles the cards of all who hold it."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile.data import BOARDS, SPLIT_BONUS, Company
from stockpile_web.games.stockpile.fees import earn
from stockpile_web.games.stockpile.state import State


def split(state: State, company: Company, dealer: Dealer) -> None:
    """Pay for the cards that are split already, then move the regular ones over, shown to all."""
    state.tickers[company] = BOARDS[state.board][company].octagon
    moved = [player.shares[company] for player in state.players]
    dealer.turn_up("split", company=company, cards=moved, after=state.price(company))
    for seat, player in enumerate(state.players):
        if split_before := player.split[company]:
            money = SPLIT_BONUS * split_before
            dealer.announce(
                "split_again", seat=seat, company=company, cards=split_before, money=money
            )
            earn(state, seat, money, dealer)
        player.split[company] += player.shares[company]
        player.shares[company] = 0
