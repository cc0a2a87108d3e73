"""The phases, in the order of the rulebook's summary: before the game, then a round.

Those that are plain windows belong to modules and investors; nobody decides anything in them
unless a twist says so.
"""

from stockpile_web.games.stockpile.phases.action import ActionPhase
from stockpile_web.games.stockpile.phases.demand import Demand
from stockpile_web.games.stockpile.phases.information import Information, Outlook
from stockpile_web.games.stockpile.phases.investor_auction import InvestorAuction
from stockpile_web.games.stockpile.phases.movement import Movement
from stockpile_web.games.stockpile.phases.phase import Choice, Phase, Window
from stockpile_web.games.stockpile.phases.round_beginning import RoundBeginning
from stockpile_web.games.stockpile.phases.round_end import Interest, RoundEnd
from stockpile_web.games.stockpile.phases.selling import Selling
from stockpile_web.games.stockpile.phases.supply import Opening, Supply

PHASES: dict[str, Phase] = {
    "keeping": Choice(),
    "auction": InvestorAuction(),
    "discarding": Choice(),
    "round_beginning": RoundBeginning(),
    "outlook": Outlook(),
    "before_information": Window(),
    "information": Information(),
    "opening": Opening(),
    "supply": Supply(),
    "after_supply": Window(),
    "end_of_supply": Window(),
    "before_demand": Window(),
    "demand": Demand(),
    "piles_won": Window(),
    "after_demand": Window(),
    "action": ActionPhase(),
    "selling": Selling(),
    "after_selling": Window(),
    "before_movement": Window(),
    "movement": Movement(),
    "interest": Interest(),
    "end_of_round": Window(),
    "round_end": RoundEnd(),
}


def _after(phases: list[str]) -> dict[str, str]:
    """After the round end comes the beginning of the next round."""
    return dict(zip(["setup", *phases], [*phases, "round_beginning"], strict=True))


AFTER = _after([*PHASES])

# The same without the windows, for tables at which nobody is asked anything in them.
AFTER_IN_BASE_GAME = _after(
    [name for name, phase in PHASES.items() if type(phase) not in (Window, Choice)]
)
