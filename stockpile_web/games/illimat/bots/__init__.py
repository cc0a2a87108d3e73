"""Who may play a seat when no person does, the plainest first."""

from stockpile_web.engine import Bot
from stockpile_web.games.illimat.bots import casual, explaining, steady

BOTS = {
    "casual": Bot("Casual", "I harvest when I can, whatever it is, and sow.", casual.choose),
    "steady": Bot(
        "Steady",
        "I weigh what each play brings, what it leaves to you, and what I can take later.",
        steady.choose,
        explain=explaining.explain,
        # Over 2000 games against three steady ones in the copy of the rules of which `steady.py`
        # tells, whoever made any move so near to the best won 24 %, and the best of all 25 %;
        # within 0.35 points 20 %, within 0.5 points 16 %.
        clearly=0.25,
    ),
}
