"""Forecast dice: what they show is dealt."""

from collections import Counter
from itertools import product

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data_epic import DICE
from stockpile_web.games.stockpile.moves import Collect
from tests.games.stockpile.table import begin, cash, play, table, told
from tests.support.random_play import Sitting

DICE_ALONE = {"forecast_dice": 1}


def test_six_dice_can_be_matched_by_twenty_two_cards_two_of_each_of_eleven_values() -> None:
    assert len(DICE) == 6
    values = {face for die in DICE for face in die}
    assert len(values) == 11
    for value in values:
        assert sum(value in die for die in DICE) == 2


def test_the_forecasts_dealt_are_those_that_the_dice_show() -> None:
    for seed in range(20):
        dealer = Dealer(f"dice {seed}")
        state = stockpile.setup(4, DICE_ALONE, dealer)
        (rolled,) = told(dealer.events, "dice_rolled")
        assert Counter(pair.forecast for pair in state.pairs) == Counter(rolled["forecasts"])
        assert rolled["seat"] == state.first
        assert all(face in die for face, die in zip(rolled["forecasts"], DICE, strict=True))


def test_the_dice_are_rolled_anew_each_round() -> None:
    rolls = []
    sitting = Sitting("stockpile", 3, DICE_ALONE, "rolls")
    for turn in sitting.turns():
        rolls += [tuple(facts["forecasts"]) for facts in told(turn.events, "dice_rolled")]
    assert len(rolls) == 6
    assert len(set(rolls)) > 1


def test_all_see_what_the_dice_show() -> None:
    state = stockpile.setup(3, DICE_ALONE, Dealer("dice"))
    assert stockpile.view(state, None).forecasts == state.forecasts
    assert sorted(state.forecasts) == sorted(pair.forecast for pair in state.pairs)


def test_every_face_can_come_up() -> None:
    seen: set[tuple[int, str]] = set()
    for seed in range(120):
        dealer = Dealer(f"faces {seed}")
        stockpile.setup(3, DICE_ALONE, dealer)
        (rolled,) = told(dealer.events, "dice_rolled")
        seen |= set(enumerate(rolled["forecasts"]))
    assert seen == {(n, face) for n, die in enumerate(DICE) for face in die}


def test_one_dollar_pays_one_thousand_a_share_and_three_pay_three() -> None:
    for (forecast, each), shares in product({"$": 1, "$$": 2, "$$$": 3}.items(), (1, 2)):
        state = table(pairs={"EE": forecast, "AA": "+1"}, shares={0: "EE " * shares})
        begin(state, "movement")
        play(state, 0, Collect(shares, 0))
        assert cash(state)[0] == 20 + each * shares
        assert state.price("EE") == 5


def test_a_fall_by_four_and_a_rise_by_three_move_as_many_spaces() -> None:
    state = table(pairs={"EE": "-4", "AA": "+3", "BB": "-1"})
    begin(state, "movement")
    assert [state.price(company) for company in ("EE", "AA", "BB")] == [1, 8, 4]
