"""The game end: majority bonuses, the final sale, and the most money wins."""

from stockpile_web.engine import Dealer, Facts, Result, Score, Seat
from stockpile_web.games.stockpile.data import COMPANIES, FEES, MAJORITY, MAJORITY_TIED
from stockpile_web.games.stockpile.state import State, earn, pay

OVER = "game_end"


def begin(state: State, dealer: Dealer) -> None:
    """Settle everything; `state.final` keeps the lines of each score."""
    state.phase = OVER
    state.final = [[{"kind": "cash", "money": player.cash}] for player in state.players]
    owed = [sum(FEES[fee] for fee in player.fees) for player in state.players]
    for company in COMPANIES:
        _pay_majority(state, company, dealer)
    for company in COMPANIES:
        for seat in state.order():
            _sell_all(state, seat, company, dealer)
    for seat in state.order():
        _settle_fees(state, seat, owed[seat], dealer)
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
        _tell(state, seat, dealer, "majority", company=company, shares=most, money=money)
        earn(state, seat, money, dealer)


def _sell_all(state: State, seat: Seat, company: str, dealer: Dealer) -> None:
    player = state.players[seat]
    cards = player.shares[company] + player.split[company]
    if not cards:
        return
    shares, each = cards + player.split[company], state.price(company)
    player.shares[company] = player.split[company] = 0
    state.discard += [company] * cards
    _tell(
        state, seat, dealer, "final_sale", company=company, shares=shares, each=each,
        money=shares * each,
    )  # fmt: skip
    earn(state, seat, shares * each, dealer)


def _settle_fees(state: State, seat: Seat, owed: int, dealer: Dealer) -> None:
    """Fees that are still open take what money there is; the rest lapses."""
    player = state.players[seat]
    open_fees = sum(FEES[fee] for fee in player.fees)
    taken = min(player.cash, open_fees)
    if taken:
        dealer.announce("fees_settled", seat=seat, money=-taken)
        pay(state, seat, taken)
    state.discard += player.fees
    player.fees = []
    if paid := owed - open_fees + taken:
        state.final[seat].append({"kind": "fees", "money": -paid})


def _tell(state: State, seat: Seat, dealer: Dealer, kind: str, /, **facts: object) -> None:
    """Tell it in the log and keep it as a line of the seat's score."""
    line: Facts = {"kind": kind, **facts}
    state.final[seat].append(line)
    dealer.announce(kind, seat=seat, **facts)
