"""What a decision of a seat gave away, as the coach says: by what the seat could know then.

Nothing is played again but the steps of a turn, which draw and tell nothing.
"""

from typing import Any, NamedTuple

import msgspec

from stockpile_web.engine import Advice, Dealer, Game, Piece, Seat, codec, take_turn
from stockpile_web.engine.advice import Explain
from stockpile_web.match.rows import Past
from stockpile_web.match.rules_versions import load_state


class Decision(Piece, frozen=True):
    """What was chosen at one moment, and what the coach would have chosen."""

    number: int  # Of the move.
    round: int
    phase: str
    chosen: Advice
    best: Advice
    cost: float | None  # What the choice gave away; None: the coach puts no figures on it.


class Made(NamedTuple):
    """A move that a seat has made."""

    number: int
    move: str


class Unread(Exception):
    """The rules of today cannot read this move, or where it was made."""


class Judge:
    """Looks at decisions from one seat."""

    def __init__(self, game: Game, explain: Explain, seat: Seat) -> None:
        self._game, self._explain, self._seat = game, explain, seat

    def decision(
        self, made: Made, before: Past, after: Past, following: Past | None = None
    ) -> Decision | None:
        """Judge a move, or a turn in steps; None if there was nothing to decide.

        It is given the states before and after it, and before the next move of the seat, if any.
        """
        state = load_state(self._game, *before)
        moves, view = self._game.legal(state, self._seat), self._game.view(state, self._seat)
        first, *rest = _turn(made.move)
        move = _find(moves, first)
        if len(moves) == 1:
            return None
        ranked = self._explain(view, moves)
        best, chosen = ranked[0], _advice(ranked, move)
        if rest:
            chosen = self._completed(state, move, rest) or chosen
        cost = self._cost(view, best, chosen, after, following)
        return Decision(made.number, view.round, view.phase, _kept(chosen), _kept(best), cost)

    def _completed(self, state: Any, first: Any, rest: list[str]) -> Advice | None:
        """Return what the coach says of a turn as it was completed, if it puts it in figures."""
        step = first
        for text in rest:
            take_turn(self._game, state, self._seat, step, Dealer(""))
            moves = self._game.legal(state, self._seat)
            step = _find(moves, text)
        advice = _advice(self._explain(self._game.view(state, self._seat), moves), step)
        return advice if advice.worth is not None else None

    def _cost(
        self, view: Any, best: Advice, chosen: Advice, after: Past, following: Past | None
    ) -> float | None:
        if best.worth is None or chosen.worth is None:
            return None
        if chosen.worth >= best.worth:
            return 0.0
        kept = chosen.worth + (self._still_open(after, view) or 0.0)
        if chosen.is_provisional and following:
            chance = self._still_open(following, view)
            kept = kept if chance is None else max(kept, chance)
        return max(0.0, best.worth - kept)

    def _still_open(self, later: Past, then: Any) -> float | None:
        """Return what the seat could still have; None if it was not asked again in that phase.

        Whoever sells one thing first and then another, or little by little, has lost nothing; nor
        has whoever does it at the next time of asking, but for what it is worth less by then.
        """
        state = load_state(self._game, *later)
        moves, view = self._game.legal(state, self._seat), self._game.view(state, self._seat)
        if not moves or (view.round, view.phase) != (then.round, then.phase):
            return None
        return max(0.0, self._explain(view, moves)[0].worth or 0.0)


def _turn(text: str) -> list[str]:
    """Return a turn as texts: its steps, and the move that completes it."""
    made = codec.load(Any, text)
    return [codec.dump(each) for each in (made if isinstance(made, list) else [made])]


def _find(moves: list[Any], text: str) -> Any:
    """Find a move by its text: under rules that have changed since, there may be none."""
    found = next((move for move in moves if codec.dump(move) == text), None)
    if found is None:
        raise Unread("There is no such move any more.")
    return found


def _advice(ranked: list[Advice], move: Any) -> Advice:
    return next(advice for advice in ranked if advice.move == move)


def _kept(advice: Advice) -> Advice:
    """Return advice as it is kept: in words it is told without the move itself."""
    return msgspec.structs.replace(advice, move=None)
