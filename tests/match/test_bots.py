"""The bots of every game: they play legally by what they see alone, and are measured fairly."""

from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from stockpile_web.engine import Bot, codec
from stockpile_web.engine.simulation import RANDOM, bot_game, bot_summary, interval
from stockpile_web.games import GAMES
from tests.support.option_sets import dealt, large, mixes
from tests.support.random_play import Sitting

BOTS = [(slug, key) for slug in GAMES for key in GAMES[slug].BOTS]
every_bot = pytest.mark.parametrize(("slug", "key"), BOTS)

# How many choices are watched, of those who move at once and of those who take their time.
WATCHED = {False: 60, True: 6}


class Question(NamedTuple):
    """A seat that is to choose a move: the state as JSON, so that no two share anything."""

    slug: str
    state: str
    seat: int
    number: int

    def answer(self, key: str) -> tuple[Any, list[Any]]:
        """Return what a bot chooses, and from what."""
        game = GAMES[self.slug]
        state = codec.load(game.State, self.state)
        view, moves = game.view(state, self.seat), game.legal(state, self.seat)
        return game.BOTS[key].choose(view, moves, Random(self.number)), moves


def questions(slug: str, key: str) -> list[Question]:
    """Return what a bot is asked: as many questions as it has time for."""
    return asked(slug)[: WATCHED[GAMES[slug].BOTS[key].thinks]]


@cache
def asked(slug: str) -> list[Question]:
    """Return seats on turn at tables of every size, with many mixes of options, at any time."""
    game, chance = GAMES[slug], Random(slug)
    sets = [*large(game), *mixes(game, 40)]
    asked = []
    for number in range(WATCHED[False]):
        sitting = Sitting(slug, chance.choice(game.SEATS), chance.choice(sets), f"{number}")
        sitting.play_on(chance.randrange(120))
        if waiting := sitting.on_turn():
            asked.append(Question(slug, sitting.text(), chance.choice(waiting), number))
    return asked


def bot(slug: str, key: str) -> Bot:
    return GAMES[slug].BOTS[key]


@pytest.mark.parametrize("slug", GAMES)
def test_the_first_bot_moves_while_somebody_waits_for_a_page(slug: str) -> None:
    bots = GAMES[slug].BOTS
    assert not next(iter(bots.values())).thinks
    assert RANDOM not in bots
    assert all(each.title and each.says.startswith("I ") for each in bots.values())


@every_bot
def test_a_bot_chooses_a_legal_move_with_every_mix_of_options(slug: str, key: str) -> None:
    asked = questions(slug, key)
    assert asked
    for question in asked:
        move, moves = question.answer(key)
        assert move in moves


@every_bot
def test_a_bot_keeps_nothing_in_mind_but_what_it_sees(slug: str, key: str) -> None:
    """It is asked twice, in two orders, and chooses the same."""
    asked = questions(slug, key)[:20]
    there = [question.answer(key) for question in asked]
    back = [question.answer(key) for question in reversed(asked)]
    assert there == back[::-1]


@every_bot
def test_a_bot_changes_neither_its_view_nor_its_moves(slug: str, key: str) -> None:
    game = GAMES[slug]
    sitting = Sitting(slug, game.SEATS[0], frozenset(), "untouched").play_on(10)
    seat = sitting.on_turn()[0]
    view, moves = game.view(sitting.state, seat), game.legal(sitting.state, seat)
    before = codec.dump([view, moves])
    bot(slug, key).choose(view, moves, Random(1))
    assert codec.dump([view, moves]) == before


@pytest.mark.parametrize("slug", GAMES)
def test_the_same_seed_gives_the_same_game_among_bots(slug: str) -> None:
    game = GAMES[slug]
    first = next(iter(game.BOTS))
    names = [first, *[RANDOM] * (game.SEATS[0] - 1)]
    options = dealt(game, (), len(names))
    assert bot_game(game, names, options, "same") == bot_game(game, names, options, "same")


@pytest.mark.parametrize("slug", GAMES)
def test_every_bot_sits_on_every_seat_and_is_counted_by_its_name(slug: str) -> None:
    """A random mover beside the first bot loses on whatever seat it is."""
    game = GAMES[slug]
    names = [RANDOM, *[next(iter(game.BOTS))] * (game.SEATS[0] - 1)]
    options = dealt(game, (), len(names))
    records = [bot_game(game, names, options, f"{n}", n) for n in range(20)]
    for turn in range(len(names)):
        assert sum(record.shares[0] for record in records[turn :: len(names)]) <= 4
    assert all(sum(record.shares) == 1 for record in records)
    lines = bot_summary(names, records).splitlines()
    assert lines[-2].startswith(names[0]) and lines[-1].startswith(names[1])


def test_an_interval_holds_the_share_and_is_narrower_with_more_games() -> None:
    for wins, games in ((0, 20), (10, 20), (20, 20), (250.5, 1000)):
        low, high = interval(wins, games)
        assert 0 <= low <= high <= 1
        assert low < (wins + 1e-9) / games and (wins - 1e-6) / games < high
    assert interval(100, 200)[0] < interval(1000, 2000)[0]
