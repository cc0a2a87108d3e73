"""The story of a match tells what was recorded: prices, money, auctions, tips, and the market."""

from itertools import pairwise

import pytest

from stockpile_web.engine.story import Story
from stockpile_web.games.stockpile.data import COMPANIES
from tests.support.telling import Record, column, table


@pytest.fixture(scope="module")
def record() -> Record:
    """A whole game of four."""
    return Record("stockpile", 4)


@pytest.fixture(scope="module")
def story(record: Record) -> Story:
    """Its story, now that it is over."""
    return record.story()


def test_prices_and_money_are_those_of_the_states_at_the_ends_of_rounds(record, story):
    ends = [
        move.state
        for move in record.moves
        if any(event.kind in ("round_began", "game_ended") for event in move.events)
    ]
    prices, worth, cash = story.charts
    assert len(prices.steps) == len(ends) == 7
    for line, company in zip(prices.lines, COMPANIES, strict=True):
        assert line.values == [state.price(company) for state in ends]
    for seat, line in enumerate(cash.lines):
        assert line.values == [state.players[seat].cash for state in ends]
    for seat, line in enumerate(worth.lines):
        for state, value in zip(ends[:-1], line.values[:-1], strict=True):
            player = state.players[seat]
            shares = {c: player.shares[c] + 2 * player.split[c] for c in COMPANIES}
            in_shares = sum(shares[c] * state.price(c) for c in COMPANIES)
            owed = sum(int(fee[3:]) for fee in player.fees)
            assert value == player.cash + in_shares - owed
        assert line.values[-1] == record.result.scores[seat].total
    marked = [(flag.step, flag.sign) for flag in prices.flags]
    assert len(marked) == len(record.events("split", "bankrupt")) > 0


def test_every_auction_is_told_with_its_bids_and_once_it_is_over_with_the_cards_face_down(
    record, story
):
    auctions, won = table(story, "Every auction"), record.events("pile_won")
    assert column(auctions, "Price") == [-event["money"] for event in won]
    assert column(auctions, "Taken by") == [
        {"kind": "player", "seat": event["seat"]} for event in won
    ]
    piles = column(auctions, "What was in it")
    assert [pile["hidden"] for pile in piles] == [event["hidden"] for event in won]
    assert any(pile["hidden"] for pile in piles)
    bids = [bid for told in column(auctions, "Bids") for bid in told["bids"]]
    assert sorted(bids) == sorted(
        (event["seat"], event["amount"]) for event in record.events("bid_placed")
    )
    for told, event in zip(column(auctions, "Bids"), won, strict=True):
        assert told["bids"][-1] == (event["seat"], -event["money"])


def test_while_a_match_runs_others_portfolios_and_cards_face_down_are_not_told(record):
    for viewer in (None, 0):
        running = record.story(viewer)
        charts = {chart.title: chart for chart in running.charts}
        assert len(charts["Money in hand"].lines) == 4
        mine = charts["Net worth"].lines if "Net worth" in charts else []
        assert [line.mark for line in mine] == ([] if viewer is None else ["p0"])
        auctions = table(running, "Every auction")
        for pile, taken in zip(
            column(auctions, "What was in it"), column(auctions, "Taken by"), strict=True
        ):
            is_known = taken["seat"] == viewer or not pile["hidden_count"]
            assert (pile["hidden"] is not None) == is_known
        held = column(table(running, "What the tips said"), "Held")
        assert any(number is not None for number in held) == (viewer is not None)


def test_each_tip_says_what_it_said_and_what_its_holder_had_done(record, story):
    tips, revealed = table(story, "What the tips said"), record.events("pair_revealed")
    assert [(tip["company"], tip["forecast"]) for tip in column(tips, "The tip")] == [
        (event["company"], event["forecast"]) for event in revealed
    ]
    for event, held, sold in zip(revealed, column(tips, "Held"), column(tips, "Sold"), strict=True):
        assert (held is None) == (sold is None) == (event["seat"] is None)
    assert any(column(tips, "Sold")) and any(column(tips, "Got")) and any(column(tips, "Held"))
    for row, event, held in zip(tips.rows, revealed, column(tips, "Held"), strict=True):
        sold_then = any(told.kind.endswith("sold") for told in record.moves[row.turn].events)
        if held is not None and not sold_then:  # So much was held before the market moved.
            player = record.moves[row.turn - 1].state.players[event["seat"]]
            assert held == player.shares[event["company"]] + 2 * player.split[event["company"]]


def test_what_the_market_paid_adds_up(record, story):
    market = table(story, "Dividends, splits and bankruptcies")
    shares = column(market, "Who had a share in it")
    paid = [money for told in shares if told["kind"] == "paid" for _, money in told["paid"]]
    assert sum(paid) == sum(event["money"] for event in record.events("dividend_collected"))
    assert len(market.rows) == len(record.events("dividend_declared", "split", "bankrupt"))


def test_the_turning_points_are_the_most_of_their_kind(record, story):
    points = {point.facts["kind"]: point.facts for point in story.turning_points}
    auctions = table(story, "Every auction")
    gains = [
        worth - price
        for worth, price in zip(
            column(auctions, "Worth then"), column(auctions, "Price"), strict=True
        )
    ]
    assert points["bargain"]["worth"] - points["bargain"]["price"] == max(gains)
    assert points["overpaid"]["worth"] - points["overpaid"]["price"] == min(gains)
    worth = next(chart for chart in story.charts if chart.title == "Net worth")
    swings = [(b or 0) - (a or 0) for line in worth.lines for a, b in pairwise(line.values)]
    assert abs(points["swing"]["money"]) == max(map(abs, swings))
