"""What a board shows besides the view itself: all that has to be worked out for a template."""

from collections.abc import Sequence

from stockpile_web.engine import Facts, Piece, Result
from stockpile_web.games.illimat.board.account import Account, account
from stockpile_web.games.illimat.board.choice import Chosen, chosen
from stockpile_web.games.illimat.board.fields import FieldRow, fields, names_of_luminaries
from stockpile_web.games.illimat.board.hand import Held, hand
from stockpile_web.games.illimat.board.harvest import HarvestPile, harvest_pile
from stockpile_web.games.illimat.board.news import News, news
from stockpile_web.games.illimat.board.players import PlayerRow, players
from stockpile_web.games.illimat.data import RING, SUMMER
from stockpile_web.games.illimat.luminaries.texts import Text
from stockpile_web.games.illimat.moves import Done, Move, SowMore, Swap, TurnIllimat
from stockpile_web.games.illimat.view import View

__all__ = ["Board", "board"]


class Board(Piece, frozen=True):
    """The board of one viewer."""

    news: News
    fields: list[FieldRow]  # As they lie on a page: two above, two below.
    summer: int  # The field toward which Summer points.
    ring: tuple[str, ...]  # The sides of the Illimat.
    hand: list[Held]
    chosen: Chosen | None  # The harvest or stockpile that is being put together.
    turnings: list[TurnIllimat]
    done: Done | None
    swaps: bool  # Something may be exchanged.
    sows_more: bool  # A Luminary asks for a further card.
    harvest: HarvestPile | None  # Of a player.
    luminaries: dict[str, Text]  # Those that lie face up or were claimed.
    players: list[PlayerRow]
    account: Account | None  # At the end.


def board(view: View, moves: list[Move], since: Sequence[Facts], result: Result | None) -> Board:
    """Work out what the board of `view` shows."""
    told = news(view, () if view.over else since)
    return Board(
        news=told,
        fields=fields(view, moves, told),
        summer=next(home for home, each in enumerate(view.fields) if each.season == SUMMER),
        ring=RING,
        hand=hand(view, moves, told.drawn),
        chosen=chosen(view, moves),
        turnings=[move for move in moves if isinstance(move, TurnIllimat)],
        done=next((move for move in moves if isinstance(move, Done)), None),
        swaps=any(isinstance(move, Swap) for move in moves),
        sows_more=any(isinstance(move, SowMore) for move in moves),
        harvest=harvest_pile(view),
        luminaries=names_of_luminaries(view),
        players=players(view, told.gained),
        account=account(result),
    )
