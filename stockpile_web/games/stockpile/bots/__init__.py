"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.stockpile.bots import casual, explaining, sharp, steady

BOTS = {
    "casual": Bot("Casual", "Plays at a glance, by rules of thumb.", casual.choose),
    "steady": Bot(
        "Steady",
        "Knows what shares are worth, and counts cards.",
        steady.choose,
        explain=explaining.explain,
    ),
    "sharp": Bot(
        "Sharp",
        "Thinks for a moment: reads your bids, and plays the auction in its head first.",
        sharp.choose,
        thinks=True,
    ),
}
