"""Investors of the Demand Phase and of the moment before it, in the order in which they act."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.data_epic import BARBARAS_TRACK
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import LookAtPair, LookAtPile, Move, MoveCard
from stockpile_web.games.stockpile.phases.demand import committed
from stockpile_web.games.stockpile.phases.information import show_pair
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class WiseWarren(Power):
    """Wise Warren: before the Demand Phase, look at all face-down cards of one pile."""

    MOVES = (LookAtPile,)
    when = "before_demand"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return bool(self.offers(state, seat))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [
            LookAtPile(number)
            for number, pile in enumerate(state.piles)
            if any(not laid.up and seat not in laid.known for laid in pile)
        ]

    def use(self, state: State, seat: Seat, move: LookAtPile, dealer: Dealer) -> None:
        hidden = [laid for laid in state.piles[move.pile] if not laid.up]
        for laid in hidden:
            if seat not in laid.known:
                laid.known.append(seat)
        cards = {"cards": [laid.card for laid in hidden]}
        dealer.reveal([seat], "pile_seen", cards, seat=seat, pile=move.pile)


class MaverickMark(Power):
    """Maverick Mark: before the Demand Phase, move one card to another pile, as it lies.

    All see which card it is and who had laid it, though not what is on a face-down one.
    """

    MOVES = (MoveCard,)
    when = "before_demand"

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [
            MoveCard(number, position, to)
            for number, pile in enumerate(state.piles)
            for position in range(len(pile))
            for to in range(len(state.piles))
            if to != number
        ]

    def use(self, state: State, seat: Seat, move: MoveCard, dealer: Dealer) -> None:
        laid = state.piles[move.pile].pop(move.position)
        state.piles[move.to].append(laid)
        dealer.announce(
            "card_moved",
            seat=seat,
            card=laid.card if laid.up else None,
            by=laid.by,
            pile=move.pile,
            position=move.position,
            to=move.to,
        )


class LazyLiliane(Twist):
    """Lazy Liliane: get $5K as the Demand Phase begins, pay $1K each time she is outbid."""

    def before_demand(self, state: State, seat: Seat, dealer: Dealer) -> None:
        dealer.announce("paid_to_begin", seat=seat, money=5)
        earn(state, seat, 5, dealer)

    def after_outbid(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """What her other meeple has bid she must keep to pay it."""
        if state.players[seat].cash - committed(state, seat) >= 1:
            dealer.announce("paid_for_being_outbid", seat=seat, money=-1)
            pay(state, seat, 1)


class MayknowMartha(Power):
    """Mayknow Martha: once a round during the Demand Phase, look at a pair.

    She may when she is to bid, and once more when all bids are made.
    """

    MOVES = (LookAtPair,)
    when = "demand"

    def waits(self, state: State, seat: Seat) -> bool:
        is_time = state.phase in ("demand", "after_demand") and not self.is_used(state, seat)
        return is_time and bool(self.offers(state, seat))

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if state.phase == "demand" and self.waits(state, seat):
            return [*moves, *self.offers(state, seat)]
        return super().moves(moves, state, seat)

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [
            LookAtPair(number)
            for number, pair in enumerate(state.pairs)
            if not pair.up and seat not in pair.known
        ]

    def use(self, state: State, seat: Seat, move: LookAtPair, dealer: Dealer) -> None:
        show_pair(state, seat, move.pair, dealer)


class MoneymakerMitt(Twist):
    """Moneymaker Mitt: get $1K for each meeple placed."""

    def after_bid(self, state: State, seat: Seat, dealer: Dealer) -> None:
        dealer.announce("paid_to_bid", seat=seat, money=1)
        earn(state, seat, 1, dealer, bound=committed(state, seat))


class CunningCarlos(Twist):
    """Cunning Carlos: be outbid by two spaces or more."""

    def spaces_to_outbid(self, spaces: int) -> int:
        return 2


class BudgetBarbara(Twist):
    """Budget Barbara: bid by a list of her own; the first two spaces pay her."""

    def bid_track(self, prices: tuple[int, ...]) -> tuple[int, ...]:
        """Put her price in place of each printed one, on whichever space a discount has put it."""
        return tuple(BARBARAS_TRACK[BID_TRACK.index(price)] for price in prices)


class DiscountDonald(Twist):
    """Discount Donald: pay the value of the space below."""

    def bid_track(self, prices: tuple[int, ...]) -> tuple[int, ...]:
        return (prices[0], *prices[:-1])


class BrokerBernie(Twist):
    """Broker Bernie: gain the trading fees he picks up, once he has paid for the pile."""

    def fee(self, amount: int) -> int:
        return -amount
