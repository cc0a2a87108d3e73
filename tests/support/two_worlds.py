"""The two-worlds check: what a viewer is sent may not depend on what that viewer cannot know."""

from copy import deepcopy
from itertools import zip_longest
from random import Random
from typing import Any

from stockpile_web.engine import Facts, Viewer, codec, on_turn
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
        ways = _ways(sitting, other, seat, seat == viewer)
        if not ways:
            continue
        move, other_move = random.choice(ways)
        told = _told(sitting, sitting.state, seat, move, viewer)
        told_there = _told(sitting, other, seat, other_move, viewer)
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
    ways = [move for move, _ in _ways(sitting, other, seat, True)]
    may_be = 0
    for move in random.sample(ways, min(moves, len(ways))):
        here, there = (_outcome(sitting, state, seat, move) for state in (sitting.state, other))
        assert here == there, move
        may_be += here is not None
    return may_be


def _outcome(sitting: Sitting, state: Any, seat: int, move: Any) -> list[Any] | None:
    """Return what can be known of a move after it; None if it cannot be taken back."""
    game, state, dealer = sitting.game, deepcopy(state), sitting.dealer()
    game.play(state, seat, move, dealer)
    if dealer.has_news_for(seat, move) or game.result(state) is not None:
        return None
    asked = on_turn(game, state, sitting.seats)
    return [dealer.events, game.view(state, seat), game.legal(state, seat), asked]


def _ways(sitting: Sitting, other: Any, seat: int, is_own: bool) -> list[tuple[Any, Any]]:
    """Return pairs of legal moves, one in each world, that the viewer cannot tell apart."""
    game, outward = sitting.game, worlds_of(sitting.slug).outward
    here, there = game.legal(sitting.state, seat), game.legal(other, seat)
    if is_own:
        return [(move, move) for move in here if move in there]
    by_look = {outward(move): move for move in there}
    return [(move, by_look[outward(move)]) for move in here if outward(move) in by_look]


def _told(sitting: Sitting, state: Any, seat: int, move: Any, viewer: Viewer) -> list[Facts]:
    """Return what the viewer is told when the move is made in a copy of the state."""
    dealer = sitting.dealer()
    sitting.game.play(deepcopy(state), seat, move, dealer)
    return [facts for event in dealer.events if (facts := event.seen_by(viewer)) is not None]
