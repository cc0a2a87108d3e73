"""The bidding ladders: which rungs a viewer may bid on now, and why not on the others."""

from collections.abc import Sequence

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.investors import starting_money
from stockpile_web.games.stockpile.moves import Bid
from stockpile_web.games.stockpile.view import PileView, View

OPEN, STANDING, BELOW, TOO_LITTLE, MY_BID, TOO_MUCH, INVESTOR_HAS_LESS = (
    "open", "standing", "below", "too_little", "my_bid", "too_much", "investor_has_less",
)  # fmt: skip


class Rung(Piece, frozen=True):
    """A space of a bidding track: its amount, what the viewer pays, and whether they may now."""

    amount: int
    pays: int
    state: str
    move: Bid | None = None
    keeps: int = 0


def ladders(view: View, act: str, bids: Sequence[Bid]) -> list[list[Rung]]:
    """Return the ladder of each pile for a viewer who may make `bids`.

    Whoever may choose between two meeples says so elsewhere: a rung stands for the first.
    """
    if not bids or view.own is None or view.viewer is None:
        return []
    is_auction = act == "auction"
    track = BID_TRACK if is_auction else view.own.bid_track
    bound = sum(
        max(0, track[pile.bid.space])
        for pile in view.piles
        if pile.bid and pile.bid.seat == view.viewer
    )
    free = view.players[view.viewer].cash - bound
    by_space = {(bid.pile, bid.space): bid for bid in bids if bid.meeple == bids[0].meeple}
    found = []
    for here, pile in enumerate(view.piles):
        cash = free
        if is_auction:
            cash = starting_money(pile.cards[0].card or "", len(view.players))
        rungs = []
        for space, (amount, pays) in enumerate(zip(BID_TRACK, track, strict=True)):
            move = by_space.get((here, space))
            state = OPEN if move else _why_not(view, pile, space, pays <= cash, is_auction)
            rungs.append(Rung(amount, pays, state, move, cash - pays if move else 0))
        found.append(rungs)
    return found


def _why_not(view: View, pile: PileView, space: int, is_paid: bool, is_auction: bool) -> str:
    """Return why a space is not open to the viewer."""
    bid = pile.bid
    if bid and space <= bid.space:
        return STANDING if space == bid.space else BELOW
    if bid and bid.seat == view.viewer:
        return MY_BID
    if bid and is_paid:
        return TOO_LITTLE
    return INVESTOR_HAS_LESS if is_auction else TOO_MUCH
