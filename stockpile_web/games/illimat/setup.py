"""Setup: the first dealer, and the deal of each round."""

from collections.abc import Mapping

from stockpile_web.engine import Dealer
from stockpile_web.games.illimat.data import (
    BEGINNER,
    CARDS,
    FIELDS,
    FIRST_HAND,
    HAND,
    POINTS,
    REFILL,
    RING,
    SINGLE,
    STARS,
    STARS_FOUR,
    TARGET,
    Card,
)
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.pile import in_order, take
from stockpile_web.games.illimat.state import PLAYING, Field, Player, State, Turn


def setup(seats: int, options: Mapping[str, int], dealer: Dealer) -> State:
    """Choose the first dealer by lot, and deal the first round."""
    first_dealer = dealer.below(seats)
    state = State(
        [Player() for _ in range(seats)],
        has_stars=seats == 4 or STARS_FOUR not in options,
        has_luminaries=BEGINNER not in options,
        dealer=first_dealer,
        turn=Turn(first_dealer),
        target=options.get(POINTS, TARGET),
        is_single=SINGLE in options,
    )
    deal(state, dealer)
    return state


def deck(state: State) -> list[Card]:
    """Return the cards that are played with."""
    return [card for card, face in CARDS.items() if state.has_stars or face.suit != STARS]


def deal(state: State, dealer: Dealer) -> None:
    """Begin a round: fields, hands, okuses and Luminaries; the dealer's field is in Summer."""
    seats = len(state.players)
    state.round += 1
    state.phase = PLAYING
    state.summer = 0
    state.pile = deck(state)
    dealer.shuffle(state.pile)
    state.okuses = seats
    state.turn = Turn((state.dealer + 1) % seats)
    dealer.announce("round_began", round=state.round, dealer=state.dealer, first=state.turn.seat)
    laid = [take(state, REFILL) for _ in range(FIELDS)]
    state.fields = [Field([Item((card,)) for card in cards]) for cards in laid]
    dealer.turn_up("fields_laid", fields=laid, seasons=[*RING])
    for place in range(seats):
        seat = (state.turn.seat + place) % seats
        player = state.players[seat]
        player.hand = in_order(take(state, HAND if place else FIRST_HAND))
        player.harvest, player.children = [], []
        player.okuses, player.luminaries = 0, []
        dealer.whisper(seat, "hand_dealt", cards=player.hand[:])
    if state.has_luminaries:
        state.unused = [*LUMINARIES]
        dealer.shuffle(state.unused)
        for field in state.fields:
            field.luminary = state.unused.pop()
