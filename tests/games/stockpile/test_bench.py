"""What is measured of Stockpile can be trusted."""

import pytest

from bench.games.stockpile import _sensible, balance, pace


def test_balance_tells_of_everyone_who_had_an_investor_or_a_strategy() -> None:
    seated = balance.play((4, 0))
    assert sum(one.share for one in seated) == pytest.approx(1)
    assert sum(one.lead for one in seated) == pytest.approx(0)
    assert all(len(one.investors) == 1 and len(one.strategies) >= 7 for one in seated)
    lines = balance.lines((key, one) for one in seated for key in one.investors)
    assert [line.lead for line in lines] == sorted((one.lead for one in seated), reverse=True)


def test_with_orders_a_match_waits_for_fewer_people_and_never_for_more() -> None:
    (bot, *_) = pace.GAME.BOTS
    without, within = pace.measure(3, bot, None), pace.measure(3, bot, _sensible.orders)
    assert 0 < without.ordered < within.ordered  # Dividends are collected in any case.
    assert without.waits["dividend"] == 0
    assert within.waits.total() < without.waits.total() <= without.visits <= without.moves
    assert within.waits.total() <= within.visits
