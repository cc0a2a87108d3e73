"""Everything that lies on the table, open or hidden, and whose turn it is."""

from stockpile_web.engine import Facts, Record, Seat
from stockpile_web.games.illimat.data import CARDS, FIELDS, RING, TARGET, Card, Season
from stockpile_web.games.illimat.fields import Item, Value

# Besides playing: what a Luminary that was claimed may ask of its new owner.
PLAYING, SWAPPING, TURNING, OVER = "playing", "swapping", "turning", "over"


class Field(Record):
    """One of the four fields, with the corner for a Luminary."""

    items: list[Item] = []
    luminary: str = ""  # Empty: there is none.
    is_up: bool = False  # The Luminary is face up.
    under: list[Card] = []  # Cards face-down under the Luminary.

    def item(self, name: Card) -> Item:
        """Return the item of a name."""
        return next(item for item in self.items if item.name == name)


class Choice(Record):
    """A harvest or a stockpile that is being put together, group by group."""

    cards: tuple[Card, ...]  # Played, or about to be.
    field: int
    value: Value
    counts: Value = 0  # What the active card of a stockpile counts as; a harvest has none.
    group: list[Value] = []  # What the group that is not full yet is made of.
    times: int = 0  # Full groups.
    added: list[Card] = []  # The names of items, in order.


class Turn(Record):
    """A player's turn so far."""

    seat: Seat
    played: bool = False
    sown: bool = False  # The further card that a Luminary may ask for.
    swapped: list[Card] = []  # Cards that were given and taken.
    cleared: int | None = None  # The field that a harvest has emptied.
    has_okus: bool = False  # One was taken for it.
    choice: Choice | None = None


class Player(Record):
    """What one player has."""

    hand: list[Card] = []
    harvest: list[Card] = []  # All saw these taken.
    children: list[Card] = []  # Likewise in the harvest pile, but only their owner has seen them.
    okuses: int = 0
    luminaries: list[str] = []
    score: int = 0
    lines: list[Facts] = []  # What the score is made of.

    def pile(self) -> list[Card]:
        """Return the harvest pile."""
        return [*self.harvest, *self.children]

    def fools(self) -> int:
        """Return how many Fools the harvest pile has."""
        return sum(CARDS[card].is_fool for card in self.pile())

    def of_suit(self, suit: str) -> int:
        """Return how many cards of a suit the harvest pile has."""
        return sum(CARDS[card].suit == suit for card in self.pile())


class State(Record):
    """The whole game."""

    players: list[Player]
    has_stars: bool
    has_luminaries: bool
    dealer: Seat
    turn: Turn
    target: int = TARGET
    is_single: bool = False  # One round is the whole game.
    round: int = 0
    phase: str = PLAYING
    fields: list[Field] = []  # Clockwise, the dealer's first.
    summer: int = 0  # The field toward which Summer points.
    okuses: int = 0  # On the Illimat.
    pile: list[Card] = []  # The last card is the top.
    unused: list[str] = []  # Luminaries that nobody has seen in this round.

    def season(self, field: int) -> Season:
        """Return the season of a field."""
        return RING[(field - self.summer) % FIELDS]

    def turn_to(self, field: int, season: Season) -> None:
        """Turn the Illimat so that a field has this season."""
        self.summer = (field - RING.index(season)) % FIELDS

    def hand(self) -> list[Card]:
        """Return the hand of whoever is on turn."""
        return self.players[self.turn.seat].hand
