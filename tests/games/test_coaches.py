"""What bots say of their choices, in every game: the ranking is theirs, and tells no secret."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockpile_web.engine import Advice, Dealer, Game, Seat, Step, codec
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.words.events import bare_environment, coach_in_words
from tests.games.test_games import sit_down, some
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of

WORDS = bare_environment()
COACHED = [slug for slug, game in GAMES.items() if game.BOTS[steadiest(game)].explain]


def advice(game: Game, state: Any, seat: Seat) -> list[Advice]:
    """Ask the coach of a game."""
    explain = game.BOTS[steadiest(game)].explain
    assert explain is not None
    return explain(game.view(state, seat), game.legal(state, seat))


def in_words(slug: str, told: list[Advice], names: list[str]) -> str:
    """Say all of it."""
    worths = ({"kind": "worth", "amount": each.worth} for each in told if each.worth is not None)
    facts = [*worths, *(fact for each in told for fact in (each.what, *each.why))]
    return "\n".join(coach_in_words(WORDS, slug, fact, names).striptags() for fact in facts)


def look_at_the_coach(sitting: Sitting, seat: Seat) -> None:
    """See that it ranks all moves as the bot does, in words, and by what the seat sees alone."""
    game, state, slug = sitting.game, sitting.state, sitting.slug
    moves, told = game.legal(state, seat), advice(game, state, seat)
    assert sorted(map(codec.dump, moves)) == sorted(codec.dump(each.move) for each in told)

    chosen = game.BOTS[steadiest(game)].choose(game.view(state, seat), moves, Random(1))
    best = told[0]
    same = next(each for each in told if each.move == chosen)
    assert same.move == best.move or same.worth == best.worth is not None

    names = [f"Player {number}" for number in range(sitting.seats)]
    words = in_words(slug, told, names)
    assert "None" not in words
    assert "  " not in words.replace("\n", " ")
    other = worlds_of(slug).another_world(state, seat, Random(sitting.seed))
    assert codec.dump(advice(game, other, seat)) == codec.dump(told)


@pytest.mark.parametrize("slug", COACHED)
@some(5)
@given(data=st.data())
def test_a_coach_ranks_as_its_bot_chooses_in_words_and_by_what_the_seat_sees(
    slug: str, data: st.DataObject
) -> None:
    sitting = sit_down(slug, data)
    for number in range(60):
        for seat in sitting.on_turn()[:1]:
            if number % 3 == 0:
                look_at_the_coach(sitting, seat)
            moves = GAMES[slug].legal(sitting.state, seat)
            if moves and isinstance(moves[0], Step):
                look_at_the_turn_on(sitting.copy(), seat)
        if sitting.game.result(sitting.state) is not None:
            break
        sitting.step()


def look_at_the_turn_on(sitting: Sitting, seat: Seat) -> None:
    """See that the coach goes on with a turn whose first step was its own."""
    game, state = sitting.game, sitting.state
    while isinstance(move := advice(game, state, seat)[0].move, Step):
        game.play(state, seat, move, Dealer(""))
        look_at_the_coach(sitting, seat)
