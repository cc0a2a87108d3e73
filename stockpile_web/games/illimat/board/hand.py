"""The hand on a board: what a card counts as, and what playing it would turn."""

from collections.abc import Collection

from stockpile_web.engine import Facts, Piece
from stockpile_web.games.illimat.board.ways import cards_of, seasons_to_name
from stockpile_web.games.illimat.data import CARDS, STARS, Card, Face, Season
from stockpile_web.games.illimat.moves import Move
from stockpile_web.games.illimat.view import View


class Held(Piece, frozen=True):
    """A card of the hand."""

    place: int  # From the left; style sheets show by it what belongs to the card that is picked.
    card: Card
    face: Face
    part: Facts | None  # What picking it brings to a move; None: nothing can be done with it now.
    is_active: bool  # It is in the harvest or stockpile that is being put together.
    is_new: bool
    turns_to: Season  # What it makes of the field into which it is played; empty: nothing.
    seasons: list[Season]  # Between which its player chooses instead.


def hand(view: View, moves: list[Move], drawn: Collection[Card]) -> list[Held]:
    """Lay out the hand of a player."""
    if view.own is None or view.over:
        return []
    choice = view.own.choice
    active = choice.cards if choice else ()
    usable = {card for move in moves for card in cards_of(move)}
    return [
        Held(
            place=place,
            card=card,
            face=CARDS[card],
            part={"move": "Sow", "card": card} if card in usable else None,
            is_active=card in active,
            is_new=card in drawn,
            turns_to=_turns_to(view, card),
            seasons=seasons_to_name(moves, card),
        )
        for place, card in enumerate(view.own.hand)
    ]


def _turns_to(view: View, card: Card) -> Season:
    face = CARDS[card]
    return face.suit if face.turns and face.suit != STARS and view.can_turn else ""
