"""Why a move is not open, in the player's words."""

import pytest

from stockpile_web.engine import NOT_OPEN, Dealer, IllegalMove, take_turn
from stockpile_web.games.illimat.moves import (
    Add,
    Done,
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    SowMore,
    Stockpile,
    Swap,
)
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import ILLIMAT, play, table

HAND = "Su10 Su4 Wi7"
FIELDS = {
    0: "Au7 Sp5 Wi9 10x2:Sp10+Wi6+Wi4 9:Au4+Au5",
    1: "Sp6",
    2: "Su7",
}


def refusal(state: State, move: Move) -> str:
    """Return the words in which a move of whoever is on turn is refused."""
    with pytest.raises(IllegalMove) as refused:
        take_turn(ILLIMAT, state, state.turn.seat, move, Dealer("test"))
    return str(refused.value)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Harvest(("Wi7",), 2, 7), "Winter: nothing is harvested in this field."),
        (Sow("Wi7", 3), "Autumn: nothing is sown in this field."),
        (Stockpile("Su4", 1, 10, 4), "Spring: nothing is stockpiled in this field."),
        (Stockpile("Su4", 0, 11, 4), "You hold no other card worth 11."),
        (Stockpile("Su4", 0, 15, 4), "A stockpile is worth 14 at most."),
        (Stockpile("Su10", 0, 7, 10), "10 and what lies in this field do not make 7."),
        (Harvest(("Su4",), 0, 4), "Nothing in this field makes 4."),
        (Harvest(("Su4",), 0, 5), "What you play is not worth 5."),
        (Harvest(("SuK",), 0, 13), "You do not hold the King of Summer."),
        (Harvest(("Su10", "Su4"), 0, 14), "In this field one card harvests by itself."),
        (HarvestAll(("Wi7",), 0, 7), "Not everything in this field falls into groups of 7."),
        (SowMore("Su4", 0), "No further card is to be sown now."),
        (Swap("Su4", "Wi6", 0), "Cards in a stockpile are not exchanged."),
        (Sow("Su4", 9), ""),
        (Sow("no card", 0), ""),
        (Finish(), ""),
        (Done(), ""),
    ],
)  # fmt: skip
def test_a_play_that_is_not_open_is_explained(move: Move, reason: str) -> None:
    assert refusal(table({0: HAND}, FIELDS), move) == (reason or NOT_OPEN)


@pytest.mark.parametrize(
    ("begun", "move", "reason"),
    [
        ((), Finish(), "Choose at least one group that makes 10."),
        ((), Add("Au7", 7), "7 leaves 3, which nothing else in this field makes."),
        ((), Add("Wi2", 2), "That is not in this field any more."),
        ((Add("Sp5", 5),), Add("Wi9", 9), "5 + 9 is already more than 10."),
        ((Add("Sp5", 5),), Finish(), "5 is not 10 yet."),
        ((Add("Sp5", 5),), Add("Sp10", 10), "First fill the group: 5 is not 10 yet."),
        ((Add("Sp10", 10),), Add("Sp10", 10), "That is not in this field any more."),
        ((Add("Sp5", 5),), Sow("Su4", 0), "Finish what you have begun."),
    ],
)
def test_a_step_that_is_not_open_is_explained(
    begun: tuple[Move, ...], move: Move, reason: str
) -> None:
    state = table({0: HAND}, {0: "Au7 Sp5 Su5 Wi9 10x2:Sp10+Wi6+Wi4"})
    play(state, Harvest(("Su10",), 0, 10), *begun)
    assert refusal(state, move) == reason


def test_a_multiple_stockpile_of_another_value_says_whose_it_is() -> None:
    state = table({0: HAND}, {0: "Au7 10x2:Sp10+Wi6+Wi4"})
    play(state, Harvest(("Wi7",), 0, 7))
    assert refusal(state, Add("Sp10", 10)) == ("This stockpile is only for cards worth 10.")


def test_a_second_play_and_a_second_exchange_are_explained() -> None:
    state = table({0: HAND}, {0: "Au7 Sp5"}, up={0: "changeling"})
    play(state, Swap("Su4", "Au7", 0))
    assert refusal(state, Swap("Wi7", "Sp5", 0)) == "You have exchanged what you may."
    state = table({0: HAND}, {0: "Au7 Sp5"}, up={0: "changeling"})
    play(state, Sow("Su4", 0))
    assert refusal(state, Sow("Wi7", 0)) == "You have made the play of this turn."


def test_of_two_exchanges_the_second_is_made_with_other_cards() -> None:
    state = table({0: HAND}, {0: "Au7", 1: "Sp6 Sp8"}, up={0: "changeling"})
    play(state, HarvestAll(("Wi7",), 0, 7))
    play(state, Swap("Su4", "Sp6", 1))
    words = "A card that you have given or taken stays where it is."
    assert refusal(state, Swap("Sp6", "Sp8", 1)) == words
    assert refusal(state, Swap("Su10", "Su4", 1)) == words


def test_a_face_card_of_the_stars_wants_a_season_and_no_other_card_does() -> None:
    state = table({0: "StK Su4 Wi7"}, {0: "Au7"})
    assert refusal(state, Sow("StK", 0)) == "Name a season for this field."
    assert refusal(state, Sow("StK", 0, "St")) == "Name a season for this field."
    assert refusal(state, Sow("Su4", 0, "Wi")) == "No season is named with this card."
