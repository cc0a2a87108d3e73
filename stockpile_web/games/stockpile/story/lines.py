"""Prices, money and net worth over the rounds."""

from collections.abc import Iterator

from stockpile_web.engine.story import Chart, Flag, Line
from stockpile_web.games.stockpile.amounts import money
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.story.history import History

SIGNS = {"split": "×2", "bankrupt": "✕"}


def charts(history: History) -> list[Chart]:
    """Return the lines, as soon as a round is over."""
    if len(history.stands) < 2:
        return []
    drawn = [_prices(history), _worth(history), _cash(history)]
    return [chart for chart in drawn if chart.lines]


def _prices(history: History) -> Chart:
    lines = [
        Line(
            {"kind": "company", "company": company},
            company,
            [stand.prices[company] for stand in history.stands],
            short=company,
        )
        for company in COMPANIES
    ]
    return Chart(
        "What a share was worth", "Round", _steps(history), lines, [*_flags(history)], money,
        hint="×2 is a stock split and ✕ a bankruptcy: the company began anew.",
    )  # fmt: skip


def _worth(history: History) -> Chart:
    """Return the net worth of those whose portfolios may be known."""
    seats = sorted(history.stands[0].worth)
    lines = [
        Line(
            {"kind": "player", "seat": seat}, f"p{seat}",
            [stand.worth[seat] for stand in history.stands],
        )
        for seat in seats
    ]  # fmt: skip
    return Chart(
        "Net worth", "Round", _steps(history), lines, amount=money,
        hint="Money, and all shares at the price of the day. At the end the most shares of a"
        " company bring money too.",
    )  # fmt: skip


def _cash(history: History) -> Chart:
    lines = [
        Line(
            {"kind": "player", "seat": seat}, f"p{seat}",
            [stand.cash[seat] for stand in history.stands],
        )
        for seat in range(len(history.stands[0].cash))
    ]  # fmt: skip
    return Chart(
        "Money in hand", "Round", _steps(history), lines, amount=money,
        hint="When the game is over, all shares are sold.",
    )  # fmt: skip


def _steps(history: History) -> list[str]:
    return ["Start", *(str(number) for number in range(1, len(history.stands)))]


def _flags(history: History) -> Iterator[Flag]:
    companies = list(COMPANIES)
    for event in history.of_kind(*SIGNS):
        if event.round < len(history.stands):
            line, sign = companies.index(event.facts["company"]), SIGNS[event.kind]
            yield Flag(line, event.round, sign)
