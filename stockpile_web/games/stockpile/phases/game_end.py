"""The game end: majority bonuses, the final sale, and the most money wins."""

from collections import Counter
from typing import Any

from stockpile_web.engine import Dealer, Facts, Result, Score, Seat, ask
from stockpile_web.games.stockpile.data import COMPANIES, FEES, MAJORITY, MAJORITY_TIED, Company
from stockpile_web.games.stockpile.fees import earn
from stockpile_web.games.stockpile.in_play import in_play
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist

OVER = "game_end"


def begin(state: State, dealer: Dealer) -> None:
    """Settle everything; `state.final` keeps the lines of each score.

    Open fees are paid as ever, out of the first money that suffices. Whoever never has the funds
    for one keeps the card, which costs nothing then.
    """
    state.phase = OVER
    state.final = [[{"kind": "cash", "money": player.cash}] for player in state.players]
    owed = [sum(FEES[fee] for fee in player.fees) for player in state.players]
    for company in COMPANIES:
        _pay_majority(state, company, dealer)
    for seat in state.order():
        _sell_all(state, seat, dealer)
    for seat in state.order():
        for twist in in_play(state, seat):
            twist.settle(state, seat, dealer)
    for seat, player in enumerate(state.players):
        if paid := owed[seat] - sum(FEES[fee] for fee in player.fees):
            state.final[seat].append({"kind": "fees", "money": -paid})
    dealer.announce("game_ended", scores=[player.cash for player in state.players])


def result(state: State) -> Result | None:
    """Return the final result; equal money shares a place."""
    if state.phase != OVER:
        return None
    totals = [player.cash for player in state.players]
    return Result(
        places=[1 + sum(other > total for other in totals) for total in totals],
        scores=[Score(*score) for score in zip(totals, state.final, strict=True)],
    )


def _pay_majority(state: State, company: str, dealer: Dealer) -> None:
    shares = [player.shares[company] + 2 * player.split[company] for player in state.players]
    most = max(shares)
    winners = [seat for seat in state.order() if shares[seat] == most]
    if most == 0:
        return
    money = MAJORITY if len(winners) == 1 else MAJORITY_TIED
    for seat in winners:
        tell(state, seat, dealer, "majority", company=company, shares=most, money=money)
        earn(state, seat, money, dealer)


def _sell_all(state: State, seat: Seat, dealer: Dealer) -> None:
    """Sell every share at the final value; a twist may raise the price of some."""
    player, twists = state.players[seat], in_play(state, seat)
    lots: list[tuple[Company, int]] = []
    for company in COMPANIES:
        each = ask(twists, Twist.share_price, state.price(company), state, seat, company)
        shares = player.shares[company] + 2 * player.split[company]
        lots += [(company, each)] * shares
        state.discard += [company] * (player.shares[company] + player.split[company])
        player.shares[company] = player.split[company] = 0
    prices = ask(twists, Twist.final_sale, [each for _, each in lots], state, seat)
    for (company, each), shares in Counter(
        (company, price) for (company, _), price in zip(lots, prices, strict=True)
    ).items():
        facts = {"company": company, "shares": shares, "each": each}
        tell(state, seat, dealer, "final_sale", **facts, money=shares * each)
        earn(state, seat, shares * each, dealer)


def tell(state: State, seat: Seat, dealer: Dealer, kind: str, /, **facts: Any) -> None:
    """Tell it in the log and keep it as a line of the seat's score."""
    line: Facts = {"kind": kind, **facts}
    state.final[seat].append(line)
    dealer.turn_up(kind, seat=seat, **facts)
