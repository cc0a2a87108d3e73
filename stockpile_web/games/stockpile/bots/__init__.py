"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.stockpile.bots import casual

BOTS = {
    "casual": Bot("Casual", "Makes any move, but leaves no money on the table.", casual.choose),
}
