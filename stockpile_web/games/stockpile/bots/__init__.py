"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.stockpile.bots import casual, explaining, sharp, steady

BOTS = {
    "casual": Bot("Casual", "I play at a glance, by rules of thumb.", casual.choose),
    "steady": Bot(
        "Steady",
        "I know what shares are worth, and I count cards.",
        steady.choose,
        explain=explaining.explain,
    ),
    "sharp": Bot(
        "Sharp",
        "I think for a moment: I read your bids, and play the auction in my head first.",
        sharp.choose,
        thinks=True,
    ),
}
