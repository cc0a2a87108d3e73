"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.stonks.bots import casual, explaining, steady

BOTS = {
    "casual": Bot("Casual", "I play any card, but take the best one I can get.", casual.choose),
    "steady": Bot(
        "Steady",
        "I weigh what a card does to the market and what the trick may bring.",
        steady.choose,
        explain=explaining.explain,
        # Over 800 games against three steady ones, whoever made any move within one point of the
        # best won 26 %, as steady does itself (28 %); within 2 points 23 %, within 4 points 12 %.
        clearly=1.0,
    ),
}
