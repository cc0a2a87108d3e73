"""The story of a match: points over the rounds, what each player did, seasons and Luminaries."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from stockpile_web.engine import Facts, Seat
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
from stockpile_web.games.illimat.view import View

PLAYS = ("sown", "harvested", "stockpiled")
GAINS = ("okus_taken", "luminary_claimed")
SEASONS = ("illimat_turned",)
LUMINARIES = ("luminary_revealed", "luminary_discarded", "luminaries_discarded")


@dataclass
class Noted:
    """An event, with the round and the move in which it happened."""

    round: int
    turn: int
    facts: Facts

    @property
    def kind(self) -> str:
        """What it is."""
        return str(self.facts["kind"])


@dataclass
class Deeds:
    """What a player did in a round."""

    turn: int = 0  # The last move of it.
    done: Counter[str] = field(default_factory=Counter)
    cards: int = 0  # Harvested, those that were played included.


def story(turns: Sequence[Told]) -> Story:
    """Tell of points, plays, seasons and Luminaries."""
    first: View = turns[0].look()[0]
    seats = range(len(first.players))
    events = [*_events(turns)]
    scored = [event for event in events if event.kind == "round_scored"]
    totals = [*_totals(scored, len(seats))]
    found = [*_harvest(events), *_best_round(scored), *_leads(scored, totals)]
    tables = [
        _deeds(events),
        _told(events, "Okuses and Luminaries", (*GAINS, *LUMINARIES)),
        _told(events, "The turning of the seasons", SEASONS),
        _told(events, "What the rounds scored", ("round_scored",)),
    ]
    return Story(
        sorted(found, key=lambda point: point.turn),
        [*_charts(totals), *_race(events, len(seats))],
        [table for table in tables if table.rows],
    )


def _events(turns: Sequence[Told]) -> Iterator[Noted]:
    number = 0
    for turn in turns:
        for facts in turn.facts:
            if facts["kind"] == "round_began":
                number = facts["round"]
            # A round is scored in the same move in which the next one begins, but before it.
            yield Noted(facts.get("round", number), turn.number, facts)


def _totals(scored: list[Noted], seats: int) -> Iterator[dict[Seat, int]]:
    """Return the points at the start, and after each round."""
    totals = dict.fromkeys(range(seats), 0)
    yield dict(totals)
    for event in scored:
        totals[event.facts["seat"]] += event.facts["money"]
        if event.facts["seat"] == seats - 1:
            yield dict(totals)


def _charts(totals: list[dict[Seat, int]]) -> Iterator[Chart]:
    if len(totals) > 1:
        yield Chart(
            "Points",
            "Round",
            ["Start", *(str(number) for number in range(1, len(totals)))],
            [
                Line({"kind": "player", "seat": seat}, f"p{seat}", [each[seat] for each in totals])
                for seat in totals[0]
            ],
        )


def _race(events: list[Noted], seats: int) -> Iterator[Chart]:
    """Return how many cards each had harvested after every harvest of a round."""
    steps: list[str] = []
    held: list[list[int]] = []
    number = 0
    for event in events:
        if event.kind == "round_began":
            number = 0
            steps.append(f"{event.round}.0")
            held.append([0] * seats)
        elif event.kind == "harvested":
            number += 1
            steps.append(f"{event.round}.{number}")
            held.append([*held[-1]])
            held[-1][event.facts["seat"]] += _harvested(event.facts)
    if any(map(any, held)):
        yield Chart(
            "Cards harvested in each round",
            "Round and harvest",
            steps,
            [
                Line({"kind": "player", "seat": seat}, f"p{seat}", [each[seat] for each in held])
                for seat in range(seats)
            ],
        )


def _deeds(events: list[Noted]) -> DataTable:
    """Return what each player did in each round."""
    found: dict[tuple[int, Seat], Deeds] = {}
    for event in events:
        if event.kind not in (*PLAYS, *GAINS):
            continue
        deeds = found.setdefault((event.round, event.facts["seat"]), Deeds())
        deeds.turn = event.turn
        deeds.done[event.kind] += 1
        if event.kind == "harvested":
            deeds.cards += _harvested(event.facts)
    return DataTable(
        "Who did what",
        [
            Column("Round", str), Column("Player"), Column("Sowed", str), Column("Harvested", str),
            Column("Stockpiled", str), Column("Cards", str), Column("Okuses", str),
            Column("Luminaries", str),
        ],
        [
            Row(
                [
                    number, {"kind": "player", "seat": seat},
                    *(deeds.done[kind] for kind in PLAYS), deeds.cards,
                    *(deeds.done[kind] for kind in GAINS),
                ],
                deeds.turn,
            )
            for (number, seat), deeds in sorted(found.items(), key=lambda each: each[0])
        ],
        hint="Cards: all that came into the harvest pile by harvesting.",
    )  # fmt: skip


def _told(events: list[Noted], title: str, kinds: Sequence[str]) -> DataTable:
    """Return events of some kinds as the log tells them."""
    rows = [Row([event.round, event.facts], event.turn) for event in events if event.kind in kinds]
    return DataTable(title, [Column("Round", str), Column("What happened")], rows)


def _harvest(events: list[Noted]) -> Iterator[TurningPoint]:
    """The harvest that brought most cards."""
    harvests = [event for event in events if event.kind == "harvested"]
    if harvests:
        best = max(harvests, key=lambda event: _harvested(event.facts))
        facts = {"kind": "big_harvest", "seat": best.facts["seat"], "round": best.round}
        yield TurningPoint(best.turn, {**facts, "cards": _harvested(best.facts)})


def _best_round(scored: list[Noted]) -> Iterator[TurningPoint]:
    if scored:
        best = max(scored, key=lambda event: int(event.facts["money"]))
        facts = {"kind": "best_round", "seat": best.facts["seat"], "round": best.round}
        yield TurningPoint(best.turn, {**facts, "points": best.facts["money"]})


def _leads(scored: list[Noted], totals: list[dict[Seat, int]]) -> Iterator[TurningPoint]:
    """Every round after which somebody else was ahead."""
    turns = [0, *dict.fromkeys(event.turn for event in scored)]
    for lead in leads(totals):
        facts = {"kind": "lead", "seat": lead.seat, "before": lead.before, "points": lead.by}
        yield TurningPoint(turns[lead.step], {**facts, "round": lead.step})


def _harvested(facts: Facts) -> int:
    return len(facts["cards"]) + sum(len(item) for item in facts["taken"])
