"""What the phases are called, for players; some that follow each other have one name."""

from collections.abc import Mapping

PHASES: Mapping[str, str] = {
    "keeping": "Before the game",
    "auction": "Investor auction",
    "discarding": "Before the game",
    "round_beginning": "Round beginning",
    "before_information": "Before the deal",
    "opening": "Opening",
    "supply": "Supply",
    "after_supply": "Supply",
    "end_of_supply": "Supply",
    "before_demand": "Before the bidding",
    "demand": "Demand",
    "piles_won": "After the bidding",
    "after_demand": "After the bidding",
    "action": "Action",
    "selling": "Selling",
    "after_selling": "Selling",
    "before_movement": "After the selling",
    "movement": "Movement",
    "interest": "Round end",
    "end_of_round": "Round end",
    "game_end": "The end",
}
