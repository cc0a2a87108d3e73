"""Investors whose power is in the auction: what they pay, gain, or make others pay."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data_epic import BARBARAS_TRACK
from stockpile_web.games.stockpile.fees import earn, pay
from stockpile_web.games.stockpile.phases.demand import committed
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class OwnTrack(Twist):
    """Budget Barbara: bid by a list of her own; the first two spaces pay her."""

    def bid_track(self, prices: tuple[int, ...]) -> tuple[int, ...]:
        return BARBARAS_TRACK


class OneSpaceCheaper(Twist):
    """Discount Donald: pay the value of the space below."""

    def bid_track(self, prices: tuple[int, ...]) -> tuple[int, ...]:
        return (prices[0], *prices[:-1])


class HardToOutbid(Twist):
    """Cunning Carlos: be outbid by two spaces or more."""

    def spaces_to_outbid(self, spaces: int) -> int:
        return 2


class PaidToBid(Twist):
    """Moneymaker Mitt: get $1K for each meeple placed."""

    def after_bid(self, state: State, seat: Seat, dealer: Dealer) -> None:
        dealer.announce("paid_to_bid", seat=seat, money=1)
        earn(state, seat, 1, dealer, bound=committed(state, seat))


class PaidToBeginWith(Twist):
    """Lazy Liliane: get $5K as the Demand Phase begins, pay $1K each time she is outbid."""

    def before_demand(self, state: State, seat: Seat, dealer: Dealer) -> None:
        dealer.announce("paid_to_begin", seat=seat, money=5)
        earn(state, seat, 5, dealer)

    def after_outbid(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """What her other meeple has bid she must keep to pay it."""
        if state.players[seat].cash - committed(state, seat) >= 1:
            dealer.announce("paid_for_being_outbid", seat=seat, money=-1)
            pay(state, seat, 1)


class GainsFees(Twist):
    """Broker Bernie: gain the trading fees he picks up, once he has paid for the pile."""

    def fee(self, amount: int) -> int:
        return -amount
