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
        # Over 800 games against three steady ones, whoever made any move within $1K of the best won
        # 23 %, as steady does itself (24 %); within $2K 20 %, and within $3K 10 %.
        clearly=1.0,
    ),
    "sharp": Bot(
        "Sharp",
        "I think for a moment: I read your bids, and play the auction in my head first.",
        sharp.choose,
        thinks=True,
    ),
}
