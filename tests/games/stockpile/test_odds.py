"""Stockpile's odds are what one counts in all the worlds that a seat cannot tell apart."""

from collections import Counter
from random import Random

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import FORECASTS
from stockpile_web.games.stockpile.odds import Movement, Odds, odds
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.worlds import another_world
from tests.support.random_play import Sitting

WORLDS = 1500


def told(state: State, seat: int) -> Odds:
    found = odds(stockpile.view(state, seat))
    assert found is not None
    return found


def test_what_i_know_is_certain_and_the_rest_is_shared_by_the_others() -> None:
    state = Sitting("stockpile", 4, (), "odds").state
    view = stockpile.view(state, 0)
    known = [pair for pair in view.pairs if pair.company]
    assert known and len(known) < len(view.pairs)
    companies = {each.company: each for each in told(state, 0).companies}
    for pair in known:
        assert pair.company is not None
        assert [way.chance for way in companies[pair.company].movements] == [1.0]
    hidden = [each for each in companies.values() if len(each.movements) > 1]
    assert len(hidden) == len(FORECASTS) - len(known)
    for each in hidden:
        assert sum(way.chance for way in each.movements) == pytest.approx(1)
        ways = [way.chance * way.steps for way in each.movements]
        assert each.average == pytest.approx(sum(ways))
    assert isinstance(hidden[0].movements[0], Movement)


def test_the_odds_are_those_of_all_worlds_that_look_the_same() -> None:
    sitting = Sitting("stockpile", 4, (), "odds")
    for _ in sitting.turns(200):
        state = sitting.state
        backs = sum(card.card is None for p in stockpile.view(state, 0).piles for card in p.cards)
        if state.round >= 3 and backs > 2 and any(p.hand for p in state.players):
            break
    state = sitting.state
    # At the ends of the board: a company that may split, one that may go bankrupt.
    hidden = [pair for pair in state.pairs if not pair.up and 0 not in pair.known]
    high, low = hidden[0], hidden[1]
    state.tickers[high.company], state.tickers[low.company] = 8, 1
    hidden[2].falsified = True
    found, random = told(state, 0), Random(1)
    moved: Counter[tuple[str, str]] = Counter()
    cards: Counter[str] = Counter()
    falls = splits = 0
    for _ in range(WORLDS):
        world = another_world(state, 0, random)
        for pair in world.pairs:
            moved[pair.company, _words(pair.forecast, pair.falsified)] += 1
            steps = _steps(pair.forecast, pair.falsified)
            falls += pair.company == low.company and 1 + steps < 0
            splits += pair.company == high.company and 8 + steps > 9
        for pile in world.piles:
            for laid in pile:
                cards[laid.card] += not laid.up and 0 not in laid.known
    near = pytest.approx
    for each in found.companies:
        for way in each.movements:
            words = f"${way.dividend}" if way.dividend else f"{way.steps}"
            assert moved[each.company, words] / WORLDS == near(way.chance, abs=0.05)
    by_company = {each.company: each for each in found.companies}
    assert falls / WORLDS == near(by_company[low.company].bankrupt, abs=0.05)
    assert splits / WORLDS == near(by_company[high.company].splits, abs=0.05)
    assert by_company[low.company].bankrupt and by_company[high.company].splits
    assert sum(each.chance for each in found.cards) == near(1)
    for card in found.cards:
        assert cards[card.card] / cards.total() == near(card.chance, abs=0.02)


def _steps(forecast: str, falsified: bool) -> int:
    steps = 0 if forecast.startswith("$") else int(forecast)
    return steps + (0 if not falsified else 3 if steps < 0 else -3)


def _words(forecast: str, falsified: bool) -> str:
    return f"${len(forecast)}" if forecast.startswith("$") else f"{_steps(forecast, falsified)}"
