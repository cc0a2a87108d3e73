"""The moments on which a match turned, as far as the reader may know."""

from collections.abc import Iterator
from itertools import pairwise

from stockpile_web.engine import Facts
from stockpile_web.engine.story import TurningPoint, leads
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.story.auctions import Pile
from stockpile_web.games.stockpile.story.history import History

FATES = {"bankrupt": "ruined", "split": "windfall"}  # What it is to somebody with many shares.


def find(history: History, piles: list[Pile]) -> list[TurningPoint]:
    """Return them in the order in which they happened."""
    found = [
        *_bargains(piles), *_companies(history), *_swing(history), *_leads(history),
    ]  # fmt: skip
    return sorted(found, key=lambda point: point.turn)


def _bargains(piles: list[Pile]) -> Iterator[TurningPoint]:
    """The best bought pile, and the one that was most overpaid."""
    judged = [(pile.gain, pile) for pile in piles if pile.gain is not None]
    for kind, sign in (("bargain", 1), ("overpaid", -1)):
        gain, best = max(judged, key=lambda each: sign * each[0], default=(0, None))
        if best is not None and sign * gain > 0:
            facts = {
                "kind": kind,
                "seat": best.seat,
                "pile": best.number,
                "round": best.round,
                "price": best.price,
                "worth": best.worth,
            }
            yield TurningPoint(best.turn, facts)


def _companies(history: History) -> Iterator[TurningPoint]:
    """The bankruptcy that cost somebody most, and the stock split that brought somebody most."""
    found: dict[str, list[tuple[int, int, Facts]]] = {kind: [] for kind in FATES}
    prices: dict[Company, int] = {}
    for event in history.events:
        facts = event.facts
        if event.kind == "round_began":
            prices = dict(history.stands[event.round - 1].prices)
        elif event.kind in found:
            cards: list[int] = facts["cards"]
            seat = max(range(len(cards)), key=cards.__getitem__)
            # A bankruptcy takes what a card was worth, a split adds what a card now is.
            each = prices[facts["company"]] if event.kind == "bankrupt" else facts["after"]
            told = {"seat": seat, "cards": cards[seat], "company": facts["company"]}
            found[event.kind].append(
                (cards[seat] * each, event.turn, told | {"round": event.round})
            )
        if "after" in facts and "company" in facts:
            prices[facts["company"]] = facts["after"]
    for kind, all_ in found.items():
        money, turn, told = max(all_, key=lambda each: each[0], default=(0, 0, {}))
        if money:
            yield TurningPoint(turn, {"kind": FATES[kind], "money": money, **told})


def _swing(history: History) -> Iterator[TurningPoint]:
    """The round in which somebody's net worth changed most."""
    swings = [
        (abs(change), change, seat, number, after.turn)
        for number, (before, after) in enumerate(pairwise(history.stands), start=1)
        for seat in before.worth
        if (change := after.worth[seat] - before.worth[seat])
    ]
    if swings:
        _, change, seat, number, turn = max(swings)
        facts = {"kind": "swing", "seat": seat, "round": number, "money": change}
        yield TurningPoint(turn, facts)


def _leads(history: History) -> Iterator[TurningPoint]:
    """Every round after which somebody else was ahead; while portfolios are secret, none."""
    if any(len(stand.worth) < len(stand.cash) for stand in history.stands):
        return
    for lead in leads([stand.worth for stand in history.stands]):
        facts = {
            "kind": "lead",
            "seat": lead.seat,
            "before": lead.before,
            "round": lead.step,
            "money": lead.by,
        }
        yield TurningPoint(history.stands[lead.step].turn, facts)
