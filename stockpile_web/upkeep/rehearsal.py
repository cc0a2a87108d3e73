"""One running match, played once more by the rules of today from what is recorded of it."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from stockpile_web.engine import Dealer, Event, Game, codec, take_turn
from stockpile_web.engine.options import applying, read
from stockpile_web.games import GAMES
from stockpile_web.match.broken import what_is_wrong
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.site_events import PLAYED_ON
from stockpile_web.match.take_back import TakeBack
from stockpile_web.storage import snapshots

Wrong = tuple[int | None, str]


class Recorded(NamedTuple):
    """A move as it is stored."""

    number: int
    seat: int | None
    move: str
    events: str
    frame: bytes
    rules_version: int


def rehearse(
    slug: str,
    options: str,
    seats: int,
    seed: str,
    asked: list[int],
    moves: Iterable[Recorded],
    newest: str,
    version: int,
) -> Wrong | None:
    """Return the first move that goes otherwise and how, or None and what is wrong with the end.

    Moves of an older version of the rules are not made again: they were made by other rules. Their
    states must be carried over by the game's upgrades, as they will be when somebody opens them.
    """
    game, number = GAMES[slug], None
    chosen = applying(game, read(options.split()), seats)
    rehearsal = _Rehearsal(game, seats, chosen, seed)
    try:
        for move, text in _with_states(moves):
            number = move.number
            if (said := rehearsal.go_on(move, text)) is not None:
                return number, said
    except Exception as error:  # noqa: BLE001 (rules may stumble over anything; words may hold cards)
        return number, f"cannot be made any more ({type(error).__name__})"
    problem = what_is_wrong(game, newest, version, seats)
    if problem is not None:
        return None, f"it could not be read ({type(problem).__name__})"
    state = load_state(game, newest, version)
    if game.result(state) is not None:
        return None, "it would be over"
    if [seat for seat in range(seats) if game.legal(state, seat)] != asked:
        return None, "others would be asked for a move"
    return None


class _Rehearsal:
    """A match as far as it was rehearsed."""

    def __init__(self, game: Game, seats: int, options: dict[str, int], seed: str) -> None:
        self._game, self._seats, self._options, self._seed = game, seats, options, seed
        self._state: Any = None
        # Where one may go back to: so many states, in little room.
        self._frames: list[tuple[bytes, int]] = []

    def go_on(self, move: Recorded, text: str) -> str | None:
        """Make the next move; say what is otherwise than it is recorded."""
        recorded = load_state(self._game, text, move.rules_version)
        self._frames.append((move.frame, move.rules_version))
        if move.rules_version != self._game.VERSION or self._is_no_deal(move):
            self._state = recorded
            return None
        if move.number and not move.move:  # What an administrator did: nothing was played.
            return None
        dealer = Dealer(self._seed, move.number)
        made = codec.load(Any, move.move) if move.move else None
        if made is None:
            self._state = self._game.setup(self._seats, self._options, dealer)
        elif isinstance(made, dict) and made.get("move") == TakeBack.__name__:
            self._state = self._state_after(codec.load(TakeBack, move.move).first - 1)
        else:
            for each in made if isinstance(made, list) else [made]:
                chosen = codec.load(self._game.Move, codec.dump(each))
                if chosen not in self._game.legal(self._state, move.seat or 0):
                    return "is not legal any more"
                take_turn(self._game, self._state, move.seat or 0, chosen, dealer)
        is_same = codec.dump(self._state) == codec.dump(recorded)
        return None if is_same else "leads to another state"

    def _is_no_deal(self, move: Recorded) -> bool:
        """Tell whether a practice table begins with a state of another match."""
        told = codec.load(list[Event], move.events) if move.number == 0 else []
        return any(event.kind == PLAYED_ON for event in told)

    def _state_after(self, number: int) -> Any:
        first = snapshots.key_of(number)
        frames = self._frames[first : number + 1]
        *_, text = snapshots.unpack((first + at, frame) for at, (frame, _) in enumerate(frames))
        return load_state(self._game, text, frames[-1][1])


def _with_states(moves: Iterable[Recorded]) -> Iterator[tuple[Recorded, str]]:
    """Yield each move with the state that is recorded after it."""
    seen: list[Recorded] = []

    def frames() -> Iterator[tuple[int, bytes]]:
        for move in moves:
            seen.append(move)
            yield move.number, move.frame

    for text in snapshots.unpack(frames()):
        yield seen.pop(), text
