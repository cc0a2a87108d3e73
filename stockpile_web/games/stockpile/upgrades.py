"""Running matches of earlier versions of these rules, made ones of today's."""

from typing import Any

from stockpile_web.engine import Seat, Upgrades

# Powers used in a round were noted by what they do, and are now by whose they are.
POWERS_OF_VERSION_1 = {
    "PaidForVariety": "ana",
    "BuysDiscarded": "barack",
    "Doubles": "chanda",
    "MovesTheMarket": "cramer",
    "PaysDividend": "deborah",
    "MovesACard": "mark",
    "SeesAPair": "martha",
    "GivesAway": "oprah",
    "TakesACard": "phil",
    "Redistributes": "sanders",
    "SellsShort": "soros",
    "SeesAPile": "warren",
}


def from_version_1(state: dict[str, Any]) -> dict[str, Any]:
    """Version 2: one moment for all investors of the round's end; all see who laid a card."""
    queue = state.get("queue", [])
    for seat, player in enumerate(state["players"]):
        player["used"] = [POWERS_OF_VERSION_1[name] for name in player.get("used", [])]
        if state["phase"] != "action" or queue[:1] != [seat]:  # What a strategy let them sell.
            player.pop("selling", None)
    for pile in state.get("piles", []):
        for laid in pile:
            if not laid.get("up", True):  # Nobody knew a back before the one who laid it.
                laid["by"] = laid["known"][0]
    if state["phase"] in ("end_of_round", "after_interest"):
        _join_the_ends_of_the_round(state)
    return state


def _join_the_ends_of_the_round(state: dict[str, Any]) -> None:
    """There were two moments: Dangote, Ana and Deborah came before Oprah and Sanders.

    Those who have had their turn in the first one come again after the others, for the second.
    """
    is_second = state["phase"] == "after_interest"
    first, players, waiting = state["first"], state["players"], state["queue"]
    seats: list[Seat] = [*range(first, len(players)), *range(first)]
    passed = [seat for seat in seats if seat not in waiting]
    for seat, player in enumerate(players):
        player["used"] += ["dangote"]
        if is_second or seat in passed:
            player["used"] += ["ana", "deborah"]
    state["phase"] = "end_of_round"
    state["queue"] = waiting if is_second else waiting + passed


def from_version_2(state: dict[str, Any]) -> dict[str, Any]:
    """Version 3: whoever has sold says when they are done. The state of any moment is the same."""
    return state


UPGRADES: Upgrades = {1: from_version_1, 2: from_version_2}
