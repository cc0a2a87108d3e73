"""What a board shows besides the view itself: all that has to be worked out for a template."""

from collections.abc import Sequence

from stockpile_web.engine import Facts, Piece, Result
from stockpile_web.games.stonks.board.account import Account, account
from stockpile_web.games.stonks.board.hand import Hand, hand
from stockpile_web.games.stonks.board.news import News, news
from stockpile_web.games.stonks.board.players import PlayerRow, discarded, players
from stockpile_web.games.stonks.board.portfolio import Portfolio, portfolio
from stockpile_web.games.stonks.board.tiles import TileRow, tiles
from stockpile_web.games.stonks.board.trick import Trick, trick
from stockpile_web.games.stonks.data import Company
from stockpile_web.games.stonks.moves import Move
from stockpile_web.games.stonks.view import View

__all__ = ["Board", "board"]


class Board(Piece, frozen=True):
    """The board of one viewer."""

    news: News
    tiles: list[TileRow]
    trick: Trick | None  # While there is one.
    hand: Hand | None  # Of a player, until the end.
    portfolio: Portfolio | None  # Likewise.
    players: list[PlayerRow]
    discarded: dict[Company, list[int]]
    account: Account | None  # At the end.


def board(view: View, moves: list[Move], since: Sequence[Facts], result: Result | None) -> Board:
    """Work out what the board of `view` shows."""
    told = news(view, () if view.over else since)
    return Board(
        news=told,
        tiles=tiles(view, moves, told.moved),
        trick=trick(view, moves),
        hand=hand(view, moves),
        portfolio=portfolio(view),
        players=players(view, told.gained),
        discarded=discarded(view.discard),
        account=account(result),
    )
