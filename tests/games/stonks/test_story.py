"""The story of a match tells what was recorded: the market, the tricks and the points."""

from tests.support.telling import Record, column


def test_the_market_the_points_and_the_tricks_are_those_that_were_recorded():
    record = Record("stonks", 4)
    story = record.story()
    market, points = story.charts
    last = record.moves[-1].state
    for line in market.lines:
        assert line.values[-1] == last.tile(line.short).value
    for seat, line in enumerate(points.lines):
        assert line.values[-1] == record.result.scores[seat].total
    tricks, portfolios = story.tables
    assert len(tricks.rows) == len(record.events("market_opened")) == len(market.steps) - 1
    plays = [play for told in column(tricks, "Who played what") for play in told["plays"]]
    assert len(plays) == len(record.events("card_played", "card_disguised", "lead_announced"))
    assert all("card" in play for play in plays)
    assert sum(column(portfolios, "Points")) == sum(score.total for score in record.result.scores)
