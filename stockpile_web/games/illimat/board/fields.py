"""The fields on a board: what lies there, what is new, and what cards of the hand can do there."""

from stockpile_web.engine import Facts, Piece
from stockpile_web.games.illimat.board.news import News
from stockpile_web.games.illimat.board.ways import Way, ways
from stockpile_web.games.illimat.data import CARDS, Card, Face
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.luminaries.texts import TEXTS, Text
from stockpile_web.games.illimat.moves import Add, Move, Swap
from stockpile_web.games.illimat.state import PLAYING
from stockpile_web.games.illimat.view import FieldView, View

# Two above, two below: clockwise the third field comes before the fourth.
ON_THE_PAGE = (0, 1, 3, 2)


class SwapFor(Piece, frozen=True):
    """An exchange for a card of the hand."""

    place: int
    card: Card
    part: Facts


class ItemRow(Piece, frozen=True):
    """A loose card or a stockpile."""

    item: Item
    faces: list[Face]
    is_new: bool
    is_chosen: bool  # It is in the harvest or stockpile that is being put together.
    adds: list[Add]
    swaps: list[SwapFor]


class HeldWays(Piece, frozen=True):
    """What one card of the hand can do in a field."""

    place: int
    card: Card
    ways: list[Way]
    pairs: list[Way]  # Harvests that are begun with a second card, by the Union.


class FieldRow(Piece, frozen=True):
    """A field."""

    home: int
    field: FieldView
    items: list[ItemRow]
    text: Text | None  # Of a Luminary that is face up.
    is_revealed: bool  # It was turned up since the viewer's last turn.
    is_chosen: bool  # Something is being put together here.
    held: list[HeldWays]


def fields(view: View, moves: list[Move], told: News) -> list[FieldRow]:
    """Lay out the fields."""
    return [_row(view, moves, told, home) for home in ON_THE_PAGE]


def names_of_luminaries(view: View) -> dict[str, Text]:
    """Return the texts of all Luminaries that can be seen."""
    seen = [field.luminary for field in view.fields if field.luminary]
    seen += [key for player in view.players for key in player.luminaries]
    return {key: TEXTS[key] for key in seen}


def _row(view: View, moves: list[Move], told: News, home: int) -> FieldRow:
    field = view.fields[home]
    choice = view.own.choice if view.own else None
    is_here = choice is not None and choice.field == home
    return FieldRow(
        home=home,
        field=field,
        items=[_item(view, moves, told, home, item) for item in field.items],
        text=TEXTS[field.luminary] if field.luminary else None,
        is_revealed=home in told.revealed,
        is_chosen=is_here,
        held=_held(view, moves, home),
    )


def _held(view: View, moves: list[Move], home: int) -> list[HeldWays]:
    """List by card what can be done in a field; nothing while one thing is put together."""
    if view.own is None or view.own.choice or view.phase != PLAYING or not moves:
        return []
    return [_held_ways(moves, home, place, card) for place, card in enumerate(view.own.hand)]


def _held_ways(moves: list[Move], home: int, place: int, card: Card) -> HeldWays:
    found = ways(moves, card, home)
    pairs = [way for way in found if way.step and way.others]
    return HeldWays(place, card, [way for way in found if way not in pairs], pairs)


def _item(view: View, moves: list[Move], told: News, home: int, item: Item) -> ItemRow:
    choice = view.own.choice if view.own else None
    is_here = choice is not None and choice.field == home
    return ItemRow(
        item=item,
        faces=[CARDS[card] for card in item.cards],
        is_new=item.name in told.laid,
        is_chosen=is_here and choice is not None and item.name in choice.added,
        adds=[
            move for move in moves if isinstance(move, Add) and is_here and move.item == item.name
        ],
        swaps=_swaps(view, moves, home, item),
    )


def _swaps(view: View, moves: list[Move], home: int, item: Item) -> list[SwapFor]:
    hand = view.own.hand if view.own else []
    return [
        SwapFor(
            hand.index(move.card), move.card, {"move": "Swap", "item": item.name, "field": home}
        )
        for move in moves
        if isinstance(move, Swap) and move.field == home and move.item == item.name
    ]
