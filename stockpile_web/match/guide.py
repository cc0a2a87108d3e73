"""The guide: at a first table each decision is explained when it comes, for a round or as asked."""

from typing import NamedTuple

from stockpile_web.engine import Advice
from stockpile_web.match import coach
from stockpile_web.match.glance import Glance, seen_by
from stockpile_web.match.table_view import Table
from stockpile_web.match.turn import Turn


class Guidance(NamedTuple):
    """What the guide has to say to a seat now; the words are the game's own."""

    best: Advice | None  # What a steady player would do, if anything is asked.
    is_past: bool  # What it was to explain is over: now it waits to be asked.


def guide(seen: Glance, table: Table) -> Guidance | None:
    """Guide the viewer, by what they see; None where it was left, or is not wanted any more."""
    mine = seen.seat
    if mine is None or not mine.guided or not coach.is_open(seen):
        return None
    rounds_since = table.view.round - mine.guided
    if rounds_since > 0:
        return Guidance(None, is_past=True) if rounds_since == 1 else None
    return Guidance(next(iter(coach.advise(seen, table)), None), is_past=False)


def change(turn: Turn, user_id: int, *, explains: bool) -> None:
    """Let the decisions of this round be explained to somebody, or leave the guide."""
    if not coach.is_open(seen_by(turn.match, turn.seats, user_id)):
        raise coach.NotCoached
    this_round, _ = turn.phase
    # What comes before the first round belongs to it; 0 is for a guide that was left.
    turn.seat_of(user_id).guided = max(1, this_round) if explains else 0
