"""The story of a match: the market and the points over time, every trick, and what mattered."""

from collections.abc import Iterator, Sequence

from stockpile_web.engine.story import (
    Chart,
    Column,
    DataTable,
    Line,
    Row,
    Story,
    Told,
    TurningPoint,
    leads,
)
from stockpile_web.games.stonks.data import CARDS, COMPANIES
from stockpile_web.games.stonks.story.history import History, read


def story(turns: Sequence[Told]) -> Story:
    """Tell of the market, the points and the tricks."""
    history = read(turns)
    points = [*_catch(history), *_best_round(history), *_leads(history)]
    points += [TurningPoint(turn, facts) for turn, facts in history.cancelled]
    tables = [_tricks(history), _portfolios(history)]
    return Story(
        sorted(points, key=lambda point: point.turn),
        [*_charts(history)],
        [table for table in tables if table.rows],
    )


def _charts(history: History) -> Iterator[Chart]:
    if len(history.values) > 1:
        tricks = (trick for trick in history.tricks if trick.is_over)
        yield Chart(
            "What a stock was worth",
            "Round and trick",
            ["Start", *(f"{trick.round}.{trick.number}" for trick in tricks)],
            [
                Line(
                    {"kind": "company", "company": company}, company,
                    [values[company] for values in history.values], short=company,
                )
                for company in COMPANIES
                if company in history.values[0]
            ],
        )  # fmt: skip
    if len(history.points) > 1:
        rounds = dict.fromkeys(str(facts["round"]) for _, facts in history.scored)
        yield Chart(
            "Points",
            "Round",
            ["Start", *rounds],
            [
                Line(
                    {"kind": "player", "seat": seat}, f"p{seat}",
                    [points[seat] for points in history.points],
                )
                for seat in history.points[0]
            ],
        )  # fmt: skip


def _tricks(history: History) -> DataTable:
    return DataTable(
        "Every trick",
        [
            Column("Round", str), Column("Trick", str), Column("Market"), Column("Who played what"),
            Column("Won by"), Column("And took"),
        ],
        [
            Row(
                [
                    trick.round,
                    trick.number,
                    {"kind": "one_card", "card": trick.market},
                    {"kind": "plays", "plays": trick.plays},
                    None if trick.winner is None else {"kind": "player", "seat": trick.winner},
                    trick.took and {"kind": "one_card", "card": trick.took},
                ],
                trick.turn,
            )
            for trick in history.tricks
            if trick.plays
        ],
    )  # fmt: skip


def _portfolios(history: History) -> DataTable:
    rows = [
        Row(
            [facts["round"], {"kind": "player", "seat": facts["seat"]}, facts["money"], facts],
            turn,
        )
        for turn, facts in history.scored
    ]
    columns = [Column("Round", str), Column("Player"), Column("Points", str), Column("How")]
    return DataTable("What the portfolios were worth", columns, rows)


def _catch(history: History) -> Iterator[TurningPoint]:
    """The card taken in a trick that brought most when its round was over."""
    caught = [
        (CARDS[trick.took].stocks * history.ends[trick.round][CARDS[trick.took].company], trick)
        for trick in history.tricks
        if trick.took and trick.round in history.ends
    ]
    if caught:
        worth, trick = max(caught, key=lambda each: each[0])
        facts = {"kind": "catch", "seat": trick.winner, "card": trick.took, "points": worth}
        yield TurningPoint(trick.turn, {**facts, "round": trick.round})


def _best_round(history: History) -> Iterator[TurningPoint]:
    if history.scored:
        turn, facts = max(history.scored, key=lambda scored: scored[1]["money"])
        yield TurningPoint(turn, {**facts, "kind": "best_round"})


def _leads(history: History) -> Iterator[TurningPoint]:
    """Every round after which somebody else was ahead."""
    turns = [0, *dict.fromkeys(turn for turn, _ in history.scored)]
    for lead in leads(history.points):
        facts = {"kind": "lead", "seat": lead.seat, "before": lead.before, "points": lead.by}
        yield TurningPoint(turns[lead.step], facts)
