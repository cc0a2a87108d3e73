"""Dividends: everyone at once shows as many cards as they like, and is paid for those."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.moves import Collect, Move
from stockpile_web.games.stockpile.state import Dividend, State, earn


def declare(state: State, company: Company, each: int, dealer: Dealer, steps_left: int = 0) -> None:
    """Declare `each` a share; whoever might hold the company is asked.

    A player with face-down cards, be they unused actions, is asked even without a share of the
    company: being passed over would tell the others. Split cards were shown when they split.
    """
    dealer.announce("dividend_declared", company=company, each=each)
    asked = [
        seat
        for seat in state.order()
        if state.players[seat].face_down() or state.players[seat].split[company]
    ]
    state.dividend = Dividend(company, each, asked, steps_left)


def legal(state: State, dividend: Dividend, seat: Seat) -> list[Move]:
    """Show any number of regular and of split cards, none included."""
    if seat not in dividend.asked:
        return []
    player = state.players[seat]
    return [
        Collect(cards, split)
        for cards in range(player.shares[dividend.company] + 1)
        for split in range(player.split[dividend.company] + 1)
    ]


def play(state: State, dividend: Dividend, seat: Seat, move: Collect, dealer: Dealer) -> None:
    """Pay a share for each regular card shown, two for each split one."""
    dividend.asked.remove(seat)
    money = dividend.each * (move.cards + 2 * move.split)
    dealer.announce(
        "dividend_collected",
        seat=seat,
        company=dividend.company,
        cards=move.cards,
        split=move.split,
        money=money,
    )
    earn(state, seat, money, dealer)
