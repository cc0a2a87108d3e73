"""The odds by what one seat sees: which cards are still out, and whether a trick stays mine."""

from stockpile_web.engine import Piece
from stockpile_web.engine.odds import chance_of_any
from stockpile_web.games.stonks.bots.steady import Mind
from stockpile_web.games.stonks.data import CARDS, Card, Company
from stockpile_web.games.stonks.moves import PlayCard
from stockpile_web.games.stonks.state import TRICK
from stockpile_web.games.stonks.view import View


class OutOfSight(Piece, frozen=True):
    """The numbers of a company that the seat has not seen."""

    company: Company
    numbers: list[int]


class CardOdds(Piece, frozen=True):
    """What the trick promises if a card of the hand is played, and the market stays as it is."""

    card: Card
    unbeatable: float  # Counted: nobody who plays later holds a better one.
    wins: float  # About: a rule of thumb of the steady bot.


class Odds(Piece, frozen=True):
    """What a seat can work out."""

    unseen: list[OutOfSight]
    in_hands: int  # So many of these are in the hands of others,
    elsewhere: int  # and so many in the pile, or face-down.
    cards: list[CardOdds]  # While the seat is to play.


def odds(view: View) -> Odds | None:
    """Return the odds as the viewer of a view can work them out."""
    if view.own is None or view.over:
        return None
    mind = Mind(view)
    hands = sum(player.hand for seat, player in enumerate(view.players) if seat != view.viewer)
    return Odds(
        unseen=[
            OutOfSight(
                company,
                [CARDS[card].number for card in mind.unseen if CARDS[card].company == company],
            )
            for company in mind.tiles
        ],
        in_hands=hands,
        elsewhere=len(mind.unseen) - hands,
        cards=_cards(mind) if view.phase == TRICK and view.viewer in view.on_turn else [],
    )


def _cards(mind: Mind) -> list[CardOdds]:
    view, own = mind.view, mind.own
    played = {mind.me, *(played.seat for played in view.trick)}
    later = sum(player.hand for seat, player in enumerate(view.players) if seat not in played)
    found = []
    for card in own.hand:
        if own.follows and CARDS[card].company != view.leading:
            continue
        trick, unbeatable = mind.trick(PlayCard(card, "", up=False)), 0.0
        if trick.better is not None:
            unbeatable = 1 - chance_of_any(len(mind.unseen), trick.better, later)
        found.append(CardOdds(card, unbeatable, trick.chance))
    return found
