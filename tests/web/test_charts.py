"""Charts: scales with round numbers, labels that lie apart, lines that go where they should."""

from itertools import pairwise

import pytest

from stockpile_web.engine.story import Chart, Flag, Line
from stockpile_web.web.charts import BOTTOM, LABEL_HEIGHT, RIGHT, TOP, draw, scale, spread


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 0, [0, 1]),
        (5, 5, [0, 2, 4, 6]),
        (1, 10, [0, 5, 10]),
        (20, 149, [0, 50, 100, 150]),
        (-2, 17, [-5, 0, 5, 10, 15, 20]),
    ],
)
def test_a_scale_has_a_few_round_numbers_and_nothing_among_them(low, high, ticks):
    assert scale(low, high) == ticks


def test_labels_lie_apart_in_their_order_and_inside():
    heights = [212, 212, 212, 16, 16, 100]
    moved = spread(heights)
    assert moved[5] == 100
    lying = sorted(moved)
    assert all(below - above >= LABEL_HEIGHT for above, below in pairwise(lying))
    assert lying[0] >= TOP and lying[-1] <= BOTTOM


def test_a_line_is_drawn_from_its_first_known_value_to_its_last():
    lines = [
        Line({}, "p0", [0, 5, 10]),
        Line({}, "p1", [None, 10, 0], short="B"),
    ]
    chart = Chart("Points", "Round", ["Start", "1", "2"], lines, [Flag(1, 2, "✕")])
    drawing = draw(chart, ["Somebody called long", "Bob"])
    one, two = drawing.lines
    assert one.points == [(46, BOTTOM), (134, 114), (RIGHT, TOP)]
    assert two.points == [(134, TOP), (RIGHT, BOTTOM)]
    assert one.dash != two.dash and one.marker != two.marker
    assert "Somebo…" in one.label and two.label == "B"
    assert [tick.text for tick in drawing.steps] == ["Start", "1", "2"]
    assert [(sign.x, sign.text) for sign in drawing.signs] == [(RIGHT, "✕")]
    assert "三国…" in draw(chart, ["三国演义", "Bob"]).lines[0].label
    assert "from 0 to 10" in drawing.description and "from 10 to 0" in drawing.description


def test_of_many_steps_only_those_are_written_for_which_there_is_room():
    steps = ["Start", *(f"1.{number}" for number in range(10, 60))]
    drawing = draw(Chart("", "", steps, [Line({}, "p0", [0] * len(steps))]), ["Ann"])
    assert drawing.steps[-1].text == "1.59"
    assert all(right.at - left.at >= 40 for left, right in pairwise(drawing.steps))
    assert len(drawing.lines[0].dots) <= 12 < len(drawing.lines[0].points)
