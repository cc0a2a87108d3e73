"""The closing account: what every total is made of, a row for each source of money."""

from stockpile_web.engine import Facts, Piece, Result, Seat
from stockpile_web.games.stockpile.data import COMPANIES, Company

SOURCES = {  # Of money other than from shares, and the module that brings it.
    "cash": "",
    "bonds_redeemed": "bonds",
    "commodity_set": "commodities",
    "taxes": "commodities",
    "fees": "",
}


class Shares(Piece, frozen=True):
    """What a player's shares of a company brought: lots of equal price, and for the most shares."""

    money: int
    lots: list[Facts]
    majority: int


class Account(Piece, frozen=True):
    """Rows by source or company with a cell for every column; None where there was nothing."""

    order: list[Seat]  # Of the columns: the winner first, and those who share a place as they sit.
    sources: dict[str, list[int | None]]
    companies: dict[Company, list[Shares | None]]


def account(result: Result | None, modules: tuple[str, ...]) -> Account | None:
    """Return the closing account of a game that is over."""
    if result is None:
        return None
    order = sorted(range(len(result.places)), key=result.places.__getitem__)
    lines = [result.scores[seat].lines for seat in order]
    return Account(
        order=order,
        sources={
            kind: [_money(theirs, kind) for theirs in lines]
            for kind, module in SOURCES.items()
            if not module or module in modules
        },
        companies={
            company: [_shares(theirs, company) for theirs in lines] for company in COMPANIES
        },
    )


def _money(lines: list[Facts], kind: str) -> int | None:
    amounts = [line["money"] for line in lines if line["kind"] == kind]
    return sum(amounts) if amounts else None


def _shares(lines: list[Facts], company: Company) -> Shares | None:
    about = [line for line in lines if line.get("company") == company]
    lots = [line for line in about if line["kind"] == "final_sale"]
    majority = sum(line["money"] for line in about if line["kind"] == "majority")
    if not lots and not majority:
        return None
    return Shares(sum(lot["money"] for lot in lots), lots, majority)
