"""How did I play? Decisions judged by what their seat could know when they were made."""

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from stockpile_web.engine import Advice, Game, codec
from stockpile_web.games import GAMES
from stockpile_web.match import review
from stockpile_web.match.judging import Decision, Judge, Made, Unread
from stockpile_web.match.perspective import StillSecret
from stockpile_web.match.review import Findings, coach_of
from stockpile_web.match.rows import Past, read_match, read_past, read_seats
from stockpile_web.match.take_back import DIGEST, TakeBack
from stockpile_web.match.turn import changing
from stockpile_web.storage.models.matches import BOT, CLOCK, ORDER, Move
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.words.events import bare_environment, coach_in_words
from tests.support.known import FIRST
from tests.support.people import seated
from tests.support.playing import play
from tests.support.worlds import worlds_of

WORDS = bare_environment()


def coach(slug):
    """Return the coach of a game, which can say why."""
    found = coach_of(GAMES[slug])
    assert found is not None
    assert found.explain is not None
    return found


def made_by(app, match_id, number):
    """Return the moves that a seat has made itself."""
    with app.app_context():
        match = read_match(reading(), match_id)
        assert match is not None
        return review.moves_of(reading(), match, read_seats(reading(), match_id)[number])


def judged(app, match_id, seat):
    """Judge all moves of a seat."""
    moves = made_by(app, match_id, seat)
    with app.app_context():
        match = read_match(reading(), match_id)
        assert match is not None
        return [*review.judge(reading(), match, seat, moves)]


def findings(slug, decisions):
    """Return what was found."""
    found = Findings()
    for each in decisions:
        found.note(each, coach(slug).clearly)
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_decisions_are_judged_by_what_the_seat_could_know_the_dearest_first(app, sign_up, slug):
    match_id, _ = seated(app, sign_up, 2, game=slug)
    with pytest.raises(StillSecret):
        judged(app, match_id, 0)
    play(app, match_id)
    made = [each for each in judged(app, match_id, 0) if isinstance(each, Decision)]
    found = findings(slug, made)
    assert found.decided + found.unweighed == len(made) > len(found.costly) > 0
    costs = [each.cost for each in found.dearest_first]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) > coach(slug).clearly
    assert found.cost == pytest.approx(sum(costs))

    game, names = GAMES[slug], ["Ann", "Bob"]
    for decision in Random(1).sample(made, 5):
        before = decision.number - 1
        with app.app_context():
            text = read_past(reading(), match_id, before, before)[before].state
        state = codec.load(game.State, text)
        other = worlds_of(slug).another_world(state, 0, Random(2))
        ranked = coach(slug).explain(game.view(other, 0), game.legal(other, 0))
        assert codec.dump(ranked[0].what) == codec.dump(decision.best.what)
        assert codec.dump(ranked[0].why) == codec.dump(decision.best.why)

    # What is kept as JSON is told in the same words.
    kept = codec.load(Findings, codec.dump(found))
    for each, again in zip(found.costly, kept.costly, strict=True):
        for one, two in ((each.chosen, again.chosen), (each.best, again.best)):
            told, twice = (
                [coach_in_words(WORDS, slug, facts, names) for facts in facts_of]
                for facts_of in ([one.what, *one.why], [two.what, *two.why])
            )
            assert told == twice


def test_whoever_plays_as_the_coach_says_has_given_nothing_away(app, sign_up):
    match_id, _ = seated(app, sign_up, 2)
    explain = coach(FIRST).explain
    with app.app_context(), changing(match_id) as turn:
        while waiting := [seat.number for seat in turn.seats if turn.legal(seat.number)]:
            seat = waiting[0]
            ranked = explain(turn.game.view(turn.state, seat), turn.legal(seat))
            turn.play(seat, ranked[0].move if seat == 0 else turn.legal(seat)[-1])
    mine, theirs = (findings(FIRST, judged(app, match_id, seat)) for seat in (0, 1))
    assert mine.decided
    assert not mine.costly
    assert theirs.costly


def test_moves_of_orders_the_clock_a_stand_in_or_taken_back_are_not_ones_own(app, sign_up):
    match_id, _ = seated(app, sign_up, 2)
    play(app, match_id)
    mine = [made.number for made in made_by(app, match_id, 0)]
    others = {mine[3]: ORDER, mine[4]: CLOCK, mine[5]: BOT}
    first, last = mine[6], mine[8]
    with app.app_context(), writing() as tx:
        for number, maker in others.items():
            tx.get_one(Move, (match_id, number)).made_by = maker
        by = tx.get_one(Move, (match_id, last))
        by.move, by.digest = codec.dump(TakeBack(first, last - 1)), DIGEST
    left = [made.number for made in made_by(app, match_id, 0)]
    assert left == mine[:3] + mine[9:]
    # At a practice table bots' moves in between are taken back with one's own.
    theirs = [made.number for made in made_by(app, match_id, 1)]
    assert not set(theirs) & set(range(first, last))

    with app.app_context(), writing() as tx:
        for number in left:
            tx.get_one(Move, (match_id, number)).made_by = BOT
    assert made_by(app, match_id, 0) == []


class Stall:
    """A game in which a seat takes things, one after the other, and may stop."""

    VERSION = 1
    State = dict[str, Any]

    def legal(self, state, seat):
        return [*state]

    def view(self, state, seat):
        return SimpleNamespace(round=1, phase="taking", state=state)

    def explain(self, view, moves):
        ranked = sorted(moves, key=view.state.__getitem__, reverse=True)
        return [Advice(move, view.state[move], {}, [], move.startswith("try")) for move in ranked]

    def cost(self, move, before, after, *following):
        """Return what a move gives away, by what each thing is worth then and later."""
        past = [Past(codec.dump(state), 1) for state in (before, after, *following)]
        judge = Judge(cast(Game, self), self.explain, 0)
        decision = judge.decision(Made(1, codec.dump(move)), *past)
        assert decision is not None
        assert decision.cost is not None
        return decision.cost


def test_what_is_still_open_when_one_is_asked_again_at_once_is_not_lost():
    five, three, bad, done = {"five": 5.0}, {"three": 3.0}, {"bad": -2.0}, {"done": 0.0}
    cost = Stall().cost
    assert cost("three", {**five, **three, **done}, {**five, **done}) == 0
    assert cost("bad", {**five, **bad, **done}, {**five, **done}) == 2
    assert cost("done", {**five, **done}, {}, {**five, **done}) == 5
    with pytest.raises(Unread):
        cost("gone", {**five, **done}, {})


def test_of_a_choice_that_others_undid_is_lost_what_the_next_chance_lacks():
    cost, before = Stall().cost, {"try high": 9.0, "try low": 2.0}
    assert cost("try low", before, {}) == 7
    assert cost("try low", before, {}, {"try high": 8.0, "try low": 1.0}) == 1
    assert cost("try low", before, {}, {"try low": 1.0}) == 7
    assert cost("try bad", {**before, "try bad": -3.0}, {}, {}) == 12


def test_moves_under_rules_that_cannot_be_read_any_more_are_left_out(app, sign_up):
    match_id, _ = seated(app, sign_up, 2)
    play(app, match_id)
    some = [made.number for made in made_by(app, match_id, 0)][:4]
    with app.app_context(), writing() as tx:
        for number in some:
            tx.get_one(Move, (match_id, number - 1)).rules_version = 99
    found = findings(FIRST, judged(app, match_id, 0))
    assert found.unread == len(some)
    assert found.decided
