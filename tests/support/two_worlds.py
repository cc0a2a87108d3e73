"""The two-worlds check: what a viewer is sent may not depend on what that viewer cannot know."""

from copy import deepcopy
from itertools import zip_longest
from random import Random
from typing import Any

from stockpile_web.engine import Facts, Step, Viewer, codec, on_turn
from stockpile_web.engine.steps import as_recorded, go_on
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of


def look_at_many_worlds(sitting: Sitting, viewer: Viewer, worlds: int) -> None:
    """Compare the state with other worlds, in all that the viewer is sent."""
    for world in range(worlds):
        random = Random(f"{sitting.seed} {viewer} {world}")
        other = worlds_of(sitting.slug).another_world(sitting.state, viewer, random)
        assert_nothing_hidden_shows(sitting, other, viewer)
        assert_events_tell_no_secret(sitting, other, viewer, random)


def assert_nothing_hidden_shows(sitting: Sitting, other: Any, viewer: Viewer) -> None:
    """The view, the viewer's own moves and the seats on turn are the same in both worlds."""
    game, state = sitting.game, sitting.state
    assert codec.dump(game.view(other, viewer)) == codec.dump(game.view(state, viewer))
    assert on_turn(game, other, sitting.seats) == sitting.on_turn()
    if viewer is not None:
        assert game.legal(other, viewer) == game.legal(state, viewer)


def assert_events_tell_no_secret(
    sitting: Sitting, other: Any, viewer: Viewer, random: Random
) -> None:
    """Make moves that look the same in both worlds; the viewer is told the same of them.

    The comparison ends where something is turned up that the viewer could not know before.
    """
    worlds = worlds_of(sitting.slug)
    for seat in sitting.on_turn():
        ways = _ways(sitting, other, seat, seat == viewer, random)
        if not ways:
            continue
        turn, other_turn = random.choice(ways)
        told = _told(sitting, sitting.state, seat, turn, viewer)
        told_there = _told(sitting, other, seat, other_turn, viewer)
        for here, there in zip_longest(told, told_there):
            if any(facts and worlds.reveals(facts, viewer) for facts in (here, there)):
                break
            assert here == there


def assert_nothing_is_gained_by_taking_back(
    sitting: Sitting, seat: int, random: Random, moves: int
) -> int:
    """Make some moves of `seat` in two worlds between which it cannot tell.

    Whether a move may be taken back is the same in both. If it may, all that anybody is told of it
    is the same too, and all that the mover sees then: nobody learns what the mover did not know.
    Return how many of the moves may be.
    """
    other = worlds_of(sitting.slug).another_world(sitting.state, seat, random)
    ways = [turn for turn, _ in _ways(sitting, other, seat, True, random)]
    may_be = 0
    for turn in random.sample(ways, min(moves, len(ways))):
        here, there = (_outcome(sitting, state, seat, turn) for state in (sitting.state, other))
        assert here == there, turn
        may_be += here is not None
    return may_be


def _outcome(sitting: Sitting, state: Any, seat: int, turn: list[Any]) -> list[Any] | None:
    """Return what can be known of a turn after it; None if it cannot be taken back."""
    game, state, dealer = sitting.game, deepcopy(state), sitting.dealer()
    for move in turn:
        game.play(state, seat, move, dealer)
    if dealer.has_news_for(seat, as_recorded(turn)) or game.result(state) is not None:
        return None
    asked = on_turn(game, state, sitting.seats)
    return [dealer.events, game.view(state, seat), game.legal(state, seat), asked]


def _ways(
    sitting: Sitting, other: Any, seat: int, is_own: bool, random: Random
) -> list[tuple[list[Any], list[Any]]]:
    """Return pairs of whole turns, one in each world, that the viewer cannot tell apart."""
    outward = worlds_of(sitting.slug).outward
    here = _turns(sitting, sitting.state, seat, random)
    if is_own:
        there = sitting.game.legal(other, seat)
        ways = [turn for turn in here if turn[0] in there]
        for turn in ways:
            _assert_steps_show_nothing(sitting, other, seat, turn)
        return [(turn, turn) for turn in ways]
    by_look = {outward(as_recorded(turn)): turn for turn in _turns(sitting, other, seat, random)}
    looks = [(turn, outward(as_recorded(turn))) for turn in here]
    return [(turn, by_look[look]) for turn, look in looks if look in by_look]


def _turns(sitting: Sitting, state: Any, seat: int, random: Random) -> list[list[Any]]:
    """Return every move, and of every first step one turn to which it leads."""
    game, moves = sitting.game, sitting.game.legal(state, seat)
    return [
        go_on(game, state, seat, moves, move, lambda _, able: random.choice(able))
        if isinstance(move, Step)
        else [move]
        for move in moves
    ]


def _assert_steps_show_nothing(sitting: Sitting, other: Any, seat: int, turn: list[Any]) -> None:
    """After each step of a turn its mover sees the same in both worlds, and may do the same."""
    game, worlds = sitting.game, [deepcopy(sitting.state), deepcopy(other)] if turn[1:] else []
    for step in turn[:-1]:
        for state in worlds:
            game.play(state, seat, step, sitting.dealer())
        here, there = ((game.view(state, seat), game.legal(state, seat)) for state in worlds)
        assert here == there, step


def _told(sitting: Sitting, state: Any, seat: int, turn: list[Any], viewer: Viewer) -> list[Facts]:
    """Return what the viewer is told when the turn is made in a copy of the state."""
    dealer, state = sitting.dealer(), deepcopy(state)
    for move in turn:
        sitting.game.play(state, seat, move, dealer)
    return [facts for event in dealer.events if (facts := event.seen_by(viewer)) is not None]
