"""What modules brought into a match: investors, and what was done with powers and pieces."""

from stockpile_web.engine.story import Column, DataTable, Row
from stockpile_web.games.stockpile.story.history import History

# Told as the log tells them; what moves the market or is paid every round is told elsewhere.
DEEDS = (
    "bonds_bought", "bond_taken", "strategy_played", "forecast_falsified", "forecast_changed",
    "nudged", "pair_seen", "pile_seen", "pair_shown", "card_moved", "dividend_chosen", "sold_short",
    "doubled", "discard_taken", "discard_bought", "companies_shown", "money_given",
    "first_card_given",
)  # fmt: skip


def investors(history: History) -> DataTable:
    """Return who played whom, if there were investors."""
    rows = [
        Row([{"kind": "player", "seat": event.facts["seat"]}, event.facts], event.turn)
        for event in history.of_kind("investors_kept", "investor_won")
    ]
    return DataTable("Investors", [Column("Player"), Column("How it came about")], rows)


def deeds(history: History) -> DataTable:
    """Return what was done beyond the base rules."""
    rows = [Row([event.round, event.facts], event.turn) for event in history.of_kind(*DEEDS)]
    columns = [Column("Round", str), Column("What happened")]
    return DataTable("Powers, strategies and bonds", columns, rows)
