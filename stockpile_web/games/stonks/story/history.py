"""A match put in order for its story: the market, the tricks and the points."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from stockpile_web.engine import Facts, Seat
from stockpile_web.engine.story import Told
from stockpile_web.games.stonks.data import Card, Company
from stockpile_web.games.stonks.view import View


@dataclass
class Trick:
    """A trick, from the opening of the market to the card that somebody took."""

    round: int
    number: int  # In its round.
    market: Card
    turn: int
    plays: list[Facts] = field(default_factory=list)
    winner: Seat | None = None
    took: Card | None = None
    is_over: bool = False


class Noted(NamedTuple):
    """An event, and the move in which it happened."""

    turn: int
    facts: Facts


class History:
    """Values and points have an entry for the start, then one after each trick and each round."""

    def __init__(self, first: View) -> None:
        self.values = [{tile.company: tile.value for tile in first.tiles}]
        self.points = [dict.fromkeys(range(len(first.players)), 0)]
        self.tricks: list[Trick] = []
        self.scored: list[Noted] = []
        self.cancelled: list[Noted] = []  # Speculations that the real card has unmasked.
        self.ends: dict[int, dict[Company, int]] = {}  # The values at the end of each round.
        self._round = 0
        self._values = dict(self.values[0])
        self._points = dict(self.points[0])

    def hear(self, turn: int, facts: Facts) -> None:
        """Take in an event: a method for each kind that has something to tell."""
        method = getattr(self, facts["kind"], None)
        if method is not None:
            method(turn, facts)

    def round_began(self, turn: int, facts: Facts) -> None:
        self._round = facts["round"]

    def market_opened(self, turn: int, facts: Facts) -> None:
        played = sum(trick.round == self._round for trick in self.tricks)
        self.tricks.append(Trick(self._round, played + 1, facts["card"], turn))

    def card_played(self, turn: int, facts: Facts) -> None:
        self.tricks[-1].plays.append(facts)
        self.tricks[-1].turn = turn

    card_disguised = lead_announced = card_played

    def card_revealed(self, turn: int, facts: Facts) -> None:
        plays = self.tricks[-1].plays
        for place, play in enumerate(plays):
            if play["seat"] == facts["seat"]:
                plays[place] = {**play, "card": facts["card"]}

    def token_moved(self, turn: int, facts: Facts) -> None:
        self._values[facts["company"]] = facts["after"]

    def trick_won(self, turn: int, facts: Facts) -> None:
        self.tricks[-1].winner = facts["seat"]

    def card_acquired(self, turn: int, facts: Facts) -> None:
        trick = self.tricks[-1]
        trick.took, trick.turn, trick.is_over = facts.get("card"), turn, True
        self.values.append(dict(self._values))

    trick_void = card_acquired

    def speculation_cancelled(self, turn: int, facts: Facts) -> None:
        self.cancelled.append(Noted(turn, facts))

    def round_ended(self, turn: int, facts: Facts) -> None:
        self.ends[facts["round"]] = dict(self._values)

    def round_scored(self, turn: int, facts: Facts) -> None:
        self.scored.append(Noted(turn, facts))
        self._points[facts["seat"]] += facts["money"]
        if facts["seat"] == len(self._points) - 1:
            self.points.append(dict(self._points))


def read(turns: Sequence[Told]) -> History:
    """Read a match, which may be going on."""
    history = History(turns[0].look()[0])
    for turn in turns:
        for facts in turn.facts:
            history.hear(turn.number, facts)
    return history
