"""How did I play? Decisions judged by what their seat could know when they were made."""

from random import Random

import pytest

from stockpile_web.engine import Advice, codec
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.match.perspective import StillSecret
from stockpile_web.match.review import Decision, dearest, decisions
from stockpile_web.match.rows import read_match, read_past
from stockpile_web.match.turn import changing
from stockpile_web.storage.transactions import reading
from tests.support.people import seated
from tests.support.playing import play
from tests.support.worlds import worlds_of


def review(app, match_id, seat):
    """Return all decisions of a seat, and the costly ones."""
    with app.app_context():
        match = read_match(reading(), match_id)
        assert match is not None
        made = [*decisions(reading(), match, seat)]
    return made, dearest(made)


@pytest.mark.parametrize("slug", GAMES)
def test_decisions_are_judged_by_what_the_seat_could_know_the_dearest_first(app, sign_up, slug):
    match_id, _ = seated(app, sign_up, 2, game=slug)
    with pytest.raises(StillSecret):
        review(app, match_id, 0)
    play(app, match_id)
    made, costly = review(app, match_id, 0)
    game = GAMES[slug]
    bot = game.BOTS[steadiest(game)]
    assert bot.explain is not None
    assert made and costly and {each.number for each in costly} < {each.number for each in made}
    assert [each.cost for each in costly] == sorted((each.cost for each in costly), reverse=True)
    assert all(each.best.worth - each.chosen.worth == each.cost > 0 for each in costly)

    for decision in Random(1).sample(made, 5):
        before = decision.number - 1
        with app.app_context():
            text = read_past(reading(), match_id, before, before)[before].state
        state = codec.load(game.State, text)
        other = worlds_of(slug).another_world(state, 0, Random(2))
        ranked = bot.explain(game.view(other, 0), game.legal(other, 0))
        assert codec.dump(ranked[0]) == codec.dump(decision.best)
        assert codec.dump(decision.chosen) in map(codec.dump, ranked)


def test_whoever_plays_as_the_coach_says_has_given_nothing_away(app, sign_up):
    match_id, _ = seated(app, sign_up, 2)
    with app.app_context(), changing(match_id) as turn:
        explain = turn.game.BOTS[steadiest(turn.game)].explain
        assert explain is not None
        while waiting := [seat.number for seat in turn.seats if turn.legal(seat.number)]:
            seat = waiting[0]
            ranked = explain(turn.game.view(turn.state, seat), turn.legal(seat))
            turn.play(seat, ranked[0].move if seat == 0 else turn.legal(seat)[-1])
    made, costly = review(app, match_id, 0)
    assert made and not costly
    assert review(app, match_id, 1)[1]


def test_a_better_move_that_is_made_a_little_later_is_no_loss():
    good, fair = (Advice(name, worth, {}, []) for name, worth in (("good", 9.0), ("fair", 6.0)))
    moment, next_round = (1, "selling"), (2, "selling")
    made = [
        Decision(3, moment, fair, good),
        Decision(4, moment, good, good),
        Decision(9, next_round, fair, good),
    ]
    assert [each.number for each in dearest(made)] == [9]
