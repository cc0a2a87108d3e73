"""Whole games over sets of options, with everything watched: cards, money, secrets and JSON."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from stockpile_web.engine import Event, Game, codec
from stockpile_web.engine.options import read
from stockpile_web.games import GAMES
from tests.support import option_sets
from tests.support.random_play import Sitting
from tests.support.two_worlds import (
    assert_nothing_is_gained_by_taking_back,
    look_at_many_worlds,
)
from tests.support.worlds import counted_turns


def few(game: Game, seats: int) -> list[frozenset[str]]:
    """Return no options, each one, everything with and without one, and some mixes.

    Every two options are tried with one number of players; `many` has them with all.
    """
    sizes = len(game.SEATS)
    return [
        frozenset(),
        *option_sets.of_size(game, 1),
        *option_sets.of_size(game, 2)[seats % sizes :: sizes],
        *option_sets.large(game),
        *option_sets.mixes(game, 10),
    ]


def many(game: Game, seats: int) -> list[frozenset[str]]:
    """Return every two and three options, and many mixes, but for those that `few` has."""
    all_ = [*option_sets.of_size(game, 2), *option_sets.of_size(game, 3)]
    known = few(game, seats)
    return [each for each in (*all_, *option_sets.mixes(game, 250)) if each not in known]


def tables(sets: Callable[[Game, int], list[frozenset[str]]]) -> list[Any]:
    """Return every game at every size of table with each of the sets."""
    return [
        pytest.param(slug, seats, options, id="-".join([slug, str(seats), *sorted(options)]))
        for slug in GAMES
        for seats in GAMES[slug].SEATS
        for options in dict.fromkeys(sets(GAMES[slug], seats))
    ]


def play_watched(sitting: Sitting, looks: float) -> None:
    """Play to the end; cards and money are counted at each move, the rest now and then."""
    random = Random(sitting.seed)
    for _ in counted_turns(sitting):
        if random.random() < looks:
            look_at_many_worlds(sitting, random.choice([None, *range(sitting.seats)]), worlds=1)
            for seat in sitting.on_turn()[:1]:
                assert_nothing_is_gained_by_taking_back(sitting, seat, random, moves=1)
            survive_json(sitting)
    result = sitting.game.result(sitting.state)
    assert result is not None
    for score in result.scores:
        assert sum(line["money"] for line in score.lines) == score.total


def survive_json(sitting: Sitting) -> None:
    """The state, its moves and what was told last are the same when read back."""
    game, state = sitting.game, sitting.state
    assert codec.load(game.State, sitting.text()) == state
    for seat in sitting.on_turn():
        moves = game.legal(state, seat)
        # Which moves a game has is known at run time alone.
        assert codec.load(list[game.Move], codec.dump(moves)) == moves  # type: ignore[name-defined]
        assert len({codec.dump(move) for move in moves}) == len(moves)
    assert codec.load(list[Event], codec.dump(sitting.events)) == sitting.events


@pytest.mark.parametrize(("slug", "seats", "options"), tables(few))
def test_every_mix_of_options_plays_to_the_end(
    slug: str, seats: int, options: frozenset[str]
) -> None:
    play_watched(Sitting(slug, seats, options, f"mix {len(options)}"), looks=0.3)


@pytest.mark.long
@pytest.mark.parametrize(("slug", "seats", "options"), tables(many))
def test_many_more_mixes_play_to_the_end(slug: str, seats: int, options: frozenset[str]) -> None:
    play_watched(Sitting(slug, seats, options, "many"), looks=0.5)


@pytest.mark.parametrize("slug", GAMES)
def test_the_sets_hold_every_option_and_what_it_needs(slug: str) -> None:
    game = GAMES[slug]
    words = {word for options in option_sets.of_size(game, 1) for word in options}
    assert words == {*option_sets.words_of(game)}
    assert read(words).keys() == {option.key for option in game.OPTIONS}
    seats = game.SEATS[0]
    for options in map(read, [*few(game, seats), *many(game, seats)]):
        chosen = [option for option in game.OPTIONS if option.key in options]
        assert all(option.needs in options for option in chosen if option.needs)
        groups = [option.group for option in chosen if option.group]
        assert len(groups) == len(set(groups))
