"""Matches that were begun under older rules."""

from stockpile_web.engine import codec
from stockpile_web.games import GAMES, stonks
from stockpile_web.games.stonks.data import BIG, SMALL
from stockpile_web.match.rules_versions import load_state
from tests.games.stonks.table import deal, play


def test_a_match_begun_under_version_1_keeps_its_tiles_and_is_played_to_its_end() -> None:
    old, _ = deal(3, "small_caps", "rounds_2")
    for tile, values, level in zip(old.tiles, (SMALL, SMALL, BIG, BIG), (1, 2, 4, 5), strict=True):
        tile.values, tile.level = values, level  # As small caps were laid out for three.
    state = load_state(GAMES["stonks"], codec.dump(old), 1)
    assert state == old
    while stonks.result(state) is None:
        play(state, stonks.legal(state, state.on_turn()[0])[0])
    assert [tile.values for tile in state.tiles] == [SMALL, SMALL, BIG, BIG]
