"""What is printed in the Epic Edition beyond the base game, each table with its confidence.

Certain: in the rulebook. Likely: inferred or from one good source. House: our own value, for want
of the printed one; an owner of the game who knows better changes it here.
"""

from stockpile_web.games.stockpile.data import Forecast

# Bonds: certain.
BONDS = 40
BOND_PRICE = {2: 7, 3: 6, 4: 5, 5: 4}  # By players.
BONDS_A_ROUND = 3
INTEREST = 1

# Commodities and taxes. The kinds and what they score: certain. The copies: likely.
COMMODITIES = {
    "gold": "Gold",
    "platinum": "Platinum",
    "oil": "Oil",
    "gas": "Natural gas",
    "corn": "Corn",
    "cattle": "Cattle",
}
TAX = "tax"
COMMERCE_DECK = {**dict.fromkeys(COMMODITIES, 3), TAX: 7}
SET_BONUS = (0, 3, 8, 15, 24, 35, 48)  # By different commodities in a set.
TAX_PENALTY = (0, 2, 6, 12, 20, 30, 42, 56)  # By tax cards.

# Forecast dice: six of them, certain; their faces: house. Every roll can be made of the 22 cards.
_UP: tuple[Forecast, ...] = ("+1", "+2", "+2", "+3", "+3", "+4")
_DOWN: tuple[Forecast, ...] = ("-1", "-2", "-2", "-3", "-3", "-4")
_PAYS: tuple[Forecast, ...] = ("$", "$", "$$", "$$", "$$$", "$$$")
DICE = (_UP, _UP, _DOWN, _DOWN, _PAYS, _PAYS)

FIRST_CARD = "first"

# What a share brings when Shorting Soros sells it, and by which list Budget Barbara bids: certain.
SHORT_PRICE = 8
BARBARAS_TRACK = (-4, -3, 0, 3, 8, 15, 22, 30)

# Investment strategies. The way they are dealt and played: certain.
STRATEGIES_BEYOND_ROUNDS = 3
STRATEGIES_DISCARDED = 2

# What a strategy pays by the space on which your meeple ended: house.
BLOCK_TRADING = {4: 4, 5: 6, 6: 8, 7: 10}
VALUE_INVESTING = {0: 7, 1: 6, 2: 4, 3: 2}
