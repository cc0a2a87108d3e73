"""What is printed: companies, cards, tiles, and what changes with the number of players."""

from stockpile_web.engine import Option, Piece

Company = str
Card = str  # A company and a number: GG12.

COMPANIES: dict[Company, str] = {
    "CO": "Carotte Orange",
    "GG": "Green Grass",
    "MG": "Miele Giallo",
    "PA": "Peixe Azul",
    "RA": "Roter Apfel",
}


class Face(Piece, frozen=True):
    """What a Market Card shows."""

    company: Company
    number: int
    stocks: int
    icons: int  # Market Fluctuation.


# Stocks and fluctuation icons by number. A guess that fits all that is told of the cards: an owner
# of the game who knows better changes the table here.
ICONS: dict[int, tuple[int, int]] = {
    1: (1, 2),
    2: (1, 2),
    3: (2, 1),
    4: (2, 1),
    5: (2, 1),
    6: (3, 0),
    7: (3, 0),
    8: (3, 0),
    9: (2, 0),
    10: (2, 0),
    11: (1, 0),
    12: (1, 0),
    13: (1, 0),
}

CARDS: dict[Card, Face] = {
    f"{company}{number}": Face(company, number, *icons)
    for company in COMPANIES
    for number, icons in ICONS.items()
}

# The two sides of a tile: the value of a stock by level.
BIG, SMALL = (1, 2, 3, 4, 5), (1, 1, 2, 2, 3)

# Small caps & blue chips: the sides of the tiles and the levels of their tokens, from the left.
SMALL_CAP_SIDES, SMALL_CAP_LEVELS = (SMALL, SMALL, SMALL, BIG, BIG), (1, 2, 3, 4, 5)

BLACK_TOKENS = 4  # With so many, all but the newest are turned back (two players, Moderate).


PORTFOLIO_CARDS = 2  # Chosen from the hand before the first trick.


class Table(Piece, frozen=True):
    """What depends on the number of players."""

    hand: int
    levels: tuple[int, ...] = (1, 2, 3, 4, 5)  # Where tokens start, from the leftmost tile.

    @property
    def tricks(self) -> int:
        """How many are played in a round: a last card is discarded."""
        return self.hand - PORTFOLIO_CARDS - 1


TABLES = {
    2: Table(hand=11),
    3: Table(hand=9, levels=(1, 2, 4, 5)),
    4: Table(hand=11),
    5: Table(hand=9),
}

ROUNDS, ROUNDS_OF_TWO = 3, 2

MODERATE, SMALL_CAPS = "moderate", "small_caps"
LENGTHS = {f"rounds_{number}": number for number in range(1, 6)}

MARKETS, GAME_LENGTHS = "Market", "Rounds"
MORE_THAN_TWO = range(3, 6)  # Two play a game of their own.

OPTIONS: tuple[Option, ...] = (
    Option(
        "standard",
        "Standard",
        "A stock is worth 1 to 5, and only the company that moved last must rest.",
        group=MARKETS,
        seats=MORE_THAN_TWO,
        usual=True,
    ),
    Option(
        MODERATE,
        "Moderate",
        "Friendlier: a stock is worth 1 to 3, and companies that have moved rest for longer.",
        group=MARKETS,
        seats=MORE_THAN_TWO,
    ),
    Option(
        SMALL_CAPS,
        "Small caps & blue chips",
        "Stocks of the companies on the left are worth 1 to 3, of those on the right 1 to 5.",
        group=MARKETS,
        seats=MORE_THAN_TWO,
    ),
    Option("rounds_1", "1 round", "A single deal.", group=GAME_LENGTHS, seats=MORE_THAN_TWO),
    Option("rounds_2", "2 rounds", "Short.", group=GAME_LENGTHS, seats=MORE_THAN_TWO),
    Option(
        "rounds_3",
        "3 rounds",
        "As the rules suggest.",
        group=GAME_LENGTHS,
        usual=True,
        seats=MORE_THAN_TWO,
    ),
    Option("rounds_4", "4 rounds", "A little longer.", group=GAME_LENGTHS, seats=MORE_THAN_TWO),
    Option("rounds_5", "5 rounds", "For a long game.", group=GAME_LENGTHS, seats=MORE_THAN_TWO),
)
