"""Moves as facts, for words: with what a view tells about what they name by a number."""

from typing import Any

from stockpile_web.engine import Facts
from stockpile_web.engine.advice import move_facts
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.moves import (
    Bid,
    Done,
    LookAtPair,
    Move,
    MoveCard,
    PlaceGoods,
    PlayStrategy,
)
from stockpile_web.games.stockpile.view import View


def what(view: View, move: Move) -> Facts:
    """Return a move of the viewer's as facts."""
    assert view.own is not None
    more: Facts = {}
    match move:
        case Bid(pile, space) if view.phase == "auction":
            more = {"amount": BID_TRACK[space], "investor": view.piles[pile].cards[0].card}
        case Bid(_, space):
            more = {"amount": view.own.bid_track[space], "investor": None}
        case Done():
            assert view.viewer is not None
            more = {"phase": view.phase, "sold": view.players[view.viewer].sold}
        case MoveCard(pile, position, _):
            more = {"card": view.piles[pile].cards[position].card}
        case PlaceGoods():
            more = {"cards": view.own.drawn}
        case LookAtPair(pair):
            more = {"holder": view.pairs[pair].holder}
        case PlayStrategy(card, picks):
            more = {"picks": [_pick(view, card, pick) for pick in picks]}
    return move_facts(move) | more


# Their numbers are pairs; those of others are steps.
OF_PAIRS = {"corporate_espionage", "insider_trading", "data_broker", "falsified_earnings"}


def _pick(view: View, card: str, pick: Any) -> Any:
    """Return what a strategy was given: a company, a number of steps, or a pair by its holder."""
    if card not in OF_PAIRS or not isinstance(pick, int) or isinstance(pick, bool):
        return pick
    pair = view.pairs[pick]
    return {"holder": pair.holder, "company": pair.company}
