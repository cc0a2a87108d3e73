"""What the steady bot thinks of plays: it sees the table after them, and says what it counts."""

from copy import deepcopy

from stockpile_web.engine import Advice, Dealer, Step
from stockpile_web.engine.steps import choose_turn
from stockpile_web.games import illimat
from stockpile_web.games.illimat.bots.explaining import explain
from stockpile_web.games.illimat.bots.plays import after, laid
from stockpile_web.games.illimat.bots.steady import Weighing, next_step
from stockpile_web.games.illimat.moves import Finish, Harvest, Move, Sow
from stockpile_web.games.illimat.state import State
from stockpile_web.words.events import bare_environment, coach_in_words
from tests.games.illimat.table import ILLIMAT, table
from tests.support.random_play import Sitting


def advice(state: State) -> list[Advice]:
    return explain(illimat.view(state, 0), illimat.legal(state, 0))


def kinds(found: Advice) -> set[str]:
    return {why["kind"] for why in found.why}


def whole_turn(state: State, seat: int, move: Move) -> Move:
    """Take the steps of a turn as it would be gone on with; return what completes it."""

    def choose(state: State, moves: list[Move]) -> Move:
        view = illimat.view(state, seat)
        assert view.own is not None
        choice = view.own.choice
        return move if choice is None else next_step(Weighing(view), choice, moves)

    last: Move = choose_turn(ILLIMAT, state, seat, illimat.legal(state, seat), choose)[-1]
    return last


def test_a_play_is_foreseen_as_the_rules_carry_it_out() -> None:
    """Wherever nothing is filled again: what is drawn nobody foresees."""
    sitting, compared = Sitting("illimat", 3, {}, "foreseen"), set[str]()
    for number, _ in enumerate(sitting.turns(160)):
        for seat in sitting.on_turn() if number % 3 == 0 else []:
            view = illimat.view(sitting.state, seat)
            assert view.own is not None and view.own.choice is None
            for move in illimat.legal(sitting.state, seat)[::5]:
                state = deepcopy(sitting.state)
                last = whole_turn(state, seat, move)
                named = last.season if isinstance(last, Finish) else ""
                illimat.play(state, seat, last, Dealer("test"))
                foreseen, then = after(view, move, named), laid(illimat.view(state, seat))
                is_filled_again = not all(foreseen.fields) or state.okuses != view.okuses
                if state.round != view.round or is_filled_again:
                    continue
                assert foreseen.fields == then.fields, move
                assert foreseen.summer == then.summer, move
                assert {*foreseen.hand} <= {*then.hand}, move
                compared.add(type(move).__name__)
    assert {"Sow", "Harvest", "Stockpile"} <= compared


def test_a_turn_that_is_begun_promises_what_its_end_does() -> None:
    """Also where a face card of the Stars names a season at the end."""
    state = table({0: "StK Su3 Su4", 1: "Sp2"}, {0: "WiK Sp9", 1: "Su9 Su8", 2: "Wi2", 3: "Sp5"})
    begun = next(each for each in advice(state) if each.move == Harvest(("StK",), 0, 13))
    step = begun
    while isinstance(step.move, Step):
        illimat.play(state, 0, step.move, Dealer("test"))
        step = advice(state)[0]
    assert isinstance(step.move, Finish) and step.move.season
    assert step.worth == begun.worth


def test_what_is_left_to_the_next_player_decides_where_a_card_is_sown() -> None:
    """In Winter nobody harvests."""
    state = table({0: "Su9 Sp2", 1: "Au2 Au9 WiK"}, {0: "Sp7", 1: "Sp5", 2: "Sp8", 3: "SpK"})
    sown = [each for each in advice(state) if isinstance(each.move, Sow)]
    nines = {each.move.field: each for each in sown if each.move.card == "Su9"}
    assert nines[2].worth is not None and nines[0].worth is not None
    assert nines[2].worth > nines[0].worth
    assert "leaves" in kinds(nines[0]) and "gives_away" in kinds(nines[0])


def test_a_stockpile_is_worth_keeping_its_card_for_and_the_coach_says_so() -> None:
    fields = {0: "10:Su7+Wi3 Sp5", 1: "Sp9 Au2", 2: "Sp8", 3: "SpK"}
    state = table({0: "Au10 Wi6 SuK"}, fields, turn=0, summer=1)
    found = {each.move: each for each in advice(state)}
    kept, given = found[Sow("Wi6", 1)], found[Sow("Au10", 1)]
    assert kept.worth is not None and given.worth is not None and kept.worth > given.worth
    assert "lets_go" in kinds(given) and "lets_go" not in kinds(kept)
    assert "spends_face" in kinds(found[Sow("SuK", 1)])
    words = bare_environment()
    told = [coach_in_words(words, "illimat", why, ["Ann", "Bob"]) for why in given.why]
    assert all(told) and any("no card for a stockpile" in each for each in told)
