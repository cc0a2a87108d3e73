"""The modules of the box, in its order: each answers some of the questions in `twist.py`."""

from collections.abc import Mapping

from stockpile_web.engine import Option
from stockpile_web.games.stockpile.in_play import MODULES
from stockpile_web.games.stockpile.modules.advanced_board import AdvancedBoard
from stockpile_web.games.stockpile.modules.bonds import Bonds
from stockpile_web.games.stockpile.modules.commodities import Commodities
from stockpile_web.games.stockpile.modules.first_player_card import FirstPlayerCard
from stockpile_web.games.stockpile.modules.forecast_dice import ForecastDice
from stockpile_web.games.stockpile.modules.investors import Investors
from stockpile_web.games.stockpile.modules.strategies import Strategies
from stockpile_web.games.stockpile.twist import Twist

# Those with a plain twist only choose what another module does.
MODULES.update(
    {
        "advanced_board": AdvancedBoard(),
        "bonds": Bonds(),
        "forecast_dice": ForecastDice(),
        "commodities": Commodities(),
        "strategies": Strategies(),
        "named_strategies": Twist(),
        "first_player_card": FirstPlayerCard(),
        "investors": Investors(),
        "epic_investors": Twist(),
        "promo_investors": Twist(),
        "investor_bidding": Twist(),
    }
)

OPTIONS: tuple[Option, ...] = (
    Option(
        "advanced_board",
        "Advanced board",
        "Each company has a track of its own: some leap, some creep, and Stanford Steel pays "
        "dollars on its way up.",
    ),
    Option(
        "bonds",
        "Bonds",
        "At the start of a round you may buy bonds: $1K interest each round, and their price back "
        "at the end.",
    ),
    Option(
        "forecast_dice",
        "Forecast dice",
        "Six dice say each round which forecasts are dealt, so no two rounds are alike.",
    ),
    Option(
        "commodities",
        "Commodities and taxes",
        "The piles also hold goods, worth more the more kinds you collect, and taxes that cost "
        "you at the end.",
    ),
    Option(
        "strategies",
        "Investment strategies",
        "A hand of shady deals: one may be played on each of your Action turns.",
    ),
    Option(
        "named_strategies",
        "Named strategies only",
        "Leave out the strategies that we made up ourselves.",
        needs="strategies",
    ),
    Option(
        "first_player_card",
        "First player card",
        "Who goes first is won with a pile, and given away by its winner.",
    ),
    Option(
        "investors",
        "Investors",
        "Each player picks a character with its own money and a power: the ten of the first box.",
    ),
    Option(
        "epic_investors",
        "More investors: expansions",
        "Adds seven; three of them only appear with the module they live on.",
        needs="investors",
    ),
    Option(
        "promo_investors",
        "More investors: promos",
        "Adds nine, the strangest of all.",
        needs="investors",
    ),
    Option(
        "investor_bidding",
        "Investor bidding",
        "Investors are auctioned off: you bid part of their starting money.",
        needs="investors",
    ),
)

NEEDS = {option.key: option.needs for option in OPTIONS}


def chosen(options: Mapping[str, int]) -> tuple[str, ...]:
    """Return the modules for `options`, without those that lack what they need."""
    return tuple(
        key for key in MODULES if key in options and (not NEEDS[key] or NEEDS[key] in options)
    )
