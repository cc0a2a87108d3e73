"""What every game must keep, whatever its rules: a further game in `GAMES` is tested for free."""

import inspect
import re
from hashlib import blake2b
from pkgutil import iter_modules
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockpile_web import games
from stockpile_web.engine import (
    Dealer,
    Event,
    Game,
    IllegalMove,
    Option,
    Result,
    Viewer,
    codec,
    take_turn,
)
from stockpile_web.engine.options import read
from stockpile_web.engine.simulation import play_to
from stockpile_web.games import GAMES
from stockpile_web.words.filters import SHARED
from tests.support.known import known
from tests.support.option_sets import large, of_size, words_of
from tests.support.random_play import Sitting
from tests.support.worlds import counted_turns, worlds_of

every_game = pytest.mark.parametrize("slug", GAMES)


def some(examples: int) -> settings:
    """Try as many examples, the same ones in every run."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


def few_sets(slug: str) -> list[frozenset[str]]:
    """Return no options, each one, and all of them; `test_option_mixes.py` has more."""
    game = GAMES[slug]
    sets = [frozenset[str](), *of_size(game, 1), *large(game)[:1]]
    return list(dict.fromkeys(sets))


def tables() -> list[Any]:
    """Return every game at every size of table with its sets of options."""
    return [
        pytest.param(slug, seats, options, id="-".join([slug, str(seats), *sorted(options)]))
        for slug in GAMES
        for seats in GAMES[slug].SEATS
        for options in few_sets(slug)
    ]


every_table = pytest.mark.parametrize(("slug", "seats", "options"), tables())


def sit_down(slug: str, data: st.DataObject) -> Sitting:
    """Draw a table of the game, at the start."""
    game = GAMES[slug]
    seats = data.draw(st.sampled_from(game.SEATS), "seats")
    words = words_of(game)
    options = data.draw(st.frozensets(st.sampled_from(words)) if words else st.just(frozenset()))
    return Sitting(slug, seats, options, str(data.draw(st.integers(0, 10**9), "seed")))


def sit_in(slug: str, data: st.DataObject) -> Sitting:
    """Draw a table of the game, somewhere in the middle."""
    return sit_down(slug, data).play_on(data.draw(st.integers(0, 150), "moves"))


def viewers(sitting: Sitting) -> list[Viewer]:
    """Return all who look at a table."""
    return [None, *range(sitting.seats)]


def test_every_package_in_games_is_listed() -> None:
    packages = {found.name for found in iter_modules(games.__path__) if found.ispkg}
    assert set(GAMES) == packages


@every_game
def test_a_game_keeps_the_contract(slug: str) -> None:
    game = GAMES[slug]
    assert game.TITLE
    assert game.SEATS
    assert min(game.SEATS) >= 1
    assert game.VERSION >= 1
    assert all(
        isinstance(option, Option) and option.title and option.help for option in game.OPTIONS
    )
    keys = [option.key for option in game.OPTIONS]
    assert len(keys) == len(set(keys))
    assert "34" in game.score_in_words(34)
    assert "TakeBack" not in {kind.__name__ for kind in get_args(game.Move)}  # It is the site's.
    for name in ("setup", "legal", "play", "view", "open_view", "why_not", "result"):
        wanted = list(inspect.signature(getattr(Game, name)).parameters)[1:]
        assert list(inspect.signature(getattr(game, name)).parameters) == wanted


@every_game
def test_a_game_shows_scenes_that_come(slug: str) -> None:
    game = GAMES[slug]
    assert game.SCENES
    for scene in game.SCENES:
        assert scene.seats in game.SEATS
        assert read(scene.options).keys() <= {option.key for option in game.OPTIONS}
        state, made = play_to(game, scene, "scenes")
        assert made == 0 or scene.has_come(game.view(state, None))


def test_no_two_games_write_things_by_one_name() -> None:
    names = [name for game in GAMES.values() for name in game.FILTERS]
    assert len(names) == len(set(names))
    assert not set(names) & SHARED.keys()


@every_game
def test_a_game_says_what_it_hides(slug: str) -> None:
    worlds = worlds_of(slug)
    for name in ("another_world", "box", "cards", "money", "outward", "reveals"):
        assert callable(getattr(worlds, name))


@every_table
def test_random_play_reaches_a_result(slug: str, seats: int, options: frozenset[str]) -> None:
    moves = 0
    for seed in range(20):
        if moves > 800:  # Of a long game few are enough.
            break
        sitting = Sitting(slug, seats, options, str(seed)).play_on()
        moves += sitting.number
        result = sitting.game.result(sitting.state)
        assert result is not None
        assert sitting.on_turn() == []
        assert len(result.places) == len(result.scores) == seats
        for place, score in zip(result.places, result.scores, strict=True):
            assert place == 1 + sum(other < place for other in result.places)
            more = [other.total for other in result.scores if other.total > score.total]
            assert place > len(more)
            assert sum(line["money"] for line in score.lines) == score.total
        assert worlds_of(slug).money(sitting.state) == [score.total for score in result.scores]
        assert codec.load(Result, codec.dump(result)) == result


@every_game
@some(30)
@given(data=st.data())
def test_somebody_is_on_turn_until_there_is_a_result(slug: str, data: st.DataObject) -> None:
    sitting = sit_down(slug, data)
    while sitting.game.result(sitting.state) is None:
        assert sitting.on_turn()
        sitting.step()
    assert not sitting.on_turn()


@every_game
@some(100)
@given(data=st.data())
def test_everything_survives_json(slug: str, data: st.DataObject) -> None:
    sitting = sit_in(slug, data)
    game, state = sitting.game, sitting.state
    assert codec.load(game.State, sitting.text()) == state
    for seat in range(sitting.seats):
        moves = game.legal(state, seat)
        assert [codec.load(game.Move, codec.dump(move)) for move in moves] == moves
    for event in sitting.events:
        assert codec.load(Event, codec.dump(event)) == event
    for seen in [game.open_view(state), *(game.view(state, v) for v in viewers(sitting))]:
        assert codec.load(type(seen), codec.dump(seen)) == seen
        assert game.PHASES[seen.phase]
        assert (seen.round, seen.phase) == (state.round, state.phase)


@every_game
@some(50)
@given(data=st.data())
def test_a_state_read_from_json_plays_on_alike(slug: str, data: st.DataObject) -> None:
    sitting = sit_in(slug, data)
    copy = sitting.copy()
    for _ in sitting.turns(25):
        copy.state = codec.load(copy.game.State, copy.text())
        copy.step()
        assert copy.events == sitting.events
        assert copy.text() == sitting.text()


@every_game
@some(30)
@given(data=st.data())
def test_what_has_been_told_never_changes(slug: str, data: st.DataObject) -> None:
    sitting = sit_down(slug, data)
    told = [(event, codec.dump(event)) for event in sitting.events]
    for turn in sitting.turns():
        told += [(event, codec.dump(event)) for event in turn.events]
    assert all(codec.dump(event) == text for event, text in told)


@every_game
@some(100)
@given(data=st.data())
def test_looking_changes_nothing(slug: str, data: st.DataObject) -> None:
    sitting = sit_in(slug, data)
    game, state, before = sitting.game, sitting.state, sitting.text()
    for viewer in [None, *range(sitting.seats)]:
        assert codec.dump(game.view(state, viewer)) == codec.dump(game.view(state, viewer))
        if viewer is not None:
            moves = game.legal(state, viewer)
            game.legal(state, viewer).clear()
            assert game.legal(state, viewer) == moves
    assert game.result(state) == game.result(state)
    assert sitting.text() == before


@every_game
@some(50)
@given(data=st.data())
def test_a_view_stays_what_it_was_when_the_game_goes_on(slug: str, data: st.DataObject) -> None:
    sitting = sit_in(slug, data)
    seen = [sitting.game.view(sitting.state, viewer) for viewer in [None, *range(sitting.seats)]]
    before = codec.dump(seen)
    sitting.play_on(25)
    assert codec.dump(seen) == before


@every_game
@some(5)
@given(data=st.data())
def test_the_same_seed_gives_the_same_game(slug: str, data: st.DataObject) -> None:
    sitting = sit_down(slug, data)
    again = sitting.copy()
    assert sitting.play_on().text() == again.play_on().text()


@every_table
def test_another_seed_gives_another_deal(slug: str, seats: int, options: frozenset[str]) -> None:
    deals = {Sitting(slug, seats, options, f"seed {seed}").text() for seed in range(10)}
    assert len(deals) == 10


@every_game
def test_a_seed_gives_the_same_game_for_ever(slug: str) -> None:
    digest = blake2b(digest_size=16)
    for seats in GAMES[slug].SEATS:
        for options in few_sets(slug):
            sitting = Sitting(slug, seats, options, "for ever")
            digest.update(codec.dump(sitting.events).encode())
            for turn in sitting.turns():
                digest.update(codec.dump(turn).encode())
            digest.update(sitting.text().encode())
    assert digest.hexdigest() == known(slug).DIGEST


@every_game
@some(50)
@given(data=st.data())
def test_a_move_that_is_not_open_is_refused(slug: str, data: st.DataObject) -> None:
    """Moves of other seats and of other moments stand for all that a player might try."""
    sitting = sit_down(slug, data)
    game, moves = sitting.game, list[Any]()
    for _ in sitting.turns(data.draw(st.integers(1, 150), "moves")):
        moves += [sitting.choose()[1]] if sitting.on_turn() else []
    assert moves
    before, dealer = sitting.text(), sitting.dealer()
    for seat in [-1, *range(sitting.seats + 1)]:
        is_at_the_table = 0 <= seat < sitting.seats
        open_moves = game.legal(sitting.state, seat) if is_at_the_table else []
        for move in moves:
            if move not in open_moves:
                with pytest.raises(IllegalMove):
                    take_turn(game, sitting.state, seat, move, dealer)
    assert sitting.text() == before
    assert dealer.events == []


@every_game
@some(30)
@given(data=st.data())
def test_a_reason_is_a_sentence_and_never_an_error(slug: str, data: st.DataObject) -> None:
    """Moves of other seats and moments, with values as wild as a form could send them."""
    sitting = sit_down(slug, data)
    game, moves = sitting.game, [None, "nonsense", 3]
    for _ in sitting.turns(data.draw(st.integers(1, 120), "moves")):
        moves += [sitting.choose()[1]] if sitting.on_turn() else []
    wild = [data.draw(st.from_type(type(move))) for move in moves[3:30]]
    for seat in sitting.on_turn():
        view, able = game.view(sitting.state, seat), game.legal(sitting.state, seat)
        for move in (*moves, *wild):
            reason = game.why_not(view, able, move)
            assert not reason or re.fullmatch(r"[A-Z0-9].*[.]", reason), reason


@every_game
@some(40)
@given(data=st.data())
def test_no_card_is_lost_and_the_log_explains_every_dollar(slug: str, data: st.DataObject) -> None:
    play_and_count(sit_down(slug, data))


def play_and_count(sitting: Sitting) -> None:
    assert list(counted_turns(sitting))


@every_game
@pytest.mark.parametrize("loss", ["a card", "a dollar"])
def test_the_count_of_cards_and_money_sees_a_loss(slug: str, loss: str) -> None:
    """Take something from an honest game in its third move, and see it missed."""
    honest = GAMES[slug]
    sitting = Sitting(slug, max(honest.SEATS), frozenset(), "loss")

    def thievish_play(state: Any, seat: int, move: Any, dealer: Dealer) -> None:
        honest.play(state, seat, move, dealer)
        if sitting.number == 2:
            worlds_of(slug).lose(state, loss)

    sitting.game = SimpleNamespace(**{**vars(honest), "play": thievish_play})
    with pytest.raises(AssertionError, match=loss):
        play_and_count(sitting)
    assert sitting.number == 3


@pytest.mark.parametrize("slug", [slug for slug in GAMES if GAMES[slug].ORDERS])
@some(30)
@given(data=st.data())
def test_an_empty_book_of_orders_orders_nothing(slug: str, data: st.DataObject) -> None:
    sitting = sit_down(slug, data)
    game, orders = sitting.game, sitting.game.ORDERS
    assert orders is not None
    assert codec.dump(orders.Book()) == "{}"
    for _ in range(data.draw(st.integers(1, 40), "moves")):
        if not (waiting := sitting.on_turn()):
            break  # A game of one round has fewer moves.
        seat = waiting[0]
        view, moves = game.view(sitting.state, seat), game.legal(sitting.state, seat)
        assert orders.follow(orders.Book(), view, moves) is None
        sitting.step()
