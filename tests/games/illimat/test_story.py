"""The story of a match tells what was recorded: points, plays, seasons and Luminaries."""

from tests.support.telling import Record, column, table


def test_points_and_plays_are_those_that_were_recorded():
    record = Record("illimat", 3)
    story = record.story()
    for seat, line in enumerate(story.charts[0].lines):
        assert line.values[-1] == record.result.scores[seat].total
    deeds = table(story, "Who did what")
    for title, kind in (
        ("Sowed", "sown"), ("Harvested", "harvested"), ("Stockpiled", "stockpiled"),
        ("Okuses", "okus_taken"), ("Luminaries", "luminary_claimed"),
    ):  # fmt: skip
        assert sum(column(deeds, title)) == len(record.events(kind))
    assert len(table(story, "The turning of the seasons").rows) == len(
        record.events("illimat_turned")
    )
    biggest = next(p.facts for p in story.turning_points if p.facts["kind"] == "big_harvest")
    taken = [
        len(event["cards"]) + sum(map(len, event["taken"])) for event in record.events("harvested")
    ]
    assert biggest["cards"] == max(taken)
