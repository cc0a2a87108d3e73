"""Where the lines of a chart lie: a template draws them as SVG.

Units are pixels on a phone, where a chart is as wide as the screen; elsewhere it is drawn larger.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from stockpile_web.engine.story import Chart
from stockpile_web.storage.names import isolated

WIDTH, HEIGHT = 344, 250
LEFT, RIGHT, TOP, BOTTOM = 40, 238, 16, 212  # Of the field in which the lines run.
LABEL_X = RIGHT + 16
LABEL_HEIGHT = 16
LONGEST_LABEL = 8  # Letters of a name beside its amount.
MOST_STEPS = 8  # That are written along the bottom.

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
    label: str
    amount: str
    label_y: float

    @property
    def path(self) -> str:
        """The line as SVG writes it."""
        return " ".join(f"{x},{y}" for x, y in self.points)


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
    moved, floor_ = [0.0] * len(heights), TOP - LABEL_HEIGHT / 2
    for number in order:
        floor_ = moved[number] = max(heights[number], floor_ + LABEL_HEIGHT)
    ceiling = BOTTOM + LABEL_HEIGHT * 1.5
    for number in reversed(order):
        ceiling = moved[number] = min(moved[number], ceiling - LABEL_HEIGHT)
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
    every = ceil(len(chart.steps) / MOST_STEPS)
    last = len(chart.steps) - 1
    written = [step for step in range(0, last, every) if last - step >= every] + [last]
    return [Tick(_x(step, chart), chart.steps[step]) for step in written]


def _x(step: int, chart: Chart) -> float:
    return round(LEFT + (RIGHT - LEFT) * step / max(1, len(chart.steps) - 1), 1)


def _y(value: int, ticks: list[int]) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _description(chart: Chart, labels: Sequence[str]) -> str:
    """Say how each line goes."""
    told = []
    for label, line in zip(labels, chart.lines, strict=True):
        known = [value for value in line.values if value is not None]
        told.append(f"{isolated(label)} from {chart.amount(known[0])} to {chart.amount(known[-1])}")
    return "; ".join(told) + "."
