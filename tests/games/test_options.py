"""The options of every game, and of the toy, are rows that the site can offer."""

import pytest

from stockpile_web.engine import Game
from stockpile_web.games import GAMES
from tests.support.toy.site import SLUG, TOY

ALL_GAMES = {**GAMES, SLUG: TOY}
every_game = pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)


@every_game
def test_options_are_for_players_that_the_game_has_and_alike_under_one_heading(game: Game) -> None:
    for option in game.OPTIONS:
        played = {seats for seats in game.SEATS if option.is_for(seats)}
        assert played
        assert option.seats is None or played == set(option.seats)
        for other in game.OPTIONS:
            if option.group and other.group == option.group:
                assert other.seats == option.seats


@every_game
def test_what_an_option_depends_on_stands_before_it_for_the_same_players(game: Game) -> None:
    by_key = {option.key: option for option in game.OPTIONS}
    for option in game.OPTIONS:
        for key in filter(None, (option.needs, option.unless)):
            other = by_key[key]
            assert game.OPTIONS.index(other) < game.OPTIONS.index(option)
            assert all(other.is_for(seats) for seats in game.SEATS if option.is_for(seats))


@every_game
def test_an_option_with_a_number_has_a_usual_one_and_no_heading(game: Game) -> None:
    for option in game.OPTIONS:
        if option.numbers is not None:
            assert option.number in option.numbers
            assert not (option.group or option.usual)


@every_game
def test_one_option_at_most_rules_out_others_as_the_page_of_a_new_table_can_show(
    game: Game,
) -> None:
    ruled_out = [option for option in game.OPTIONS if option.unless]
    assert len({option.unless for option in ruled_out}) <= 1
    assert not any(option.group for option in ruled_out)
