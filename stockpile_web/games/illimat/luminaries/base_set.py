"""The eight Luminaries of the box, each with what it changes."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.illimat.data import CARDS, FIELDS, HARVEST, SUMMER, Card
from stockpile_web.games.illimat.luminaries.luminary import Luminary
from stockpile_web.games.illimat.pile import lay, take
from stockpile_web.games.illimat.state import SWAPPING, TURNING, Player, State
from stockpile_web.games.illimat.turning import turn_to

RIVER_CARDS, CHILDREN_CARDS = 6, 3


class Maiden(Luminary):
    """Winter forbids nothing."""

    def forbidden(self, action: str) -> str:
        return "" if action == HARVEST else action


class Changeling(Luminary):
    """Cards are exchanged: one in her field in each turn, two anywhere for whoever claims her."""

    def swapping(self, fields: list[int]) -> list[int]:
        return [*fields, self.home]

    def when_claimed(self, state: State, seat: Seat, dealer: Dealer) -> None:
        state.phase = SWAPPING
        state.turn.swapped = []


class River(Luminary):
    """She brings six cards, and turns frost to luck."""

    def when_revealed(self, state: State, dealer: Dealer) -> bool:
        missing = RIVER_CARDS - len(state.fields[self.home].items)
        if missing > len(state.pile):
            return False
        lay(state, self.home, missing, dealer)
        return True

    def frostbit(self, points: int) -> int:
        return -points


class Children(Luminary):
    """They hide three cards for whoever claims them."""

    def when_revealed(self, state: State, dealer: Dealer) -> bool:
        if len(state.pile) < CHILDREN_CARDS:
            return False
        state.fields[self.home].under = take(state, CHILDREN_CARDS)
        dealer.announce("cards_hidden", field=self.home, count=CHILDREN_CARDS)
        return True

    def when_claimed(self, state: State, seat: Seat, dealer: Dealer) -> None:
        field, player = state.fields[self.home], state.players[seat]
        cards, field.under = field.under, []
        player.children += cards
        dealer.reveal([seat], "hidden_taken", {"cards": cards}, seat=seat, count=len(cards))


class ForestQueen(Luminary):
    """It is Summer in her field for as long as she stays."""

    def can_turn(self, can: bool) -> bool:
        return False

    def when_revealed(self, state: State, dealer: Dealer) -> bool:
        turn_to(state, self.home, SUMMER, None, dealer)
        return True

    def when_claimed(self, state: State, seat: Seat, dealer: Dealer) -> None:
        state.phase = TURNING


class Rake(Luminary):
    """Everyone sows a further card into his field; who claims him is paid in Summer cards."""

    def further_sowing(self, fields: list[int]) -> list[int]:
        return [*fields, self.home]

    def when_claimed(self, state: State, seat: Seat, dealer: Dealer) -> None:
        for giver, player in enumerate(state.players):
            if giver != seat:
                card = _summer_card(player)
                if card:
                    state.players[seat].harvest.append(card)
                dealer.turn_up("summer_given", seat=giver, to=seat, card=card)


class Union(Luminary):
    """Two cards may harvest together in its field."""

    def harvest_cards(self, most: int, field: int) -> int:
        return max(most, 2) if field == self.home else most


class Newborn(Luminary):
    """It wakes the Luminary across the Illimat."""

    def reveals(self) -> int | None:
        return (self.home + FIELDS // 2) % FIELDS


def _summer_card(player: Player) -> Card:
    """Take the Summer card that costs its player least: no Fool, and one that all have seen."""
    for is_fool in (False, True):
        for cards in (player.harvest, player.children):
            for card in cards:
                if CARDS[card].suit == SUMMER and CARDS[card].is_fool == is_fool:
                    cards.remove(card)
                    return card
    return ""
