"""What has changed since a player's last turn, added up: the board marks it as new."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from stockpile_web.engine import Facts, Seat, Viewer


@dataclass(slots=True)
class News:
    """What others have changed, as far as `me` may know it."""

    me: Viewer
    moved: dict[str, int] = field(default_factory=dict)  # Steps of a ticker, by company,
    fate: dict[str, str] = field(default_factory=dict)  # and whether it split or went bankrupt.
    gained: dict[Seat, int] = field(default_factory=dict)  # Money, by seat.
    fresh: dict[int, int] = field(default_factory=dict)  # Cards, by pile.


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
    sum_.fresh.update(dict.fromkeys(range(len(facts["cards"])), 1))


def _pile_won(sum_: News, facts: Facts) -> None:
    sum_.fresh[facts["pile"]] = 0


def _placed(sum_: News, facts: Facts) -> None:
    _lie(sum_, facts["up_pile"], facts["down_pile"])


def _on_piles(sum_: News, facts: Facts) -> None:
    _lie(sum_, *facts["piles"])


def _on_a_pile(sum_: News, facts: Facts) -> None:
    _lie(sum_, facts["pile"])


def _lie(sum_: News, *piles: int) -> None:
    for pile in piles:
        sum_.fresh[pile] = sum_.fresh.get(pile, 0) + 1


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
    "placed_hidden": _on_piles,
    "goods_placed": _on_piles,
    "first_card_placed": _on_a_pile,
}
