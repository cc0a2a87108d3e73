"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.stonks.bots import casual, explaining, steady

BOTS = {
    "casual": Bot("Casual", "Plays any card, but takes the best one it can get.", casual.choose),
    "steady": Bot(
        "Steady",
        "Weighs what a card does to the market and what the trick may bring.",
        steady.choose,
        explain=explaining.explain,
    ),
}
