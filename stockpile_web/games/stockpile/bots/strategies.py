"""Which strategy to play: each is tried out on an imagined table, and what comes of it valued."""

from itertools import groupby, zip_longest
from typing import Any

from stockpile_web.engine import Dealer, Rng
from stockpile_web.games.stockpile import rules
from stockpile_web.games.stockpile.bots.imagine import imagine
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.powers import share_lost
from stockpile_web.games.stockpile.bots.trading import move_gain
from stockpile_web.games.stockpile.bots.value import value
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.moves import Move, PlayStrategy
from stockpile_web.games.stockpile.view import View
from stockpile_web.games.stockpile.view import view as view_of

WAYS = 3  # To play each card, that are tried out.
SEED = 0.5  # Always the same: asked again, the bot thinks the same.


def strategy_gains(outlook: Outlook, moves: list[Any]) -> dict[Move, float]:
    """Return what the best ways to play each card in hand gain beyond doing nothing."""
    plays = [move for move in moves if isinstance(move, PlayStrategy)]
    gains: dict[Move, float] = {}
    if not plays:
        return gains
    now = value(outlook.view)
    for _, ways in groupby(plays, lambda move: move.card):
        best = sorted(ways, key=lambda move: first_sight(outlook, move), reverse=True)
        gains |= {move: _tried(outlook.view, move) - now for move in best[:WAYS]}
    return gains


def _tried(view: View, move: PlayStrategy) -> float:
    assert view.viewer is not None
    state = imagine(view, Rng(SEED))
    rules.play(state, view.viewer, move, Dealer(str(SEED)))
    return value(view_of(state, view.viewer))


def first_sight(outlook: Outlook, move: PlayStrategy) -> float:
    """Return roughly which of the ways to play a card is good: shares given, taken and moved."""
    gain = 0.0
    for pick, after in zip_longest(move.picks, move.picks[1:]):
        if pick not in COMPANIES:
            continue
        company = str(pick)
        if isinstance(after, bool):
            gain -= share_lost(outlook, company, half=after)
        elif isinstance(after, int):
            gain += move_gain(outlook, company, after)
        else:
            gain += outlook.card(company)
    return gain
