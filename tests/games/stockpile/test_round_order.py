"""The order of a round as the rulebook's summary gives it, with all modules and investors."""

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.phases import AFTER, PHASES
from stockpile_web.games.stockpile.phases.phase import Window
from tests.support.random_play import Sitting

EVERYTHING = frozenset(option.key for option in stockpile.OPTIONS)

# What is told in each step of a round; what may happen in several is not here.
STEPS = [
    {"round_began"},
    {"bonds_bought"},
    {"dice_rolled"},
    {"card_taken"},
    {"pair_dealt", "pair_opened"},
    {"piles_opened", "piles_laid"},
    {"placed", "placed_hidden", "goods_drawn"},
    {"goods_placed"},
    {"first_card_placed"},
    {"pile_seen", "card_moved"},
    {"paid_to_begin"},
    {"bid_placed", "paid_to_bid", "paid_for_being_outbid"},
    {"pile_won", "fee_gained"},
    {"first_card_given"},
    {"action_used", "nudged", "strategy_played", "action_wasted"},
    {"discard_bought"},
    {"pair_revealed"},
    {"interest_paid"},
    {
        "companies_shown",
        "dividend_chosen",
        "paid_for_commodities",
        "money_given",
        "money_received",
    },
    {"majority"},
    {"final_sale"},
    {"bonds_redeemed", "commodity_set", "taxes"},
    {"game_ended"},
]
STEP_OF = {kind: number for number, kinds in enumerate(STEPS) for kind in kinds}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_happens_in_a_round_happens_in_the_order_of_the_summary(seats: int) -> None:
    seen = set()
    for seed in range(12):
        sitting = Sitting("stockpile", seats, EVERYTHING - {"investor_bidding"}, f"order {seed}")
        last = 0
        for turn in sitting.turns():
            for event in turn.events:
                step = STEP_OF.get(event.kind)
                if step is None:
                    continue
                assert step >= last or event.kind == "round_began", (event.kind, STEPS[last])
                last = step
                seen.add(event.kind)
    assert len(seen) > 25


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_abilities_of_one_moment_are_used_in_turn_order(seats: int) -> None:
    moments = set()
    for seed in range(12):
        sitting = Sitting("stockpile", seats, EVERYTHING, f"windows {seed}")
        last = ("", 0, 0)
        while stockpile.result(sitting.state) is None:
            state = sitting.state
            phase, round, order = state.phase, state.round, state.order()
            is_paying = state.dividend is not None
            turn = sitting.step()
            if is_paying or state.at_once or not isinstance(PHASES[phase], Window):
                continue
            if (phase, round) == last[:2]:
                assert order.index(turn.seat) >= last[2]
            if round:
                last = (phase, round, order.index(turn.seat))
                moments.add(phase)
    assert {"round_beginning", "after_supply", "before_demand", "end_of_round"} <= moments


def test_the_phases_follow_the_summary() -> None:
    assert list(PHASES) == [
        "keeping", "auction", "discarding",
        "round_beginning", "outlook",
        "before_information", "information",
        "opening", "supply", "after_supply", "end_of_supply",
        "before_demand", "demand", "piles_won", "after_demand",
        "action",
        "selling", "after_selling",
        "before_movement", "movement",
        "interest", "end_of_round", "round_end",
    ]  # fmt: skip
    assert AFTER["round_end"] == "round_beginning"
    assert AFTER["setup"] == "keeping"


def test_nobody_is_asked_anything_in_a_moment_of_modules_in_the_base_game() -> None:
    decided = {"supply", "demand", "action", "selling", "movement"}
    sitting = Sitting("stockpile", 4, frozenset(), "base")
    phases = {sitting.state.phase for _ in sitting.turns()}
    assert phases == decided | {"game_end"}
