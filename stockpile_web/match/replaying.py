"""A recorded match played once more by the rules, from its seed and its moves alone.

No database and no clock: all that is needed stands in the file.
"""

from typing import Any

from stockpile_web.engine import Dealer, Event, Game, IllegalMove, Seat, Step, codec, take_turn
from stockpile_web.engine.options import applying, objection, read
from stockpile_web.engine.steps import MOST_STEPS
from stockpile_web.match import administration
from stockpile_web.match.exporting import without_order
from stockpile_web.match.match_file import MatchFile, MoveFacts
from stockpile_web.match.site_events import SET_BACK, TAKEN_BACK, TIME_RAN_OUT
from stockpile_web.match.take_back import TakeBack


class NotLegal(Exception):
    """A move could not be made as it is recorded; the message says which and why."""


class OtherEvents(Exception):
    """Something else happened than is recorded; the message says where."""


class Replay:
    """A match as far as it was played once more."""

    def __init__(self, game: Game, file: MatchFile) -> None:
        self.game, self.file, self.seed = game, file, file.seal.seed or ""
        self.states: list[str] = []  # As JSON, after each move.
        self._state: Any = None
        self._is_news: list[bool] = []  # Of each move: its maker has learned from it.

    @property
    def result(self) -> Any:
        """How it ended, or None if it did not."""
        return self.game.result(self._state)

    def deal(self) -> None:
        """Deal as the seed says."""
        file, seats = self.file, len(self.file.seats)
        try:
            options = read(file.match.options)
        except ValueError:
            raise NotLegal("The rules that were added cannot be read.") from None
        chosen = applying(self.game, options, seats)
        if [seat.number for seat in file.seats] != list(range(seats)):
            raise NotLegal("The seats are not in their order.")
        if seats not in self.game.SEATS or objection(self.game, chosen, seats):
            raise NotLegal(f"{self.game.TITLE} cannot be played so.")
        if not file.moves or file.moves[0].seat is not None or file.moves[0].move is not None:
            raise NotLegal("The record does not begin with a deal.")
        dealer = Dealer(self.seed, 0)
        self._state = self.game.setup(seats, chosen, dealer)
        self._keep(file.moves[0], dealer.events, is_news=True)

    def play(self, move: MoveFacts) -> None:
        """Make the next move of the record."""
        number, seat = len(self.states), move.seat
        if move.number != number:
            raise NotLegal(f"After move {number - 1} comes move {move.number}.")
        is_back = isinstance(move.move, dict) and move.move.get("move") == TakeBack.__name__
        if seat is None and is_back:
            self._set_back(move)
            return
        events, seats = move.events or [], len(self.file.seats)
        if seat is None and move.move is None and administration.is_told_by(events, seats):
            self._keep(move, events, is_news=True)
            return
        if seat is None or seat not in range(seats):
            raise NotLegal(f"Move {number} was made by nobody who sits there.")
        if is_back:
            self._take_back(move, seat)
            return
        made = move.move if isinstance(move.move, list) else [move.move]
        dealer = Dealer(self.seed, number)
        try:
            turn = [codec.load(self.game.Move, codec.dump(each)) for each in made]
            if len(turn) > MOST_STEPS or [isinstance(each, Step) for each in turn] != [
                *[True] * (len(turn) - 1),
                False,
            ]:
                raise NotLegal(f"Move {number} is no whole turn.")
            for each in turn:
                take_turn(self.game, self._state, seat, each, dealer)
        except (IllegalMove, codec.Unreadable) as refusal:
            raise NotLegal(f"Move {number} was not legal: {refusal}") from None
        is_news = dealer.has_news_for(seat, turn if turn[1:] else turn[0])
        self._keep(move, dealer.events, is_news)

    def _set_back(self, move: MoveFacts) -> None:
        """Go back to an earlier state because the newest could not be read any more."""
        back = self._read_take_back(move)
        if not 0 < back.first <= move.number or back.last != move.number - 1:
            raise NotLegal(f"Move {move.number} goes back to where nobody was.")
        self._state = codec.load(self.game.State, self.states[back.first - 1])
        self._keep(move, [Event(SET_BACK, {"first": back.first})], is_news=True)

    def _read_take_back(self, move: MoveFacts) -> TakeBack:
        try:
            back: TakeBack = codec.load(TakeBack, codec.dump(move.move))
        except codec.Unreadable:
            raise NotLegal(f"Move {move.number} takes back nothing that can be read.") from None
        return back

    def _take_back(self, move: MoveFacts, seat: Seat) -> None:
        """Go back to an earlier state, if all since then may be taken back."""
        number, back = move.number, self._read_take_back(move)
        since = range(back.first, number)
        if not (0 < back.first <= back.last < number) or any(
            self.file.moves[each].seat != seat or self._is_news[each] for each in since
        ):
            raise NotLegal(f"Move {number} takes back what could not be taken back.")
        self._state = codec.load(self.game.State, self.states[back.first - 1])
        told = {"seat": seat, "first": back.first, "last": back.last}
        self._keep(move, [Event(TAKEN_BACK, told)], is_news=False)

    def _keep(self, move: MoveFacts, events: list[Event], is_news: bool) -> None:
        recorded = [without_order(event) for event in move.events or []]
        if recorded and recorded[0].kind == TIME_RAN_OUT:  # That is told by the clock.
            del recorded[0]
        # By way of JSON, as the record has gone.
        if recorded != codec.load(list[Event], codec.dump(events)):
            what = f"move {move.number}" if move.number else "the deal"
            raise OtherEvents(f"The record of {what} tells of something else than happens.")
        self.states.append(codec.dump(self._state))
        self._is_news.append(is_news)
