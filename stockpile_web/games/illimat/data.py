"""What is printed: suits, cards, seasons, and the options of a table."""

from stockpile_web.engine import Option, Piece

Card = str  # A suit and a rank: Su7 is the seven of Summer, StN the Knight of Stars.
Suit = str
Season = str  # One of the four suits that are seasons.

SPRING, SUMMER, AUTUMN, WINTER, STARS = "Sp", "Su", "Au", "Wi", "St"

SUITS: dict[Suit, str] = {
    SPRING: "Spring",
    SUMMER: "Summer",
    AUTUMN: "Autumn",
    WINTER: "Winter",
    STARS: "Stars",
}

FOOL = "F"
# What a card of a rank can count as: of a Fool one or the other, whenever it is used.
RANKS: dict[str, tuple[int, ...]] = {
    FOOL: (1, 14),
    **{str(number): (number,) for number in range(2, 11)},
    "N": (11,),
    "Q": (12,),
    "K": (13,),
}
RANK_NAMES = {FOOL: "Fool", "N": "Knight", "Q": "Queen", "K": "King"}
MOST = 14  # No single card counts for more, so no stockpile does.


class Face(Piece, frozen=True):
    """What a card shows."""

    suit: Suit
    rank: str
    values: tuple[int, ...]

    @property
    def is_fool(self) -> bool:
        """Whether it counts as 1 or 14, and scores."""
        return self.rank == FOOL

    @property
    def turns(self) -> bool:
        """Whether playing it turns the Illimat: a Fool, Knight, Queen or King."""
        return self.rank in RANK_NAMES

    @property
    def name(self) -> str:
        """What a player calls it."""
        return f"{RANK_NAMES.get(self.rank, self.rank)} of {SUITS[self.suit]}"


CARDS: dict[Card, Face] = {
    f"{suit}{rank}": Face(suit, rank, values) for suit in SUITS for rank, values in RANKS.items()
}

# The sides of the Illimat, clockwise from Summer.
RING: tuple[Season, ...] = (SUMMER, SPRING, WINTER, AUTUMN)
FIELDS = len(RING)

SOW, HARVEST, STOCKPILE = "sow", "harvest", "stockpile"
FORBIDS: dict[Season, str] = {SUMMER: "", SPRING: STOCKPILE, WINTER: HARVEST, AUTUMN: SOW}

HAND = 4
FIRST_HAND = 3  # Of the player to the dealer's left, who begins.
REFILL = 3  # Cards in a field at the start, and again when it was cleared.

BUMPER_CROP, SUNKISSED, FROSTBIT = 4, 2, -2

TARGET = 17
TARGETS = range(10, 31)

STARS_FOUR, BEGINNER, SINGLE, POINTS = "stars_four", "beginner", "single", "target"
TWO_OR_THREE = range(2, 4)  # Four players use all cards by either edition.

OPTIONS: tuple[Option, ...] = (
    Option(
        "stars_always",
        "With Stars",
        "All five suits, as in the second edition.",
        group="Stars",
        usual=True,
        seats=TWO_OR_THREE,
    ),
    Option(
        STARS_FOUR,
        "Without Stars",
        "Four suits, as in the first edition: the Stars were for four players only.",
        group="Stars",
        seats=TWO_OR_THREE,
    ),
    Option(
        "luminaries",
        "With Luminaries",
        "Each field hides a Luminary that changes the rules once it is turned up.",
        group="Luminaries",
        usual=True,
    ),
    Option(
        BEGINNER,
        "Without Luminaries",
        "For a first game: seasons, harvests, stockpiles and okuses alone.",
        group="Luminaries",
    ),
    Option(
        "rounds",
        "Several rounds",
        "Until somebody has enough points after a round.",
        group="Length",
        usual=True,
    ),
    Option(SINGLE, "A single round", "Whoever has most points after one deal.", group="Length"),
    Option(
        POINTS,
        "Points to reach",
        "The game ends after the round in which somebody has as many.",
        unless=SINGLE,
        numbers=TARGETS,
        number=TARGET,
    ),
)
