"""Turning the Illimat: the one place where seasons change."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.illimat.data import Season
from stockpile_web.games.illimat.state import State


def turn_to(state: State, field: int, season: Season, seat: Seat | None, dealer: Dealer) -> None:
    """Give a field a season, unless it has it; `seat` has turned it, or a Luminary by itself."""
    before = state.season(field)
    if season != before:
        state.turn_to(field, season)
        dealer.announce("illimat_turned", field=field, before=before, season=season, seat=seat)
