"""Why a move is not open, in the player's words and from what the player sees alone."""

from typing import Any

from stockpile_web.games.stonks.data import CARDS, COMPANIES
from stockpile_web.games.stonks.moves import Acquire, Announce, Disguise, Invest, Move, PlayCard
from stockpile_web.games.stonks.state import ACQUIRING, PORTFOLIO, TRICK
from stockpile_web.games.stonks.view import OwnView, View

NOT_IN_HAND = "That card is not in your hand."


def why_not(view: View, moves: list[Move], move: Any) -> str:
    """Say why `move` is not among the moves that are open to the viewer."""
    if view.own is None:
        return ""
    if isinstance(move, Invest) and view.phase == PORTFOLIO:
        return "Choose two different cards." if move.show == move.hide else NOT_IN_HAND
    if isinstance(move, PlayCard | Announce | Disguise) and view.phase == TRICK:
        return _card(view, view.own, move)
    if isinstance(move, Acquire) and view.phase == ACQUIRING:
        return "That card is neither in the trick you won nor the market card."
    return ""


def _card(view: View, own: OwnView, move: PlayCard | Announce | Disguise) -> str:
    if move.card not in own.hand:
        return NOT_IN_HAND
    face = CARDS[move.card]
    if own.follows and face.company != view.leading:
        return f"{COMPANIES[view.leading]} leads and you have it, so you must follow."
    if isinstance(move, Announce | Disguise):
        reason = _speculation(view, own, move)
        if reason or isinstance(move, Announce):
            return reason
    if move.company and not face.icons:
        return "That card has no arrows, and moves no company."
    if not move.company and face.icons:
        return "Choose a company for the arrows of that card to move."
    return "The arrows of that card cannot move that company so."


def _speculation(view: View, own: OwnView, move: Announce | Disguise) -> str:
    assert view.viewer is not None
    if not view.players[view.viewer].speculation:
        return "You have used your Speculation Card."
    if view.speculator is not None:
        return "Somebody else speculates in this trick already."
    if own.follows:
        return "Whoever follows cannot speculate."
    if isinstance(move, Announce):
        return "Only who leads announces a company." if view.trick else "That company is not there."
    return "" if view.trick else "Whoever leads announces a company."
