"""The players on a board with what all may see of them, and what was discarded."""

from collections.abc import Mapping

from stockpile_web.engine import Piece, Seat
from stockpile_web.games.stonks.data import CARDS, COMPANIES, Card, Company
from stockpile_web.games.stonks.view import PlayerView, View


class PlayerRow(Piece, frozen=True):
    """A player."""

    seat: Seat
    player: PlayerView
    on_turn: bool
    gained: int  # Points, since the viewer's last turn.


def players(view: View, gained: Mapping[Seat, int]) -> list[PlayerRow]:
    """List the players clockwise."""
    return [
        PlayerRow(seat, player, seat in view.on_turn, gained.get(seat, 0))
        for seat, player in enumerate(view.players)
    ]


def discarded(cards: list[Card]) -> dict[Company, list[int]]:
    """Return the numbers of the cards that are out, by company in the order of the box."""
    faces = [CARDS[card] for card in cards]
    numbers = {
        company: sorted(face.number for face in faces if face.company == company)
        for company in COMPANIES
    }
    return {company: out for company, out in numbers.items() if out}
