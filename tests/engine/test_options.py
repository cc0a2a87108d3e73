"""Which options count, what they are written like, and why some cannot be played with."""

from types import ModuleType

import pytest

from stockpile_web.engine import Game, Option
from stockpile_web.engine.options import applying, objection, read, titles, write
from stockpile_web.engine.simulation import options_for
from tests.support import option_sets, toy

TOY: Game = toy
WITH_NUMBERS = (
    Option("single", "Single round", "One deal."),
    Option("tokens", "Tokens", "Some more."),
    Option("target", "Target score", "To win.", unless="single", numbers=range(10, 31), number=17),
    Option("stack", "Stack", "Of tokens.", needs="tokens", numbers=range(2, 6), number=3),
    Option("stakes", "Stakes", "For few.", seats=range(2, 3), numbers=range(10), number=0),
    Option("grace", "Grace", "One more turn.", unless="single"),
)


@pytest.fixture(name="game")
def _game() -> Game:
    game = ModuleType("made_up")
    game.__dict__.update(vars(toy), OPTIONS=WITH_NUMBERS)
    made: Game = game  # It has all that the toy has.
    return made


def test_an_option_with_a_number_is_always_played_usually_with_its_usual_one(game: Game) -> None:
    assert applying(game, {}, 4) == {"target": 17}
    assert applying(game, {"target": 10}, 4) == {"target": 10}
    assert applying(game, {"target": 10}, 2) == {"target": 10, "stakes": 0}


def test_a_number_is_for_some_numbers_of_players_like_any_option(game: Game) -> None:
    assert applying(game, {"stakes": 5}, 2)["stakes"] == 5
    assert "stakes" not in applying(game, {"stakes": 5}, 3)


def test_a_number_that_needs_another_option_is_played_with_that_alone(game: Game) -> None:
    assert applying(game, {"stack": 4}, 4) == {"target": 17}
    assert applying(game, {"tokens": 1}, 4) == {"tokens": 1, "target": 17, "stack": 3}


def test_what_means_nothing_with_another_option_is_left_out_with_it(game: Game) -> None:
    assert applying(game, {"target": 20, "grace": 1}, 4) == {"target": 20, "grace": 1}
    assert applying(game, {"target": 20, "grace": 1, "single": 1}, 4) == {"single": 1}


def test_options_are_written_as_words_and_read_again(game: Game) -> None:
    options = {"target": 20, "tokens": 1}
    assert write(game, options) == ["tokens", "target=20"]
    assert read(write(game, options)) == options
    assert titles(game, options) == ["Tokens", "Target score 20"]


def test_what_was_stored_before_there_were_numbers_is_read_as_it_was() -> None:
    assert read(["small_caps", "rounds_5"]) == {"small_caps": 1, "rounds_5": 1}


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"target": 10}, ""),
        ({"target": 31}, "“Target score” is a whole number from 10 to 30."),
        ({"target": 20, "single": 1}, "“Target score” means nothing with “Single round”."),
        ({"stakes": 1}, "“Stakes” means nothing for 4 players."),
        ({"stack": 3}, "“Stack” needs “Tokens”: choose both of them, or neither."),
    ],
)
def test_it_is_said_why_options_cannot_be_played_with(
    game: Game, chosen: dict[str, int], said: str
) -> None:
    assert objection(game, chosen, 4) == said


def test_a_number_in_steps_says_so() -> None:
    said = objection(TOY, {"hand": 5}, 4)
    assert said == "“Cards in a hand” is a whole number from 4 to 8, in steps of 2."


def test_a_mix_draws_numbers_too_and_all_options_have_the_usual_ones(game: Game) -> None:
    mixes = [options_for(game, "random", 4, f"{seed}") for seed in range(400)]
    assert {mix["target"] for mix in mixes if "target" in mix} == {*range(10, 31)}
    assert all(("target" in mix) != ("single" in mix) for mix in mixes)
    assert options_for(game, "all", 4, "") == {"single": 1, "tokens": 1, "stack": 3}
    assert options_for(game, "tokens,stack=5", 4, "") == {"tokens": 1, "target": 17, "stack": 5}


def test_the_sets_for_tests_have_each_number_at_its_lowest_its_usual_and_its_highest() -> None:
    for sets in (option_sets.of_size(TOY, 1), option_sets.mixes(TOY, 40)):
        dealt = [option_sets.dealt(TOY, words, 2) for words in [frozenset[str](), *sets]]
        assert {options.get("hand") for options in dealt} == {None, 4, 6, 8}
        assert {"short": 1} in dealt


def test_the_sets_for_tests_name_a_number_with_what_it_needs(game: Game) -> None:
    assert frozenset({"tokens", "stack=5"}) in option_sets.of_size(game, 1)
