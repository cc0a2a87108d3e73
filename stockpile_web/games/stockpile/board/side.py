"""The viewer's side of the table: what is known of the market, and what lies before them."""

from collections import Counter

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.data import Card, Forecast
from stockpile_web.games.stockpile.view import View


class InvestorLine(Piece, frozen=True):
    """An investor of the viewer's; a power that is used once a round may be used up."""

    key: str
    used: bool


class Side(Piece, frozen=True):
    """What the viewer has besides shares and money; a spectator has nothing."""

    hidden: list[Forecast]  # Forecasts that are out, and of which the viewer does not know whose.
    investors: list[InvestorLine]
    bonds: int
    goods: dict[Card, int]
    fees: list[Card]


def side(view: View) -> Side:
    """Return what lies before the viewer."""
    hidden = _hidden(view)
    if view.viewer is None:
        return Side(hidden, [], 0, {}, [])
    player = view.players[view.viewer]
    return Side(
        hidden=hidden,
        investors=[InvestorLine(key, key in player.used) for key in player.investors],
        bonds=player.bonds,
        goods=dict(Counter(player.goods)),
        fees=player.fees,
    )


def _hidden(view: View) -> list[Forecast]:
    """Return the forecasts of the pairs that the viewer does not know, in the order of the box."""
    if not any(pair.company is None for pair in view.pairs):
        return []
    out = Counter(view.forecasts)
    out.subtract(pair.forecast for pair in view.pairs if pair.forecast)
    return [forecast for forecast, copies in out.items() for _ in range(copies)]
