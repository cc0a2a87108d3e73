"""The phases of a round, in the order of the rulebook."""

from stockpile_web.games.stockpile.phases.action import ActionPhase
from stockpile_web.games.stockpile.phases.demand import Demand
from stockpile_web.games.stockpile.phases.information import Information
from stockpile_web.games.stockpile.phases.movement import Movement
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.phases.round_end import RoundEnd
from stockpile_web.games.stockpile.phases.selling import Selling
from stockpile_web.games.stockpile.phases.supply import Supply

PHASES: dict[str, Phase] = {
    "information": Information(),
    "supply": Supply(),
    "demand": Demand(),
    "action": ActionPhase(),
    "selling": Selling(),
    "movement": Movement(),
    "round_end": RoundEnd(),
}

# After the round end comes the next round's first phase.
AFTER = dict(zip(["setup", *PHASES], [*PHASES, "information"], strict=True))
