"""Imagined tables: they look to a seat as the real one does, and hold the same cards."""

from collections import Counter
from random import Random

import pytest

from stockpile_web.games import GAMES, stockpile
from stockpile_web.games.stockpile.bots.imagine import imagine
from tests.games.stockpile.table import begin, bid, table
from tests.support.option_sets import large, mixes, of_size
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of

GAME = GAMES["stockpile"]
SETS = dict.fromkeys([frozenset(), *of_size(GAME, 1), *large(GAME)[:1], *mixes(GAME, 2)])


@pytest.mark.parametrize("seats", GAME.SEATS)
@pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(sorted(options)))
def test_an_imagined_table_looks_as_the_real_one_does(seats: int, options: frozenset[str]) -> None:
    chance, sitting = Random(1), Sitting("stockpile", seats, options, f"imagine {len(options)}")
    cards = worlds_of("stockpile").cards
    for _ in sitting.turns():
        viewer = chance.randrange(seats)
        if not sitting.on_turn():
            return
        view = stockpile.view(sitting.state, viewer)
        imagined = imagine(view, chance)
        assert stockpile.view(imagined, viewer) == view
        assert stockpile.legal(imagined, viewer) == stockpile.legal(sitting.state, viewer)
        assert cards(imagined) == cards(sitting.state)


@pytest.mark.parametrize("seats", GAME.SEATS)
def test_an_imagined_table_can_be_played_to_the_end(seats: int) -> None:
    everything, played = frozenset(option.key for option in GAME.OPTIONS), 0
    for moves in range(5, 200, 15):
        sitting = Sitting("stockpile", seats, everything, "on").play_on(moves)
        for viewer in sitting.on_turn()[:1]:
            sitting.state = imagine(stockpile.view(sitting.state, viewer), Random(moves))
            assert stockpile.result(sitting.play_on().state) is not None
            played += 1
    assert played > 5


def test_a_second_meeple_that_was_placed_is_seen_by_the_other_player() -> None:
    """The first bids of both were outbid: it looks like the first bid of the second player."""
    state = table(2, piles="CC | BB | LL | AA")
    begin(state, "demand")
    bid(state, 0, pile=0, amount=0)
    bid(state, 1, pile=0, amount=1)
    bid(state, 0, pile=0, amount=3, meeple=1)
    imagined = imagine(stockpile.view(state, 1), Random(1))
    assert stockpile.legal(imagined, 1) == stockpile.legal(state, 1)
    assert imagined.queue == state.queue


def test_what_is_hidden_is_dealt_anew_each_time() -> None:
    sitting = Sitting("stockpile", 4, frozenset(), "anew").play_on(8)
    view = stockpile.view(sitting.state, 0)
    worlds = [imagine(view, Random(seed)) for seed in range(40)]
    tops = Counter(world.deck[-1] for world in worlds)
    unknown = next(number for number, pair in enumerate(view.pairs) if pair.company is None)
    pairs = Counter(world.pairs[unknown].company for world in worlds)
    portfolios = {str(world.players[1].shares) for world in worlds}
    assert len(tops) > 4 and len(pairs) > 2 and len(portfolios) > 5
