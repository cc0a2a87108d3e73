"""Dividends, stock splits and bankruptcies: what the market gave and took."""

from collections.abc import Iterator

from stockpile_web.engine import Facts, Seat
from stockpile_web.engine.story import Column, DataTable, Row
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.story.history import History

HAPPENED = {"split": "Stock split", "bankrupt": "Bankruptcy", "dividend_declared": "Dividend"}


def table(history: History) -> DataTable:
    """Return what happened to whole companies, and to those who held them."""
    return DataTable(
        "Dividends, splits and bankruptcies",
        [Column("Round", str), Column("Company"), Column("What"), Column("Who had a share in it")],
        [*_rows(history)],
    )


def _rows(history: History) -> Iterator[Row]:
    for place, event in enumerate(history.events):
        if event.kind not in HAPPENED:
            continue
        company = event.facts["company"]
        if event.kind == "dividend_declared":
            shown: Facts = {"kind": "paid", "paid": _collected(history, place, company)}
        else:
            held = [(seat, cards) for seat, cards in enumerate(event.facts["cards"]) if cards]
            shown = {"kind": "hit", "held": held}
        what = HAPPENED[event.kind]
        yield Row([event.round, {"kind": "company", "company": company}, what, shown], event.turn)


def _collected(history: History, place: int, company: Company) -> list[tuple[Seat, int]]:
    """Return who was paid how much of the dividend that was declared at `place`."""
    paid: list[tuple[Seat, int]] = []
    for event in history.events[place + 1 :]:
        if event.kind == "dividend_declared":
            break
        facts = event.facts
        if event.kind == "dividend_collected" and facts["company"] == company and facts["money"]:
            paid.append((facts["seat"], facts["money"]))
    return paid
