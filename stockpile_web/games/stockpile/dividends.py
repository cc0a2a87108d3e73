"""Dividends: all say at once how many cards they show, then all show them and are paid for those.

Whoever has answered is no longer asked, for all to see; what they answered is nobody's business
until the last answer is in.
"""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.fees import earn
from stockpile_web.games.stockpile.moves import Collect, Move
from stockpile_web.games.stockpile.state import Dividend, Player, State


def declare(state: State, company: Company, each: int, dealer: Dealer, steps_left: int = 0) -> None:
    """Declare `each` a share; whoever might hold the company is asked.

    A player with face-down cards, be they unused actions, is asked even without a share of the
    company: being passed over would tell the others. Split cards were shown when they split.
    """
    dealer.announce("dividend_declared", company=company, each=each)
    asked = [seat for seat in state.order() if may_hold(state.players[seat], company)]
    state.dividend = Dividend(company, each, asked, steps_left)


def may_hold(player: Player, company: Company) -> bool:
    """Tell whether a player may hold a card of the company, as far as all can see."""
    return bool(player.face_down() or player.split[company])


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
    """Keep the answer; with the last one all are shown together, in turn order."""
    dividend.asked.remove(seat)
    dividend.answers[seat] = (move.cards, move.split)
    dealer.whisper(seat, "dividend_answered", cards=move.cards, split=move.split)
    if not dividend.asked:
        for answering in state.order():
            if answering in dividend.answers:
                _pay(state, dividend, answering, dealer)


def _pay(state: State, dividend: Dividend, seat: Seat, dealer: Dealer) -> None:
    """Pay a share for each regular card shown, two for each split one."""
    cards, split = dividend.answers[seat]
    money = dividend.each * (cards + 2 * split)
    facts = {"company": dividend.company, "cards": cards, "split": split}
    dealer.turn_up("dividend_collected", seat=seat, **facts, money=money)
    earn(state, seat, money, dealer)
