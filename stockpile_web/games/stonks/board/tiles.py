"""The tiles on a board: what has moved, and where each arrow of a card would lead."""

from collections.abc import Mapping

from stockpile_web.engine import Facts, Piece
from stockpile_web.games.stonks.data import CARDS, Company
from stockpile_web.games.stonks.moves import Move, PlayCard
from stockpile_web.games.stonks.view import TileView, View


class Arrow(Piece, frozen=True):
    """Up or down for one company."""

    up: bool
    value: int | None  # Of a stock, there; None: it cannot go there.
    part: Facts  # Of the move that goes there.


class Arrows(Piece, frozen=True):
    """Where a card with so many icons can move a company."""

    icons: int
    ways: list[Arrow]  # Up, then down.


class TileRow(Piece, frozen=True):
    """A company with its token, from the left."""

    tile: TileView
    moved: int  # Levels, since the viewer's last turn.
    arrows: list[Arrows]  # For each number of icons among the cards that can be played.


def tiles(view: View, moves: list[Move], moved: Mapping[Company, int]) -> list[TileRow]:
    """Lay out the tiles."""
    ways: dict[int, set[tuple[Company, bool]]] = {}
    for move in moves:
        if isinstance(move, PlayCard) and move.company:
            ways.setdefault(CARDS[move.card].icons, set()).add((move.company, move.up))
    return [
        TileRow(
            tile,
            moved.get(tile.company, 0),
            [_arrows(tile, icons, open_) for icons, open_ in ways.items()],
        )
        for tile in view.tiles
    ]


def _arrows(tile: TileView, icons: int, open_: set[tuple[Company, bool]]) -> Arrows:
    return Arrows(
        icons, [_arrow(tile, icons, up, (tile.company, up) in open_) for up in (True, False)]
    )


def _arrow(tile: TileView, icons: int, up: bool, is_open: bool) -> Arrow:
    level = tile.level + (icons if up else -icons)
    value = tile.values[level - 1] if is_open else None
    return Arrow(up, value, {"company": tile.company, "up": up})
