"""What is printed: companies, cards, boards, tracks, and what changes with the number of players.

Money is in thousands of dollars throughout.
"""

from stockpile_web.engine import Piece

Company = str
Card = str  # A company (its stock), an action, or a trading fee.
Forecast = str

# From the top row of the board to the bottom row.
COMPANIES: dict[Company, str] = {
    "CC": "Cosmic Computers",
    "BB": "Bottomline Bank",
    "LL": "Leading Laboratories",
    "AA": "American Automotive",
    "SS": "Stanford Steel",
    "EE": "Epic Electric",
}

BOOM, BUST = "boom", "bust"
ACTIONS = {BOOM: 2, BUST: -2}  # Steps that the chosen ticker moves.
# The amounts: likely, from one other implementation.
FEES = {"fee1": 1, "fee2": 2, "fee3": 3}

# The copies: certain, as printed.
MARKET_DECK: dict[Card, int] = {
    **dict.fromkeys(COMPANIES, 10),
    **dict.fromkeys(FEES, 4),
    **dict.fromkeys(ACTIONS, 4),
}

FORECASTS: tuple[Forecast, ...] = ("+4", "+2", "+1", "$$", "-2", "-3")

BID_TRACK = (0, 1, 3, 6, 10, 15, 20, 25)

SPLIT_BONUS = 10  # For each card that is split already when its company splits again.
MAJORITY, MAJORITY_TIED = 10, 5


class Track(Piece, frozen=True):
    """The row of one company on the board: share values by space, and where the ticker returns."""

    values: tuple[int, ...]
    start: int
    octagon: int  # The space on which a split lands.
    dollars: frozenset[int] = frozenset()  # Spaces that pay $1K a share when entered upwards.


_STANDARD = Track(values=tuple(range(1, 11)), start=4, octagon=5)

BOARDS: dict[str, dict[Company, Track]] = {
    "standard": dict.fromkeys(COMPANIES, _STANDARD),
    # Likely: from one other implementation.
    "advanced": {
        "CC": Track(values=(1, 3, 5, 7, 9), start=2, octagon=2),
        "BB": Track(values=(1, 2, 3, 4, 5, 6), start=4, octagon=3),
        "LL": Track(values=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), start=4, octagon=5),
        "AA": Track(values=(1, 3, 5, 7, 9, 11, 13), start=2, octagon=3),
        "SS": Track(
            values=(1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
            start=8,
            octagon=4,
            dollars=frozenset({1, 3, 5, 7, 9}),
        ),
        "EE": Track(values=(1, 3, 4, 5, 5, 6, 6, 7, 8, 10), start=4, octagon=3),
    },
}


class Table(Piece, frozen=True):
    """What depends on the number of players."""

    rounds: int
    cash: int
    piles: int
    meeples: int = 1  # Per player, as are the next two.
    pairs: int = 1
    supplies: int = 1  # Times that two cards are dealt and placed in a Supply Phase.
    open_pairs: int = 1  # Pairs that lie face-up on the board.


TABLES = {
    2: Table(rounds=6, cash=30, piles=4, meeples=2, pairs=2, supplies=2, open_pairs=0),
    3: Table(rounds=7, cash=20, piles=3),
    4: Table(rounds=6, cash=20, piles=4),
    5: Table(rounds=5, cash=20, piles=5),
}
