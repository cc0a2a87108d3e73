"""All that is printed, for templates: what the contract calls `data`."""

from stockpile_web.games.stockpile.data import (
    ACTIONS,
    BID_TRACK,
    BOARDS,
    COMPANIES,
    FEES,
    MAJORITY,
    MAJORITY_TIED,
    MARKET_DECK,
    SPLIT_BONUS,
    TABLES,
)
from stockpile_web.games.stockpile.data_epic import (
    BOND_PRICE,
    BONDS,
    COMMERCE_DECK,
    COMMODITIES,
    DICE,
    FIRST_CARD,
    SET_BONUS,
    SHORT_PRICE,
    STRATEGIES_DISCARDED,
    TAX_PENALTY,
)
from stockpile_web.games.stockpile.investors import INVESTORS, starting_money
from stockpile_web.games.stockpile.modules import OPTIONS
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES

__all__ = [
    "ACTIONS", "BID_TRACK", "BOARDS", "BONDS", "BOND_PRICE", "COMMERCE_DECK", "COMMODITIES",
    "COMPANIES", "DICE", "FEES", "FIRST_CARD", "INVESTORS", "MAJORITY", "MAJORITY_TIED",
    "MARKET_DECK", "OPTIONS", "SET_BONUS", "SHORT_PRICE", "SPLIT_BONUS", "STRATEGIES",
    "STRATEGIES_DISCARDED", "TABLES", "TAX_PENALTY", "starting_money",
]  # fmt: skip
