"""The story of a match of Stockpile: a file for each thing that there is to tell."""

from collections.abc import Sequence

from stockpile_web.engine.story import Story, Told
from stockpile_web.games.stockpile.story import (
    auctions,
    lines,
    market,
    pieces,
    tips,
    turning_points,
)
from stockpile_web.games.stockpile.story.history import read

__all__ = ["story"]


def story(turns: Sequence[Told]) -> Story:
    """Tell of prices and money, auctions, tips, the market, and the moments that mattered."""
    history = read(turns)
    piles = auctions.piles(history)
    tables = [
        auctions.table(piles),
        tips.table(history),
        market.table(history),
        pieces.investors(history),
        pieces.deeds(history),
    ]
    return Story(
        turning_points.find(history, piles),
        lines.charts(history),
        [table for table in tables if table.rows],
    )
