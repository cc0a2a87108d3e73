"""Demand: bid on the stockpiles until each track holds one meeple, then pay and collect."""

from bisect import bisect_right
from functools import cache

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile.data import ACTIONS, BID_TRACK, COMPANIES, FEES
from stockpile_web.games.stockpile.fees import earn, pay, pay_fees, pick_up_fee
from stockpile_web.games.stockpile.in_play import bid_track, in_play
from stockpile_web.games.stockpile.moves import Bid
from stockpile_web.games.stockpile.phases.phase import Phase, is_waiting
from stockpile_web.games.stockpile.state import Laid, Standing, State, Won
from stockpile_web.games.stockpile.twist import Twist

# Every bid there is, made once: BIDS[meeple][pile][space].
BIDS = [
    [[Bid(pile, space, meeple) for space in range(len(BID_TRACK))] for pile in range(5)]
    for meeple in range(2)
]


class Demand(Phase):
    """Everyone bids once; then those who were outbid bid again, clockwise."""

    def begin(self, state: State, dealer: Dealer) -> None:
        open_tracks(state)
        for seat in state.queue[: len(state.players)]:
            for twist in in_play(state, seat):
                twist.before_demand(state, seat, dealer)

    def affordable(self, state: State, seat: Seat) -> list[int]:
        """Return, by pile, how many spaces of its track `seat` has the money for."""
        money = state.players[seat].cash - committed(state, seat)
        return [bisect_right(bid_track(state, seat), money)] * len(state.piles)

    def legal(self, state: State, seat: Seat) -> list[Bid]:
        """Open tracks from $0, others above the standing bid, as far as the money goes."""
        return open_bids(state, seat, self.affordable(state, seat))

    def play(self, state: State, seat: Seat, move: Bid, dealer: Dealer) -> None:
        """Bid; whoever is next and has only one bid left has nothing to decide and makes it."""
        place_meeple(state, seat, move, dealer)
        while state.queue and (only := self._only_bid(state, state.queue[0])):
            place_meeple(state, state.queue[0], only, dealer)

    def _only_bid(self, state: State, seat: Seat) -> Bid | None:
        # Some track is always open: with money for two of its spaces there is a choice.
        if min(self.affordable(state, seat)) > 1 or is_waiting(state, seat):
            return None
        bids = self.legal(state, seat)
        return bids[0] if len(bids) == 1 else None

    def proceed(self, state: State, dealer: Dealer) -> bool:
        """Pay all bids before any pile is opened; then take the cards and pay the fees."""
        order = state.order()
        won: dict[Seat, list[int]] = {seat: [] for seat in order}
        prices = {}
        for pile, standing in enumerate(state.bids):
            if standing is not None:
                seat = standing.seat
                won[seat].append(pile)
                prices[pile] = bid_track(state, seat)[standing.space]
                state.players[seat].ended.append(standing.space)
                pay(state, seat, max(0, prices[pile]))
        for seat in order:
            for pile in won[seat]:
                _collect(state, seat, pile, prices[pile], dealer)
            pay_fees(state, seat, dealer)
        clear_tracks(state)
        return False


def open_tracks(state: State) -> None:
    """Begin an auction: everyone is to place each meeple once, in turn order."""
    state.bids, state.bids_made = [None] * len(state.piles), 0
    state.queue = state.order() * state.table().meeples


def clear_tracks(state: State) -> None:
    """End an auction: everyone takes back their meeples."""
    state.bids, state.bids_made = [], 0
    for player in state.players:
        player.meeples = list(range(state.table().meeples))


def committed(state: State, seat: Seat) -> int:
    """Return the money that is bound by bids of `seat` that stand."""
    money = 0
    for standing in state.bids:
        if standing is not None and standing.seat == seat:
            money += max(0, bid_track(state, seat)[standing.space])
    return money


def open_bids(state: State, seat: Seat, spaces: list[int]) -> list[Bid]:
    """Return the bids of `seat` that outbid what stands, on the first so many spaces by pile."""
    meeples = state.players[seat].meeples
    moves: list[Bid] = []
    for meeple in meeples if _is_rebidding(state) else meeples[:1]:
        for pile, standing in enumerate(state.bids):
            if standing is None:
                moves += BIDS[meeple][pile][: spaces[pile]]
            elif standing.seat != seat:
                lowest = standing.space + spaces_to_outbid(state, standing.seat)
                moves += BIDS[meeple][pile][lowest : spaces[pile]]
    return moves


def spaces_to_outbid(state: State, seat: Seat) -> int:
    """Return how many spaces further a bid must be to outbid `seat`."""
    twists = in_play(state, seat)
    return _spaces_to_outbid(twists) if twists else 1


def place_meeple(state: State, seat: Seat, bid: Bid, dealer: Dealer) -> None:
    """Place a meeple, and send the one that stood there back to its player."""
    outbid = state.bids[bid.pile]
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
    for twist in in_play(state, seat):
        twist.after_bid(state, seat, dealer)
    if outbid is not None:
        state.players[outbid.seat].meeples.append(outbid.meeple)
        for twist in in_play(state, outbid.seat):
            twist.after_outbid(state, outbid.seat, dealer)
    state.queue.pop(0)
    if not state.queue:
        state.queue = _next_to_rebid(state, seat)


@cache
def _spaces_to_outbid(twists: tuple[Twist, ...]) -> int:
    return ask(twists, Twist.spaces_to_outbid, 1)


def _is_rebidding(state: State) -> bool:
    return state.bids_made >= len(state.players) * state.table().meeples


def _next_to_rebid(state: State, last: Seat) -> list[Seat]:
    """Return the next seat clockwise that has a meeple in hand, if any."""
    seats = len(state.players)
    clockwise = [(last + step) % seats for step in range(1, seats + 1)]
    return [seat for seat in clockwise if state.players[seat].meeples][:1]


def _collect(state: State, seat: Seat, pile: int, price: int, dealer: Dealer) -> None:
    player = state.players[seat]
    cards, state.piles[pile] = state.piles[pile], []
    player.won.append(Won(pile, [_seen_by(laid, seat) for laid in cards]))
    dealer.reveal(
        [seat],
        "pile_won",
        {"hidden": [laid.card for laid in cards if not laid.up]},
        seat=seat,
        pile=pile,
        cards=[laid.card for laid in cards if laid.up],
        hidden_count=sum(not laid.up for laid in cards),
        money=-price,
    )
    if price < 0:
        earn(state, seat, -price, dealer)
    for laid in cards:
        if laid.card in COMPANIES:
            player.shares[laid.card] += 1
        elif laid.card in ACTIONS:
            player.actions.append(laid.card)
        elif laid.card in FEES:
            pick_up_fee(state, seat, laid.card, dealer)
        else:
            for twist in in_play(state, seat):
                twist.pick_up(state, seat, laid.card, dealer)


def _seen_by(laid: Laid, winner: Seat) -> Laid:
    known = laid.known if laid.up or winner in laid.known else [*laid.known, winner]
    return Laid(laid.card, laid.by, laid.up, known)
