"""The closing account: what every total is made of, a row for each source of money."""

from stockpile_web.engine import Facts, Piece, Result
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
    """Rows by source or company, each with a cell for every seat; None where there was nothing."""

    sources: dict[str, list[int | None]]
    companies: dict[Company, list[Shares | None]]


def account(result: Result | None, modules: tuple[str, ...]) -> Account | None:
    """Return the closing account of a game that is over."""
    if result is None:
        return None
    lines = [score.lines for score in result.scores]
    return Account(
        sources={
            kind: [_money(seat, kind) for seat in lines]
            for kind, module in SOURCES.items()
            if not module or module in modules
        },
        companies={company: [_shares(seat, company) for seat in lines] for company in COMPANIES},
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
