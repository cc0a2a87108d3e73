"""Who is to decide at an imagined table: the queue, the bids that stand, and everyone's meeples."""

from stockpile_web.engine import Seat
from stockpile_web.games.stockpile.phases.phase import is_waiting
from stockpile_web.games.stockpile.phases.selling import can_sell
from stockpile_web.games.stockpile.state import Standing, State
from stockpile_web.games.stockpile.view import View

AT_ONCE = {"keeping", "discarding"}
AUCTIONS = {"auction", "demand"}


def line_up(state: State, view: View, acting: Seat | None, later: list[Seat]) -> None:
    """Queue `acting`, and those of `later` who have something to decide as well."""
    state.at_once = view.phase in AT_ONCE
    for player in state.players:
        player.meeples = list(range(state.table().meeples))
    if state.at_once:
        state.queue = view.on_turn[:]
    elif view.phase in AUCTIONS:
        _place_meeples(state, view)
        if acting is not None:
            _line_up_bidders(state, view, acting)
    elif acting is not None:
        coming = later
        if view.phase == "action":
            coming = [s for s in later if state.players[s].actions or is_waiting(state, s)]
        elif view.phase == "opening":
            coming = []  # One investor alone lays these cards.
        elif view.phase == "selling":
            coming = [s for s in later if can_sell(state.players[s])]
        state.queue = [acting, *coming]


def _place_meeples(state: State, view: View) -> None:
    state.bids = [None] * len(view.piles)
    for number, pile in enumerate(view.piles):
        if pile.bid is not None:
            state.bids[number] = Standing(pile.bid.seat, pile.bid.space, pile.bid.meeple)
            state.players[pile.bid.seat].meeples.remove(pile.bid.meeple)


def _line_up_bidders(state: State, view: View, acting: Seat) -> None:
    """With two meeples each: whoever is on turn bids anew if more bids stand than came before.

    The one who goes second sees it by the other's second meeple, should it have outbid theirs.
    """
    meeples, seats = state.table().meeples, len(view.players)
    if view.rebidding:
        state.queue, state.bids_made = [acting], seats * meeples
        return
    place = view.order.index(acting)
    standing = [bid for bid in state.bids if bid is not None]
    if meeples == 2 and (len(standing) > place or any(bid.meeple for bid in standing)):
        place += seats
        if all(bid.seat != acting for bid in standing):  # The first was outbid: it comes last now.
            state.players[acting].meeples = [1, 0]
    state.queue, state.bids_made = (view.order * meeples)[place:], place
