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
    ),
}
