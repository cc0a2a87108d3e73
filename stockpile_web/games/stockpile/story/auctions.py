"""Every auction: what was in a pile, who bid, who took it, and whether it was worth it."""

from dataclasses import dataclass, field

from stockpile_web.engine import Seat
from stockpile_web.engine.story import Column, DataTable, Row
from stockpile_web.games.stockpile.amounts import money
from stockpile_web.games.stockpile.data import COMPANIES, FEES, Card, Company
from stockpile_web.games.stockpile.story.history import History, Noted


@dataclass
class Pile:
    """A pile that was won."""

    round: int
    turn: int
    number: int
    seat: Seat
    price: int
    cards: list[Card]  # Face-up.
    hidden: list[Card] | None  # None if the reader may not know them.
    hidden_count: int
    bids: list[tuple[Seat, int]]
    # Of each company that has split or gone bankrupt since: how many shares a card has become.
    became: dict[Company, int] = field(default_factory=dict)
    worth: int | None = None  # At the end of its round; None if that cannot be told.

    @property
    def gain(self) -> int | None:
        """What it was worth beyond its price."""
        return None if self.worth is None else self.worth - self.price

    def stocks(self, company: Company) -> int:
        """Return how many of its known cards are of a company."""
        return [*self.cards, *(self.hidden or ())].count(company)


def piles(history: History) -> list[Pile]:
    """Return the piles in the order in which they were taken."""
    won: list[Pile] = []
    bids: dict[int, list[tuple[Seat, int]]] = {}
    for event in history.events:
        facts = event.facts
        match event.kind:
            case "round_began" | "investor_won":
                bids = {}
            case "bid_placed":
                bids.setdefault(facts["pile"], []).append((facts["seat"], facts["amount"]))
            case "pile_won":
                won.append(_pile(event, bids.pop(facts["pile"], [])))
            case "split" | "bankrupt":
                for pile in won:
                    if pile.round == event.round:
                        shares = pile.became.get(facts["company"], 1)
                        after = 2 * shares if event.kind == "split" else 0
                        pile.became[facts["company"]] = after
    for pile in won:
        pile.worth = _worth(pile, history)
    return won


def table(won: list[Pile]) -> DataTable:
    """Return the auctions, one row for each pile."""
    return DataTable(
        "Every auction",
        [
            Column("Round", str), Column("Pile", str), Column("What was in it"), Column("Bids"),
            Column("Taken by"), Column("Price", money), Column("Worth then", money),
        ],
        [
            Row(
                [
                    pile.round,
                    pile.number + 1,
                    {
                        "kind": "pile",
                        "cards": pile.cards,
                        "hidden": pile.hidden,
                        "hidden_count": pile.hidden_count,
                    },
                    {"kind": "bids", "bids": pile.bids},
                    {"kind": "player", "seat": pile.seat},
                    pile.price,
                    pile.worth,
                ],
                pile.turn,
            )
            for pile in won
        ],
        hint="Worth then: the shares at the prices at the end of the round, less trading fees."
        " Other cards are not counted.",
    )  # fmt: skip


def _pile(event: Noted, bids: list[tuple[Seat, int]]) -> Pile:
    facts = event.facts
    count = facts["hidden_count"]
    return Pile(
        event.round, event.turn, facts["pile"], facts["seat"], -facts["money"], facts["cards"],
        facts.get("hidden") if count else [], count, bids,
    )  # fmt: skip


def _worth(pile: Pile, history: History) -> int | None:
    stand = history.stand_after(pile.round)
    if stand is None or pile.hidden is None:
        return None
    cards = [*pile.cards, *pile.hidden]
    shares = sum(
        stand.prices[card] * pile.became.get(card, 1) for card in cards if card in COMPANIES
    )
    return shares - sum(FEES.get(card, 0) for card in cards)
