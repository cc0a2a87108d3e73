"""What investors and strategies are worth on average, for choices made before the game.

Estimates by hand, as the rules read; `./run bench balance` measures what they bring.
"""

from stockpile_web.games.stockpile.investors import starting_money

# What a power brings in a game beyond the investor's money, with three players or more.
POWERS = {
    "bill": 0, "bernie": 6, "cramer": 12, "donald": 18, "deborah": 9, "graham": 16, "martha": 8,
    "mark": 6, "stuart": 5, "warren": 5, "ana": 14, "chanda": 10, "carlos": 8, "dangote": 12,
    "li": 8, "talal": 4, "ivan": 16, "barack": 12, "barbara": 20, "phil": 6, "liliane": 20,
    "mitt": 12, "oprah": -10, "robins": 4, "soros": 16, "sanders": 8,
}  # fmt: skip
IN_TWO_HANDS = 1.6  # With two players a power serves two meeples and twice the cards.

STRATEGIES = {
    "block_trading": 4, "value_investing": 4, "convertible_bond": 4, "corner_the_market": 3,
    "corporate_espionage": 5, "insider_trading": 2, "data_broker": 5, "diversification": 7,
    "dividend_growth": 3, "special_dividend": 3, "falsified_earnings": 4, "fraudulent_transfer": 5,
    "vulture_capitalism": 4, "interpositioning": 4, "market_maker": 2, "naked_short": 4,
    "rogue_trading": 4, "systemic_shock": 3, "short_and_distort": 7, "pump_and_dump": 4,
    "bear_raid": 3, "front_running": 3, "stock_buyback": 5, "golden_parachute": 4,
    "offshore_account": 4, "tax_haven": 4, "junk_bonds": 4,
}  # fmt: skip


def investor_worth(key: str, seats: int) -> float:
    """Return what an investor is worth: money to begin with, and what the power will bring."""
    return starting_money(key, seats) + POWERS[key] * (IN_TWO_HANDS if seats == 2 else 1)
