"""A bot that weighs every move: what it does to the market, and what the trick may bring."""

from typing import NamedTuple

from stockpile_web.engine import Rng
from stockpile_web.games.stonks.data import CARDS, Card, Company
from stockpile_web.games.stonks.moves import Acquire, Announce, Disguise, Invest, Move, PlayCard
from stockpile_web.games.stonks.view import View

Values = dict[Company, int]  # From left to right.

# In points; somewhat more or less of each plays as well.
OTHERS = 0.4  # What a point of the others weighs against one of mine.
SPECULATION = 3.0  # What using the Speculation Card must bring.
BEATEN = 2.2  # How much likelier a player plays a better card than one drawn by lot would be.


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose the move that promises most; of equals, any."""
    mind = Mind(view)
    return max(moves, key=lambda move: (mind.weigh(move), rng.random()))


class Trick(NamedTuple):
    """What the seat expects of a trick in which it plays a card."""

    best: Card  # The card that is worth most to take.
    prize: int
    chance: float  # To win it.
    better: int | None  # Cards out of sight that would beat mine; None if it is beaten already.

    @property
    def worth(self) -> float:
        """What it promises: its best card if I win it, or else lost to another."""
        return self.chance * self.prize - (1 - self.chance) * OTHERS * self.prize


class Mind:
    """What the seat of a view knows, and what it expects of a move."""

    def __init__(self, view: View) -> None:
        assert view.own is not None
        assert view.viewer is not None
        self.view, self.own, self.me = view, view.own, view.viewer
        self.tiles = {tile.company: tile for tile in view.tiles}
        self.values: Values = {tile.company: tile.value for tile in view.tiles}
        self.laid = [(p.card, p.as_company) for p in view.trick if p.card is not None]
        self.later = len(view.players) - len(view.trick) - 1
        self.unseen = self._unseen()

    def weigh(self, move: Move) -> float:
        """Return what a move promises, in points."""
        match move:
            case Invest(show, hide):
                return self.adds(show) + self.adds(hide)
            case Acquire(card):
                return self.adds(card)
            case PlayCard():
                return self.market(move) + self.trick(move).worth
            case Disguise():
                return self.market(move) + self.trick(move).worth - SPECULATION
            case Announce():
                return self.trick(move).worth - SPECULATION

    def adds(self, card: Card) -> int:
        """Return what a card adds to a portfolio."""
        return _worth(card, self.values)

    def _unseen(self) -> list[Card]:
        """Return the cards that others may hold."""
        view, own = self.view, self.own
        seen = {*own.hand, *own.chosen, *own.hidden, *view.discard, view.market}
        seen |= {card for card, _ in self.laid}
        seen |= {card for p in view.players for held in p.portfolio for card in held.cards}
        return [
            card for card, face in CARDS.items() if face.company in self.tiles and card not in seen
        ]

    def _values_after(self, move: PlayCard | Disguise | Announce) -> Values:
        """Return the values when a card has moved a company."""
        if isinstance(move, Announce) or not move.company:
            return self.values
        tile, steps = self.tiles[move.company], CARDS[move.card].icons
        level = tile.level + (steps if move.up else -steps)
        return {**self.values, move.company: tile.values[level - 1]}

    def market(self, move: PlayCard | Disguise) -> float:
        """Return what a change of values brings me, less what it brings the others."""
        values = self._values_after(move)
        change = {company: value - self.values[company] for company, value in values.items()}
        mine = sum(held.stocks * change[held.company] for held in self.own.portfolio)
        others = [player for seat, player in enumerate(self.view.players) if seat != self.me]
        theirs = sum(held.stocks * change[held.company] for p in others for held in p.portfolio)
        return mine - OTHERS * theirs / len(others)

    def trick(self, move: PlayCard | Disguise | Announce) -> Trick:
        """Return what the trick promises when I have played so."""
        card, leading, values = move.card, self.view.leading, self._values_after(move)
        if isinstance(move, Announce):
            leading = move.leading
        as_company = leading if isinstance(move, Disguise) else ""
        leading = leading or CARDS[card].company
        trump = min(values, key=lambda company: values[company])
        prizes = (card, self.view.market, *(card for card, _ in self.laid))
        best = max(prizes, key=lambda prize: _worth(prize, values))
        mine = _rank(card, as_company, leading, trump)
        chance, better = 0.0, None
        if mine and all(_rank(*played, leading, trump) <= mine for played in self.laid):
            better = sum(_rank(other, "", leading, trump) > mine for other in self.unseen)
            beaten = min(1.0, BEATEN * better / max(1, len(self.unseen)))
            chance = float((1 - beaten) ** self.later)
        return Trick(best, _worth(best, values), chance, better)


def _worth(card: Card, values: Values) -> int:
    """Return what a card adds to a portfolio."""
    face = CARDS[card]
    return face.stocks * values[face.company]


def _rank(card: Card, as_company: Company, leading: Company, trump: Company) -> int:
    """Rank a card in a trick; 0 cannot win."""
    company, number = as_company or CARDS[card].company, CARDS[card].number
    return number + 13 * (company == trump) if company in (leading, trump) else 0
