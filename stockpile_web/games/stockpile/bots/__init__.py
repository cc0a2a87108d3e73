"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.stockpile.bots import casual, sharp, steady

BOTS = {
    "casual": Bot("Casual", "Makes any move, but leaves no money on the table.", casual.choose),
    "steady": Bot("Steady", "Knows what shares are worth.", steady.choose),
    "sharp": Bot("Sharp", "Thinks ahead.", sharp.choose, thinks=True),
}
