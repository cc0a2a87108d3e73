"""What each tip said, what came of it, and what its holder had done with it."""

from collections import Counter
from dataclasses import dataclass, field

from stockpile_web.engine import Facts, Seat
from stockpile_web.engine.story import Column, DataTable, Row
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.story.history import History, Noted

SALES = {"sold": 1, "split_sold": 2, "half_sold": 1}  # Shares of a card.
OUTCOMES = ("ticker_moved", "split", "bankrupt", "dividend_declared")


@dataclass
class Tip:
    """A pair that was turned up; all know it then, whoever held it."""

    revealed: Noted
    # Shares of the company that its holder got, sold, and then had; None is not known, or nobody's.
    did: tuple[int | None, int | None, int | None]
    outcomes: list[Facts] = field(default_factory=list)

    def row(self) -> Row:
        """Return what is told of it."""
        facts = self.revealed.facts
        is_held = facts["seat"] is not None
        return Row(
            [
                self.revealed.round,
                {"kind": "player", "seat": facts["seat"]} if is_held else {"kind": "the_board"},
                {"kind": "tip", "company": facts["company"], "forecast": facts["forecast"]},
                {"kind": "outcomes", "outcomes": self.outcomes} if self.outcomes else None,
                *self.did,
            ],
            self.revealed.turn,
        )


@dataclass
class Trades:
    """Shares that players are known to have got and sold in a round."""

    got: Counter[tuple[Seat, Company]] = field(default_factory=Counter)
    sold: Counter[tuple[Seat, Company]] = field(default_factory=Counter)


def table(history: History) -> DataTable:
    """Return the tips in the order in which they moved the market."""
    return DataTable(
        "What the tips said",
        [
            Column("Round", str), Column("Whose"), Column("The tip"), Column("What came of it"),
            Column("Got", str), Column("Sold", str), Column("Held", str),
        ],
        [tip.row() for tip in _tips(history)],
        hint="Got, sold, held: the shares of that company that its holder took in the auctions of"
        " the round, sold in it, and had when the pair was turned up, as far as you may know.",
    )  # fmt: skip


def _tips(history: History) -> list[Tip]:
    tips: list[Tip] = []
    trades = Trades()
    for event in history.events:
        facts = event.facts
        if event.kind == "round_began":
            trades = Trades()
        elif event.kind == "pile_won":
            known = [*facts["cards"], *facts.get("hidden", ())]
            trades.got.update((facts["seat"], card) for card in known)
        elif event.kind in SALES:
            trades.sold[facts["seat"], facts["company"]] += SALES[event.kind] * facts["cards"]
        elif event.kind == "pair_revealed":
            tips.append(Tip(event, _did(event, history, trades)))
        elif event.kind in OUTCOMES and tips:
            revealed = tips[-1].revealed
            if (revealed.round, revealed.facts["company"]) == (event.round, facts["company"]):
                tips[-1].outcomes.append(facts)
    return tips


def _did(
    event: Noted, history: History, trades: Trades
) -> tuple[int | None, int | None, int | None]:
    """Return what the holder had done with shares of the company, as far as it is known."""
    seat, company = event.facts["seat"], event.facts["company"]
    if seat is None:
        return None, None, None
    got, sold = trades.got[seat, company], trades.sold[seat, company]
    held = _held_before(event, seat, company)
    if held is not None:  # The market may move in the same move as the last sale.
        held -= sum(
            SALES[sale.kind] * sale.facts["cards"]
            for sale in history.of_kind(*SALES)
            if sale.turn == event.turn
            and (sale.facts["seat"], sale.facts["company"]) == (seat, company)
        )
    return got, sold, held


def _held_before(event: Noted, seat: Seat, company: Company) -> int | None:
    """Return the shares of a holder whose portfolio the reader may know."""
    for view in event.before():
        if view.viewer == seat and view.own is not None:
            split = view.players[seat].split.get(company, 0)
            return view.own.shares.get(company, 0) + 2 * split
    return None
