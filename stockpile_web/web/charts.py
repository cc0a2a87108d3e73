"""Where the lines of a chart lie: a template draws them as SVG.

Units are pixels on a phone, where a chart is as wide as the screen; elsewhere it is drawn larger.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor
from typing import TypeVar
from unicodedata import east_asian_width

from stockpile_web.engine.story import Chart
from stockpile_web.storage.names import isolated

T = TypeVar("T")

LEFT, RIGHT, TOP, BOTTOM = 46.0, 222.0, 16.0, 212.0  # Of the field in which the lines run.
LABEL_HEIGHT = 16
LONGEST_LABEL = 7  # Letters of a name beside its amount; some scripts have letters of double width.
LETTER_WIDTH = 8
MOST_DOTS = 12  # On a line.

# So that lines can be told apart without their colours, together with the marks on them.
DASHES = ("none", "7 3", "2 3", "10 3 2 3", "5 5", "1 4")
MARKERS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "M-3-3h6v6h-6z",
    "M0-4l4 7h-8z",
    "M0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z",
    "M0 4l4-7h-8z",
    "M-4-1.5h2.5v-2.5h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5z",
)


@dataclass(frozen=True)
class Tick:
    """A number along an edge."""

    at: float
    text: str


@dataclass(frozen=True)
class Drawn:
    """A line, and what is written at its end."""

    mark: str
    dash: str
    marker: str
    points: list[tuple[float, float]]
    dots: list[tuple[float, float]]  # Where it is marked.
    label: str
    amount: str
    label_y: float

    @property
    def path(self) -> str:
        """The line as SVG writes it."""
        return " ".join(f"{x},{y}" for x, y in self.points)

    @property
    def lead(self) -> str:
        """What leads from the end of the line to its label."""
        x, y = self.points[-1]
        return f"M{x + 4} {y}L{RIGHT + 14} {self.label_y}"


@dataclass(frozen=True)
class Sign:
    """A sign beside a point of a line."""

    mark: str
    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Drawing:
    """A chart, ready to be drawn."""

    heights: list[Tick]
    steps: list[Tick]
    lines: list[Drawn]
    signs: list[Sign]
    description: str


def draw(chart: Chart, labels: Sequence[str]) -> Drawing:
    """Return where everything lies; `labels` are what the lines are called."""
    values = [value for line in chart.lines for value in line.values if value is not None]
    ticks = scale(min(values), max(values))
    places = [
        [(_x(step, chart), _y(value, ticks)) for step, value in enumerate(line.values)
         if value is not None]
        for line in chart.lines
    ]  # fmt: skip
    heights = spread([points[-1][1] for points in places])
    last = [[value for value in line.values if value is not None][-1] for line in chart.lines]
    lines = [
        Drawn(
            mark=line.mark,
            dash=DASHES[number % len(DASHES)],
            marker=MARKERS[number % len(MARKERS)],
            points=places[number],
            dots=_every(places[number], ceil(len(chart.steps) / MOST_DOTS)),
            label=line.short or isolated(_cut(labels[number])),
            amount=chart.amount(last[number]),
            label_y=heights[number],
        )
        for number, line in enumerate(chart.lines)
    ]
    return Drawing(
        heights=[Tick(_y(tick, ticks), chart.amount(tick)) for tick in ticks],
        steps=_steps(chart),
        lines=lines,
        signs=[*_signs(chart, ticks)],
        description=_description(chart, labels),
    )


def scale(low: int, high: int) -> list[int]:
    """Return about four round numbers that span all from `low` to `high`, and nothing."""
    low, high = min(low, 0), max(high, low + 1, 1)
    rough, size = (high - low) / 4, 1
    while size * 10 <= rough:
        size *= 10
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough)
    return [*range(floor(low / step) * step, ceil(high / step) * step + 1, step)]


def spread(heights: Sequence[float]) -> list[float]:
    """Move labels apart that would lie over each other, as little as may be, inside the field."""
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    moved, above, below = [*heights], TOP - LABEL_HEIGHT, BOTTOM + LABEL_HEIGHT
    for number in order:
        above = moved[number] = max(moved[number], above + LABEL_HEIGHT)
    for number in reversed(order):
        below = moved[number] = min(moved[number], below - LABEL_HEIGHT)
    return moved


def _signs(chart: Chart, ticks: list[int]) -> list[Sign]:
    signs = []
    for flag in chart.flags:
        line = chart.lines[flag.line]
        value = line.values[flag.step]
        if value is not None:
            signs.append(Sign(line.mark, _x(flag.step, chart), _y(value, ticks) - 7, flag.sign))
    return signs


def _steps(chart: Chart) -> list[Tick]:
    ticks = [Tick(_x(step, chart), text) for step, text in enumerate(chart.steps)]
    # The first may stick out to the left; between the others there is room for a letter.
    longest = max(len(text) for text in chart.steps[1:])
    return _every(ticks, ceil(len(ticks) * LETTER_WIDTH * (longest + 1) / (RIGHT - LEFT)))


def _every(all_: list[T], nth: int) -> list[T]:
    """Return every nth of all, counted from the last."""
    return all_[::-1][::nth][::-1]


def _x(step: int, chart: Chart) -> float:
    return round(LEFT + (RIGHT - LEFT) * step / max(1, len(chart.steps) - 1), 1)


def _y(value: int, ticks: list[int]) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)


def _cut(label: str) -> str:
    widths = accumulate(1 + (east_asian_width(letter) in "WF") for letter in label)
    kept = "".join(
        letter for letter, end in zip(label, widths, strict=True) if end <= LONGEST_LABEL
    )
    return label if kept == label else f"{kept[:-1]}…"


def _description(chart: Chart, labels: Sequence[str]) -> str:
    """Say how each line goes."""
    told = []
    for label, line in zip(labels, chart.lines, strict=True):
        known = [value for value in line.values if value is not None]
        told.append(f"{isolated(label)} from {chart.amount(known[0])} to {chart.amount(known[-1])}")
    return "; ".join(told) + "."
