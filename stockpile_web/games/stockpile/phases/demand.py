"""Demand: bid on the stockpiles until each track holds one meeple, then pay and collect."""

from bisect import bisect_right

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import ACTIONS, BID_TRACK, COMPANIES, FEES
from stockpile_web.games.stockpile.moves import Bid
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Standing, State, pay, pay_fees

# Every bid there is, made once: BIDS[meeple][pile][space].
BIDS = [
    [[Bid(pile, space, meeple) for space in range(len(BID_TRACK))] for pile in range(5)]
    for meeple in range(2)
]


class Demand(Phase):
    """Everyone bids once; then those who were outbid bid again, clockwise."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.bids = [None] * len(state.piles)
        state.bids_made = 0
        state.queue = state.order() * state.table().meeples

    def legal(self, state: State, seat: Seat) -> list[Bid]:
        """Open tracks from $0, others above the standing bid, as far as the money goes."""
        player = state.players[seat]
        money, open_tracks = player.cash, []
        for pile, standing in enumerate(state.bids):
            if standing is None:
                open_tracks.append((pile, 0))
            elif standing.seat == seat:
                money -= BID_TRACK[standing.space]
            else:
                open_tracks.append((pile, standing.space + 1))
        spaces = bisect_right(BID_TRACK, money)
        moves: list[Bid] = []
        for meeple in player.meeples if _is_rebidding(state) else player.meeples[:1]:
            for pile, lowest in open_tracks:
                moves += BIDS[meeple][pile][lowest:spaces]
        return moves

    def play(self, state: State, seat: Seat, move: Bid, dealer: Dealer) -> None:
        """Bid; whoever is next and has only one bid left has nothing to decide and makes it."""
        _place_meeple(state, seat, move, dealer)
        while state.queue and len(bids := self.legal(state, state.queue[0])) == 1:
            _place_meeple(state, state.queue[0], bids[0], dealer)

    def proceed(self, state: State, dealer: Dealer) -> bool:
        """Pay all bids before any pile is opened; then take the cards and pay the fees."""
        order = state.order()
        won: dict[Seat, list[int]] = {seat: [] for seat in order}
        for pile, standing in enumerate(state.bids):
            if standing is not None:
                won[standing.seat].append(pile)
                pay(state, standing.seat, BID_TRACK[standing.space])
        for seat in order:
            for pile in won[seat]:
                _collect(state, seat, pile, dealer)
            pay_fees(state, seat, dealer)
            state.players[seat].meeples = list(range(state.table().meeples))
        state.bids, state.bids_made = [], 0
        return False


def _place_meeple(state: State, seat: Seat, bid: Bid, dealer: Dealer) -> None:
    outbid = state.bids[bid.pile]
    if outbid is not None:
        state.players[outbid.seat].meeples.append(outbid.meeple)
    state.players[seat].meeples.remove(bid.meeple)
    state.bids[bid.pile] = Standing(seat, bid.space, bid.meeple)
    state.bids_made += 1
    dealer.announce(
        "bid_placed",
        seat=seat,
        pile=bid.pile,
        amount=BID_TRACK[bid.space],
        outbid=None if outbid is None else outbid.seat,
    )
    state.queue.pop(0)
    if not state.queue:
        state.queue = _next_to_rebid(state, seat)


def _is_rebidding(state: State) -> bool:
    return state.bids_made >= len(state.players) * state.table().meeples


def _next_to_rebid(state: State, last: Seat) -> list[Seat]:
    """Return the next seat clockwise that has a meeple in hand, if any."""
    seats = len(state.players)
    clockwise = [(last + step) % seats for step in range(1, seats + 1)]
    return [seat for seat in clockwise if state.players[seat].meeples][:1]


def _collect(state: State, seat: Seat, pile: int, dealer: Dealer) -> None:
    player, standing = state.players[seat], state.bids[pile]
    assert standing is not None
    cards, state.piles[pile] = state.piles[pile], []
    dealer.reveal(
        [seat],
        "pile_won",
        {"hidden": [laid.card for laid in cards if not laid.up]},
        seat=seat,
        pile=pile,
        cards=[laid.card for laid in cards if laid.up],
        hidden_count=sum(not laid.up for laid in cards),
        money=-BID_TRACK[standing.space],
    )
    for laid in cards:
        if laid.card in COMPANIES:
            player.shares[laid.card] += 1
        elif laid.card in ACTIONS:
            player.actions.append(laid.card)
        elif laid.card in FEES:
            player.fees.append(laid.card)
