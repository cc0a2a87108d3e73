"""The players on a board with what all may see of them."""

from collections.abc import Mapping

from stockpile_web.engine import Piece, Seat
from stockpile_web.games.illimat.view import PlayerView, View


class PlayerRow(Piece, frozen=True):
    """A player."""

    seat: Seat
    player: PlayerView
    on_turn: bool
    is_dealer: bool
    gained: int | None  # Points, since the viewer's last turn; None: no round was scored.


def players(view: View, gained: Mapping[Seat, int]) -> list[PlayerRow]:
    """List the players clockwise."""
    return [
        PlayerRow(seat, player, seat in view.on_turn, seat == view.dealer, gained.get(seat))
        for seat, player in enumerate(view.players)
    ]
