"""Everything that lies on the table, open or hidden, and who is to act."""

from stockpile_web.engine import Facts, Record, Seat
from stockpile_web.games.stonks.data import CARDS, TABLES, Card, Company, Table

PORTFOLIO, TRICK, ACQUIRING, OVER = "portfolio", "trick", "acquiring", "over"


class Player(Record):
    """One player's hand and portfolio."""

    hand: list[Card] = []
    chosen: list[Card] = []  # The cards for the portfolio, shown and hidden, until all have chosen.
    portfolio: list[Card] = []  # Open.
    hidden: list[Card] = []  # Of the portfolio, face-down until it is scored.
    speculation: bool = True  # The Speculation Card is not used yet.
    score: int = 0
    lines: list[Facts] = []  # What the score is made of.

    def cards(self) -> int:
        """Return how many Market Cards the portfolio has."""
        return len(self.portfolio) + len(self.hidden)


class Tile(Record):
    """A company with its token."""

    company: Company
    values: tuple[int, ...]
    level: int  # From 1.
    black: bool = False  # The token has been turned over: it cannot be moved.

    @property
    def value(self) -> int:
        """What a stock is worth."""
        return self.values[self.level - 1]


class Played(Record):
    """A card in the trick."""

    seat: Seat
    card: Card
    down: bool = False  # Face-down, by Speculation.
    as_company: Company = ""  # What it counts as, by Speculation.

    @property
    def company(self) -> Company:
        """The company it counts for."""
        return self.as_company or CARDS[self.card].company


class State(Record):
    """The whole game."""

    players: list[Player]
    tiles: list[Tile]  # From left to right.
    rounds: int
    keeps_black: bool  # Black tokens stay so until the fourth (two players, Moderate).
    pile: list[Card] = []  # The last card is the top.
    round: int = 0
    phase: str = PORTFOLIO
    leader: Seat = 0  # Who starts the trick; once it is decided, who has won it.
    market: Card = ""  # The open card of the pile.
    trick: list[Played] = []
    leading: Company = ""
    speculator: Seat | None = None  # Who used the Speculation Card in this trick.
    discard: list[Card] = []
    buried: list[Card] = []  # The last cards of the hands, which nobody sees.

    def on_turn(self) -> list[Seat]:
        """Return the seats that have a move."""
        if self.phase == PORTFOLIO:
            return [seat for seat, player in enumerate(self.players) if not player.chosen]
        if self.phase == TRICK:
            return [(self.leader + len(self.trick)) % len(self.players)]
        return [self.leader] if self.phase == ACQUIRING else []

    def table(self) -> Table:
        """Return what the number of players determines."""
        return TABLES[len(self.players)]

    def tile(self, company: Company) -> Tile:
        """Return the tile of a company."""
        return next(tile for tile in self.tiles if tile.company == company)

    def trump(self) -> Company:
        """Return the company of the lowest value, the leftmost of several."""
        return min(self.tiles, key=lambda tile: tile.value).company
