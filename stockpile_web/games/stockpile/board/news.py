"""What has happened since a player's last turn, added up: the board marks it as new."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from stockpile_web.engine import Facts, Seat, Viewer
from stockpile_web.games.stockpile.data import COMPANIES

LINES = 3


@dataclass(slots=True)
class News:
    """What others have done, as far as `me` may know it, and what has changed by that."""

    me: Viewer
    moved: dict[str, int] = field(default_factory=dict)  # Steps of a ticker, by company,
    fate: dict[str, str] = field(default_factory=dict)  # and whether it split or went bankrupt.
    gained: dict[Seat, int] = field(default_factory=dict)  # Money, by seat.
    fresh: dict[int, int] = field(default_factory=dict)  # Cards, by pile.
    laid: int = 0
    outbid: Facts | None = None
    bids: dict[int, Facts] = field(default_factory=dict)  # By pile.
    won: list[Facts] = field(default_factory=list)
    deals: list[Facts] = field(default_factory=list)
    sellers: list[Seat] = field(default_factory=list)
    collectors: list[Seat] = field(default_factory=list)


def news(since: Sequence[Facts], me: Viewer) -> News:
    """Add up the events that `me` has not seen yet."""
    sum_ = News(me)
    for facts in since:
        if "money" in facts and "seat" in facts:
            seat = facts["seat"]
            sum_.gained[seat] = sum_.gained.get(seat, 0) + facts["money"]
        kind = facts["kind"]
        if kind in _FOR_ALL:
            _FOR_ALL[kind](sum_, facts)
        elif kind in _BY_OTHERS and facts["seat"] != me:
            _BY_OTHERS[kind](sum_, facts)
    return sum_


def _ticker_moved(sum_: News, facts: Facts) -> None:
    company = facts["company"]
    sum_.moved[company] = sum_.moved.get(company, 0) + facts["steps"]


def _fate(sum_: News, facts: Facts) -> None:
    sum_.fate[facts["company"]] = facts["kind"]


def _piles_begun(sum_: News, facts: Facts) -> None:
    """A new round: what lay on the piles before is gone."""
    sum_.laid, sum_.outbid, sum_.bids = 0, None, {}
    sum_.fresh.update(dict.fromkeys(range(len(facts["cards"])), 1))


def _pile_won(sum_: News, facts: Facts) -> None:
    sum_.won.append(facts)
    sum_.fresh[facts["pile"]] = 0


def _placed(sum_: News, facts: Facts) -> None:
    sum_.laid += 2
    _lie(sum_, facts["up_pile"], facts["down_pile"])


def _placed_hidden(sum_: News, facts: Facts) -> None:
    sum_.laid += 2
    _lie(sum_, *facts["piles"])


def _goods_placed(sum_: News, facts: Facts) -> None:
    sum_.laid += len(facts["cards"])
    _lie(sum_, *facts["piles"])


def _first_card_placed(sum_: News, facts: Facts) -> None:
    _lie(sum_, facts["pile"])


def _lie(sum_: News, *piles: int) -> None:
    for pile in piles:
        sum_.fresh[pile] = sum_.fresh.get(pile, 0) + 1


def _bid_placed(sum_: News, facts: Facts) -> None:
    if facts["outbid"] is not None and facts["outbid"] == sum_.me:
        sum_.outbid = facts
        sum_.bids.pop(facts["pile"], None)
    else:
        sum_.bids[facts["pile"]] = facts


def _strategy_played(sum_: News, facts: Facts) -> None:
    sum_.deals.append(facts)


def _sold(sum_: News, facts: Facts) -> None:
    if facts["seat"] not in sum_.sellers:
        sum_.sellers.append(facts["seat"])


def _dividend_collected(sum_: News, facts: Facts) -> None:
    if facts["money"] and facts["seat"] not in sum_.collectors:
        sum_.collectors.append(facts["seat"])


def lines(sum_: News) -> list[Facts]:
    """Return what the board tells of it, the most important first: a template has the words."""
    told: list[Facts] = []
    if sum_.outbid:
        told.append({**sum_.outbid, "kind": "outbid"})
    told += [{**won, "kind": "took"} for won in sum_.won if won["seat"] == sum_.me]
    moved = [_change(sum_, company) for company in COMPANIES]
    if any(moved):
        told.append({"kind": "market", "changes": list(filter(None, moved))})
    if sum_.laid:
        told.append({"kind": "laid", "cards": sum_.laid})
    if sum_.bids and not sum_.won:
        told.append({"kind": "bids", "bids": list(sum_.bids.values())})
    if sum_.deals:
        told.append({"kind": "deals", "deals": sum_.deals})
    if sum_.sellers:
        told.append({"kind": "sellers", "seats": sum_.sellers})
    if sum_.collectors:
        told.append({"kind": "collectors", "seats": sum_.collectors})
    if sum_.me is not None and (money := sum_.gained.get(sum_.me)):
        told.append({"kind": "gained", "money": money})
    return told[:LINES]


def _change(sum_: News, company: str) -> Facts | None:
    steps, fate = sum_.moved.get(company, 0), sum_.fate.get(company, "")
    if not fate and not steps:
        return None
    return {"company": company, "how": fate or ("rose" if steps > 0 else "fell")}


Count = Callable[[News, Facts], None]

_FOR_ALL: dict[str, Count] = {
    "ticker_moved": _ticker_moved,
    "split": _fate,
    "bankrupt": _fate,
    "piles_opened": _piles_begun,
    "piles_laid": _piles_begun,
    "pile_won": _pile_won,
}
_BY_OTHERS: dict[str, Count] = {
    "placed": _placed,
    "placed_hidden": _placed_hidden,
    "goods_placed": _goods_placed,
    "first_card_placed": _first_card_placed,
    "bid_placed": _bid_placed,
    "strategy_played": _strategy_played,
    "sold": _sold,
    "split_sold": _sold,
    "half_sold": _sold,
    "sold_short": _sold,
    "dividend_collected": _dividend_collected,
}
