"""The odds by what one seat sees: which cards are out of sight, and what others can take.

Harvest piles are closed until the round is scored: what others have harvested is out of sight, too.
Whoever remembers it knows better.
"""

from stockpile_web.engine import Piece
from stockpile_web.engine.odds import chance_of_any
from stockpile_web.games.illimat.data import CARDS, HARVEST, MOST, STARS, SUITS, Card, Season, Suit
from stockpile_web.games.illimat.fields import Item, can_take
from stockpile_web.games.illimat.view import FieldView, View


class OutOfSight(Piece, frozen=True):
    """The cards of a suit that the seat does not see."""

    suit: Suit
    cards: list[Card]


class StockpileOdds(Piece, frozen=True):
    """How likely another player holds a card that takes a stockpile by its own value."""

    value: int
    cards: tuple[Card, ...]
    chance: float


class FieldOdds(Piece, frozen=True):
    """How likely another player holds a card that takes anything from a field."""

    season: Season
    chance: float
    stockpiles: list[StockpileOdds]


class Odds(Piece, frozen=True):
    """What a seat can work out."""

    unseen: list[OutOfSight]
    in_hands: int  # So many of these are in the hands of others,
    harvested: int  # so many in their harvest piles,
    elsewhere: int  # and so many in the deck, or hidden.
    fields: list[FieldOdds]  # In which something lies, and where harvesting is allowed.


def odds(view: View) -> Odds | None:
    """Return the odds as the viewer of a view can work them out."""
    if view.own is None or view.over:
        return None
    unseen = _unseen(view)
    others = [player for seat, player in enumerate(view.players) if seat != view.viewer]
    hands, piles = sum(each.hand for each in others), sum(each.pile for each in others)
    open_fields = (each for each in view.fields if each.items and each.forbidden != HARVEST)
    return Odds(
        unseen=[
            OutOfSight(suit, [card for card in unseen if CARDS[card].suit == suit])
            for suit in SUITS
            if suit != STARS or view.has_stars
        ],
        in_hands=hands,
        harvested=piles,
        elsewhere=len(unseen) - hands - piles,
        fields=[_field(each, unseen, hands) for each in open_fields],
    )


def _unseen(view: View) -> list[Card]:
    """Return the cards that the seat does not see."""
    assert view.own is not None
    seen = {*view.own.hand, *view.own.pile}
    seen |= {card for field in view.fields for item in field.items for card in item.cards}
    if view.own.choice is not None:
        seen |= {*view.own.choice.cards}
    return [
        card
        for card, face in CARDS.items()
        if card not in seen and (view.has_stars or face.suit != STARS)
    ]


def _field(field: FieldView, unseen: list[Card], hands: int) -> FieldOdds:
    stockpiles = [item for item in field.items if not item.is_loose]
    return FieldOdds(
        season=field.season,
        chance=_taken(field.items, unseen, hands),
        stockpiles=[
            StockpileOdds(item.value, item.cards, _taken([item], unseen, hands))
            for item in stockpiles
        ],
    )


def _taken(items: list[Item], unseen: list[Card], hands: int) -> float:
    """Return how likely one of so many cards in hands can take any of these."""
    values = {value for value in range(1, MOST + 1) if can_take(items, value)}
    wanted = sum(not values.isdisjoint(CARDS[card].values) for card in unseen)
    return chance_of_any(len(unseen), wanted, hands)
