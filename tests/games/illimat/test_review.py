"""How a harvest is judged afterwards: as it was put together, and not as it might have been."""

from copy import deepcopy

from stockpile_web.engine import codec
from stockpile_web.games import illimat
from stockpile_web.games.illimat.moves import Move
from stockpile_web.match.judging import Decision, Judge, Made
from stockpile_web.match.rows import Past
from stockpile_web.words.events import bare_environment, coach_in_words
from tests.games.illimat.table import ILLIMAT, play, stack, table, take


def judged(turn: list[Move]) -> Decision:
    """Let a turn be judged that is made with the Seven of Summer."""
    before = table({0: "Su7 Wi10 Sp10"}, {0: "Wi7 Sp3 Sp4 Au9"})
    after = deepcopy(before)
    play(after, *turn)
    explain = illimat.BOTS["steady"].explain
    assert explain is not None
    past = [Past(codec.dump(state), illimat.VERSION) for state in (before, after)]
    found = Judge(ILLIMAT, explain, 0).decision(Made(1, codec.dump(turn)), *past)
    assert found is not None
    return found


def test_a_harvest_that_leaves_something_lying_gives_it_away() -> None:
    words = bare_environment()
    whole, part = judged(take("Su7", 0, "Wi7 Sp3 Sp4")), judged(take("Su7", 0, "Wi7"))
    assert whole.cost == 0
    assert part.cost is not None and part.cost > 0
    assert part.best.worth == whole.chosen.worth == whole.best.worth
    told = coach_in_words(words, "illimat", part.chosen.what, ["Ann", "Bob"]).striptags()
    better = coach_in_words(words, "illimat", part.best.what, ["Ann", "Bob"]).striptags()
    assert told.startswith("Harvest in ")
    assert better.startswith(told)


def test_a_stockpile_is_told_with_what_it_holds() -> None:
    made = judged(stack("Su7", 0, 10, "Sp3"))
    told = coach_in_words(bare_environment(), "illimat", made.chosen.what, ["Ann", "Bob"])
    assert told.startswith("Stockpile in ")
    assert told.endswith(" as 10")
