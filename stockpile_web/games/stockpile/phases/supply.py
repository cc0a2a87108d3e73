"""Supply: in turn order, everyone lays one card face-up and one face-down on the stockpiles."""

from functools import cache

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile.data import Card
from stockpile_web.games.stockpile.in_play import in_play
from stockpile_web.games.stockpile.moves import Place
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import Laid, State
from stockpile_web.games.stockpile.twist import Twist


class Opening(Phase):
    """Start each pile with a card face-up; one player may be the one who lays them."""

    def begin(self, state: State, dealer: Dealer) -> None:
        opened = [state.deck.pop() for _ in range(state.table().piles)]
        for seat in state.order():
            if ask(in_play(state, seat), Twist.opens_piles, False):
                state.piles = [[] for _ in opened]
                state.players[seat].hand = opened
                state.queue = [seat]
                dealer.whisper(seat, "hand_dealt", cards=opened[:])
                return
        state.piles = [[Laid(card)] for card in opened]
        dealer.turn_up("piles_opened", cards=opened)


class Supply(Phase):
    """Deal and place two cards each; with two players, twice."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.supplies = 0

    def proceed(self, state: State, dealer: Dealer) -> bool:
        """Deal two cards to each player, as often as the number of players says."""
        if state.supplies == state.table().supplies:
            return False
        state.supplies += 1
        state.queue = state.order()
        for seat in state.queue:
            hand = [state.deck.pop(), state.deck.pop()]
            state.players[seat].hand = hand
            dealer.whisper(seat, "hand_dealt", cards=hand[:])
        return True

    def legal(self, state: State, seat: Seat) -> tuple[Place, ...]:
        one, two = state.players[seat].hand
        return _placements(one, two, len(state.piles))

    def play(self, state: State, seat: Seat, move: Place, dealer: Dealer) -> None:
        state.piles[move.up_pile].append(Laid(move.up, by=seat))
        state.piles[move.down_pile].append(Laid(move.down, by=seat, up=False, known=[seat]))
        dealer.reveal(
            [seat],
            "placed",
            {"down": move.down},
            seat=seat,
            up=move.up,
            up_pile=move.up_pile,
            down_pile=move.down_pile,
        )
        end_placing(state, seat, dealer)


def end_placing(state: State, seat: Seat, dealer: Dealer) -> None:
    """The hand is laid: the next player's turn, after what follows for this one."""
    state.players[seat].hand = []
    state.queue.remove(seat)
    if state.supplies == state.table().supplies:
        for twist in in_play(state, seat):
            twist.after_supply(state, seat, dealer)


@cache
def _placements(one: Card, two: Card, piles: int) -> tuple[Place, ...]:
    """Return every way to lay one of two cards face-up and the other face-down."""
    ways = [(one, two)] if one == two else [(one, two), (two, one)]
    return tuple(
        Place(up, up_pile, down, down_pile)
        for up, down in ways
        for up_pile in range(piles)
        for down_pile in range(piles)
    )
