"""Everything that lies on the table, open or hidden, and who is to act."""

from stockpile_web.engine import Facts, Record, Seat
from stockpile_web.games.stockpile.data import (
    BOARDS,
    COMPANIES,
    TABLES,
    Card,
    Company,
    Forecast,
    Table,
)

ANY = "any"


class Laid(Record):
    """A card on a stockpile; a face-down one is known to those who placed it or looked at it."""

    card: Card
    by: Seat | None = None  # Who laid it, for all to see; nobody if it came off the deck.
    up: bool = True
    known: list[Seat] = []


class Won(Record):
    """A stockpile as it lay when it was won: seen beside its winner until the round ends."""

    pile: int
    cards: list[Laid]


class Player(Record):
    """One player's board and hand."""

    cash: int
    shares: dict[Company, int]  # Cards in the Stock Portfolio.
    split: dict[Company, int]  # Cards in the Split Portfolio, two shares each.
    hand: list[Card] = []  # Dealt in the Supply Phase, not placed yet.
    actions: list[Card] = []  # Won this round, not used yet.
    fees: list[Card] = []  # Open because they could not be paid.
    meeples: list[int] = []  # In hand; those that were outbid come last.
    ended: list[int] = []  # The spaces on which the meeples ended this round.
    won: list[Won] = []  # This round.
    fees_won: int = 0  # Trading fees that were in the piles of this round.
    offered: list[str] = []  # Investors to choose from before the game.
    investors: tuple[str, ...] = ()
    used: list[str] = []  # Investors whose power was used this round.
    taken: str = ""  # The company or forecast chosen before the deal.
    bonds: int = 0
    drawn: list[Card] = []  # From the commerce deck, not placed yet.
    goods: list[Card] = []  # Commodities and taxes, open.
    strategies: list[str] = []  # In hand.
    strategies_played: int = 0  # This round.
    selling: str = ""  # A company, or ANY, whose shares a strategy lets this player sell now.
    sold: bool = False  # On this turn, which then ends when its player says so.

    def face_down(self) -> int:
        """Return how many cards lie face-down on the board: stock, and actions not used yet."""
        return sum(self.shares.values()) + len(self.actions)


class Pair(Record):
    """A company with the forecast for it this round, and who has seen it."""

    company: Company
    forecast: Forecast
    holder: Seat | None
    known: list[Seat]
    up: bool = False
    falsified: bool = False  # A strategy lies on its forecast.


class Standing(Record):
    """The bid that stands on a pile's track."""

    seat: Seat
    space: int
    meeple: int


class Dividend(Record):
    """A dividend that waits for the players in `asked` to say what they show."""

    company: Company
    each: int
    asked: list[Seat]
    steps_left: int = 0  # The ticker then goes on by so many steps.
    answers: dict[Seat, tuple[int, int]] = {}  # Secret: regular and split cards to be shown.


class State(Record):
    """The whole game. The first seat of `queue` is on turn, unless a dividend is being paid."""

    players: list[Player]
    modules: tuple[str, ...]
    board: str
    first: Seat
    deck: list[Card]  # The last card is the top.
    tickers: dict[Company, int]  # The space, not the value.
    round: int = 0
    phase: str = "setup"
    queue: list[Seat] = []
    at_once: bool = False  # All of the queue are on turn, not its first alone.
    discard: list[Card] = []
    pairs: list[Pair] = []  # In the order in which they move the market.
    pairs_moved: int = 0
    piles: list[list[Laid]] = []
    supplies: int = 0  # Deals made in this Supply Phase.
    bids: list[Standing | None] = []  # By pile.
    bids_made: int = 0
    dividend: Dividend | None = None
    to_move: list[tuple[Company, int]] = []  # Tickers that move one after the other, now.
    forecasts: tuple[Forecast, ...] = ()  # Dealt this round.
    bonds_left: int = 0
    commerce: list[Card] = []  # The commerce deck; the last card is the top.
    first_card_won: Seat | None = None  # Who has yet to give the first player card away.
    next_first: Seat | None = None  # Who was given it.
    spent: list[Card] = []  # Commodities and taxes that went back to the box.
    box: list[str] = []  # Strategies that may still be drawn.
    final: list[list[Facts]] = []  # By seat: the lines of the score, once the game is over.

    def on_turn(self) -> list[Seat]:
        """Return the seats that have a move."""
        if self.dividend is not None:
            return self.dividend.asked[:]
        return self.queue[:] if self.at_once else self.queue[:1]

    def table(self) -> Table:
        """Return what the number of players determines."""
        return TABLES[len(self.players)]

    def order(self) -> list[Seat]:
        """Return the seats in turn order."""
        seats = list(range(len(self.players)))
        return seats[self.first :] + seats[: self.first]

    def price(self, company: Company) -> int:
        """Return the current value of one share."""
        return BOARDS[self.board][company].values[self.tickers[company]]


def no_shares() -> dict[Company, int]:
    """Return an empty portfolio."""
    return dict.fromkeys(COMPANIES, 0)


def last_round(state: State) -> bool:
    """Tell whether this is the last round."""
    return state.round == state.table().rounds
