"""Secrets of every game: what a viewer cannot know does not show, and the check of it is awake."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockpile_web.engine import Dealer, Event, codec
from stockpile_web.games import GAMES
from tests.games.test_games import every_game, sit_in, some
from tests.support.random_play import Sitting
from tests.support.two_worlds import look_at_many_worlds
from tests.support.worlds import worlds_of


@every_game
@some(30)
@given(data=st.data())
def test_what_a_viewer_cannot_know_does_not_show(slug: str, data: st.DataObject) -> None:
    look_at_it_from_everywhere(sit_in(slug, data))


@pytest.mark.long
@every_game
@some(1000)
@given(data=st.data())
def test_nor_does_it_at_many_more_tables(slug: str, data: st.DataObject) -> None:
    look_at_it_from_everywhere(sit_in(slug, data))


def look_at_it_from_everywhere(sitting: Sitting) -> None:
    """Check it for a spectator and for every seat."""
    for viewer in [None, *range(sitting.seats)]:
        look_at_many_worlds(sitting, viewer, worlds=2)


@every_game
@some(20)
@given(data=st.data())
def test_another_world_is_made_of_the_same_cards(slug: str, data: st.DataObject) -> None:
    sitting, worlds = sit_in(slug, data), worlds_of(slug)
    before = sitting.text()
    for viewer in [None, *range(sitting.seats)]:
        other = worlds.another_world(sitting.state, viewer, Random(sitting.seed))
        assert worlds.cards(other) == worlds.box(sitting.state)
    assert sitting.text() == before


@every_game
def test_another_world_is_another(slug: str) -> None:
    worlds = worlds_of(slug)
    sitting = Sitting(slug, max(GAMES[slug].SEATS), frozenset(), "another").play_on(5)
    for viewer in [None, *range(sitting.seats)]:
        other = worlds.another_world(sitting.state, viewer, Random(1))
        assert codec.dump(other) != sitting.text()


@every_game
def test_the_check_of_secrets_sees_a_leak(slug: str) -> None:
    """Plant one leak after the other in an honest game, and see each of them caught."""
    honest = GAMES[slug]

    def telltale_play(state: Any, seat: int, move: Any, dealer: Dealer) -> None:
        honest.play(state, seat, move, dealer)
        if dealer.events:  # It was no step: what those tell, the gate itself hears.
            dealer.events[:0] = [Event("leak", {"state": codec.dump(state)})]

    leaks = {
        "view": lambda state, viewer: [honest.view(state, viewer), state],
        "legal": lambda state, seat: [*honest.legal(state, seat), codec.dump(state)],
        "play": telltale_play,
    }
    for name, leak in leaks.items():
        sitting = Sitting(slug, max(honest.SEATS), frozenset(), "leak")
        sitting.game = SimpleNamespace(**{**vars(honest), name: leak})
        with pytest.raises(AssertionError):
            look_at_many_worlds(sitting, viewer=0, worlds=100)
