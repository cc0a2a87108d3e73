"""What happened, in words: each kind of event, and to each viewer what that viewer may know."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.engine import Event, Viewer
from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import CARDS, RANK_NAMES, SUITS
from stockpile_web.games.illimat.luminaries.texts import TEXTS
from stockpile_web.games.illimat.moves import HarvestAll, Sow, SowMore, Swap, TurnIllimat
from stockpile_web.games.illimat.state import State
from stockpile_web.words.events import bare_environment, log_as_text
from tests.games.illimat.table import play, stack, table, take
from tests.support.random_play import Sitting

NAMES = ["Ann", "Bob", "Carol", "Dave"]


def words(events: list[Event], viewer: Viewer = None) -> list[str]:
    """Return the log of these events as a viewer reads it."""
    seen = [facts for event in events if (facts := event.seen_by(viewer)) is not None]
    return log_as_text("illimat", seen, NAMES).splitlines()


def test_printed_things_are_called_in_the_log_as_in_the_rules() -> None:
    names: Any = bare_environment().get_template("games/illimat/_names.html").module
    assert names.SUIT == SUITS
    assert names.RANK == RANK_NAMES
    assert {key: text.title for key, text in TEXTS.items()} == names.LUMINARY
    assert [str(names.card(key)) for key in CARDS] == [face.name for face in CARDS.values()]


def test_a_harvest_tells_what_was_taken_with_what_and_where() -> None:
    state = table({0: "Sp10 Wi2"}, {0: "Su7 Wi3 Au10 10:Au4+Au6 Sp2"})
    assert words(play(state, *take("Sp10", 0, "Su7 Wi3 Au10")), 1)[0] == (
        "Ann harvests the 7 of Summer, the 3 of Winter and the 10 of Autumn with the 10 of Spring "
        "in the Summer field."
    )


def test_a_harvest_of_a_stockpile_and_with_a_fool_tells_what_they_are() -> None:
    state = table({0: "SuF Wi2"}, {3: "10:Au4+Au6 Sp4"}, okuses=1, up={3: "children"})
    state.fields[3].under = ["Wi5", "Wi6", "Wi7"]
    events = play(state, HarvestAll(("SuF",), 3, 14))
    assert words(events)[0] == (
        "Ann harvests the stockpile 4 of Autumn + 6 of Autumn and the 4 of Spring with the Fool of "
        "Summer as 14 in the Autumn field and clears it."
    )
    told = words(events)
    assert "Ann turns the Illimat: the Autumn field is in Summer now." in told
    assert "Ann takes an okus." in told
    assert "Ann claims the Children of the Summer field." in told


def test_what_was_drawn_or_lay_hidden_is_told_to_its_owner_alone() -> None:
    state = table({0: "Su2"}, {0: "Au2"}, up={0: "children"}, pile="Sp5 Sp6 Sp7 Sp8")
    state.fields[0].under = ["Wi5", "Wi6", "Wi7"]
    events = play(state, HarvestAll(("Su2",), 0, 2))
    drawn = "the 8 of Spring, the 7 of Spring, the 6 of Spring and the 5 of Spring"
    hidden = "the 5 of Winter, the 6 of Winter and the 7 of Winter"
    assert f"Ann draws {drawn}." in words(events, 0)
    assert f"Ann takes what was hidden there: {hidden}." in words(events, 0)
    for viewer in (1, None):
        assert "Ann draws 4 cards." in words(events, viewer)
        assert "Ann takes the 3 cards that were hidden there." in words(events, viewer)


def test_a_stockpile_tells_its_value_and_that_a_card_is_kept_for_it() -> None:
    state = table({0: "Sp4 SuK Au9"}, {0: "Su9 Wi2 Wi3"})
    assert words(play(state, *stack("Sp4", 0, 9, "Wi2 Wi3 Su9")))[0] == (
        "Ann stockpiles the 4 of Spring with the 9 of Summer, the 2 of Winter and the 3 of Winter "
        "in the Summer field to 9, 2 times over; a card worth 9 stays in hand."
    )


def test_a_card_that_is_sown_and_the_season_it_brings_are_told() -> None:
    state = table({0: "WiQ Su2 Su3"}, {2: "Au4"}, up={2: "rake"})
    assert words(play(state, Sow("WiQ", 1))) == [
        "Ann sows the Queen of Winter in the Spring field.",
        "Ann turns the Illimat: the Spring field is in Winter now.",
    ]
    assert words(play(state, SowMore("Su2", 2)))[0] == (
        "Ann sows the 2 of Summer in the Autumn field, as the Luminary there asks."
    )


def test_an_exchange_tells_both_cards() -> None:
    state = table({0: "Wi7 Su2"}, {0: "Su8"}, up={0: "changeling"})
    assert words(play(state, Swap("Wi7", "Su8", 0))) == [
        "Ann exchanges the 7 of Winter for the 8 of Summer in the Summer field."
    ]


def test_a_luminary_that_is_turned_up_and_what_it_does_are_told() -> None:
    state = table(
        {0: "Su2"}, {1: "Au2"}, down={1: "forest_queen"}, pile="Sp5 Sp6 Sp7 Sp8 Wi4 Wi5 Wi6"
    )
    assert words(play(state, HarvestAll(("Su2",), 1, 2)))[2:] == [
        "From the pile the Spring field gets the 7 of Spring, the 6 of Spring and the 5 of Spring.",
        "The Forest Queen is turned up at the Spring field.",
        "The Illimat turns: the Spring field is in Summer now.",
    ]


def test_luminaries_that_nobody_will_see_are_told_by_their_fields() -> None:
    state = table({0: "Su2"}, {1: "Au2"}, down={1: "union", 3: "maiden"}, pile="Sp5 Sp6")
    assert words(play(state, HarvestAll(("Su2",), 1, 2)))[-1] == (
        "The pile is too small to fill a field: the face-down Luminaries of the Spring field and "
        "the Autumn field are discarded unseen."
    )


def test_whoever_gives_a_summer_card_and_whoever_has_none_are_told() -> None:
    state = table({0: "Su2"}, {0: "Au2"}, seats=3, up={0: "rake"}, harvests={1: "Su7 Wi4"})
    told = words(play(state, HarvestAll(("Su2",), 0, 2)))
    assert told[-2:] == ["Bob gives Ann the 7 of Summer.", "Carol has no Summer card to give."]


def test_a_turn_of_the_illimat_by_choice_is_told() -> None:
    state = table({0: "Su2"}, {2: "Au2"}, summer=2, up={2: "forest_queen"})
    play(state, HarvestAll(("Su2",), 2, 2))
    assert words(play(state, TurnIllimat("Wi")))[0] == (
        "Ann turns the Illimat: the Summer field is in Winter now."
    )


def test_a_scored_round_tells_the_pile_and_each_reason() -> None:
    harvests = {0: "WiF Wi3 WiK Su2", 1: "Sp3"}
    state = table({0: "Su4", 1: ""}, {}, harvests=harvests, pile="", single=True)
    told = words(play(state, Sow("Su4", 0)))
    assert told[-2:] == [
        "Ann shows 4 harvested cards (Summer 2; Winter Fool, 3, King) and scores 5 points: "
        "4 for the Bumper Crop, 2 for being Sunkissed, 1 for Fools, −2 for being Frostbit.",
        "Bob shows 1 harvested card (Spring 3) and scores 0 points.",
    ]


def test_a_mail_says_what_is_asked() -> None:
    plain = table({0: "Su2 Su3"}, {2: "Au2 Au3"})
    assert asked(plain) == "Sow, harvest or stockpile with one of your cards."
    raked = table({0: "Su2 Su3"}, {2: "Au2 Au3"}, up={2: "rake", 3: "union"})
    assert asked(raked).endswith("one of your cards; the Rake and the Union are face up.")
    play(raked, Sow("Su2", 0))
    assert asked(raked) == "You have made your play: complete your turn."
    last = table({0: "Su2"}, {2: "Au2 Au3"}, up={2: "maiden"})
    assert asked(last) == "Sow or harvest with your last card; the Maiden is face up."
    for key, words_of_it in (
        ("changeling", "exchange up to two of your cards, or none."),
        ("forest_queen", "choose the season of her field."),
    ):
        state = table({0: "Su2 Su3"}, {0: "Au2", 1: "Sp4"}, up={0: key})
        play(state, HarvestAll(("Su2",), 0, 2))
        assert asked(state).endswith(words_of_it)


def asked(state: State) -> str:
    """Return what the mail to whoever is on turn asks of them."""
    seen = SimpleNamespace(view=illimat.view(state, state.turn.seat))
    words = bare_environment().get_template("games/illimat/ask.txt").render(table=seen)
    return " ".join(words.split())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everything_that_happens_has_words_for_every_viewer(seats: int) -> None:
    sitting = Sitting("illimat", seats, frozenset(), "words")
    events = [*sitting.events]
    for turn in sitting.turns():
        events += turn.events
    for viewer in [None, *range(seats)]:
        for line in words(events, viewer):
            assert re.fullmatch(r"(\([A-Z]\w+\) )?[A-Z].*[.]", line)
    kinds = {event.kind for event in events}
    assert {"round_began", "harvested", "stockpiled", "luminary_revealed", "round_scored"} <= kinds
    result = sitting.game.result(sitting.state)
    assert result is not None
    for score in result.scores:
        told = log_as_text("illimat", score.lines, NAMES).splitlines()
        assert len(told) == len(score.lines)
        assert all("in round" in line and line.endswith(("point.", "points.")) for line in told)
