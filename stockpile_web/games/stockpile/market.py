"""How a ticker moves, and what comes of it: splits, bankruptcies, and dollars on the way."""

from stockpile_web.engine import Dealer
from stockpile_web.games.stockpile import dividends
from stockpile_web.games.stockpile.data import BOARDS, SPLIT_BONUS, Company
from stockpile_web.games.stockpile.state import State, earn


def move(state: State, company: Company, steps: int, dealer: Dealer) -> None:
    """Move a ticker by `steps` spaces, up or down."""
    if steps > 0:
        rise(state, company, steps, dealer)
    elif steps < 0:
        fall(state, company, -steps, dealer)


def rise(state: State, company: Company, steps: int, dealer: Dealer) -> None:
    """Move a ticker up; the split takes one step, and the rest goes on from the octagon.

    Dollars passed on the way are paid before the split, to cards that have not doubled yet.
    """
    track, space = BOARDS[state.board][company], state.tickers[company]
    way = min(steps, len(track.values) - 1 - space)
    if way:
        _set_ticker(state, company, space + way, dealer)
        dollars = track.dollars.intersection(range(space + 1, space + way + 1))
        if dollars:
            dividends.declare(state, company, len(dollars), dealer, steps_left=steps - way)
            return
    if steps > way:
        _split(state, company, dealer)
        if steps > way + 1:
            rise(state, company, steps - way - 1, dealer)


def fall(state: State, company: Company, steps: int, dealer: Dealer) -> None:
    """Move a ticker down; below the first space the company is bankrupt, and the move is over."""
    space = state.tickers[company] - steps
    if space < 0:
        _go_bankrupt(state, company, dealer)
    else:
        _set_ticker(state, company, space, dealer)


def resume(state: State, dealer: Dealer) -> None:
    """Go on after a dividend has been paid: the ticker may have been stopped on its way."""
    paid, state.dividend = state.dividend, None
    if paid is not None:
        move(state, paid.company, paid.steps_left, dealer)
    go_on(state, dealer)


def go_on(state: State, dealer: Dealer) -> None:
    """Move the tickers that are still to move, until one of them pays on its way."""
    while state.to_move and state.dividend is None:
        company, steps = state.to_move.pop(0)
        move(state, company, steps, dealer)


def _set_ticker(state: State, company: Company, space: int, dealer: Dealer) -> None:
    before = state.price(company)
    steps = space - state.tickers[company]
    state.tickers[company] = space
    after = state.price(company)
    dealer.announce("ticker_moved", company=company, steps=steps, before=before, after=after)


def _split(state: State, company: Company, dealer: Dealer) -> None:
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


def _go_bankrupt(state: State, company: Company, dealer: Dealer) -> None:
    """Discard every card of the company and return its ticker to the start."""
    state.tickers[company] = BOARDS[state.board][company].start
    lost = [player.shares[company] + player.split[company] for player in state.players]
    for player in state.players:
        player.shares[company] = player.split[company] = 0
    state.discard += [company] * sum(lost)
    dealer.turn_up("bankrupt", company=company, cards=lost, after=state.price(company))
