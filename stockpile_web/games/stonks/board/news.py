"""What is new to a viewer since their last turn: the board marks it."""

from collections import Counter
from collections.abc import Sequence

from stockpile_web.engine import Facts, Piece, Seat
from stockpile_web.games.stonks.data import Company
from stockpile_web.games.stonks.view import View


class News(Piece, frozen=True):
    """What has changed."""

    moved: dict[Company, int]  # By others: levels up, or down if negative.
    gained: dict[Seat, int]  # The points of a round.


def news(view: View, since: Sequence[Facts]) -> News:
    """Add up the events that the viewer has not seen yet."""
    moved: Counter[Company] = Counter()
    for facts in since:
        if facts["kind"] == "token_moved" and facts["seat"] != view.viewer:
            moved[facts["company"]] += facts["steps"] if facts["up"] else -facts["steps"]
    scored = [facts for facts in since if facts["kind"] == "round_scored"]
    return News(
        moved={company: levels for company, levels in moved.items() if levels},
        gained={facts["seat"]: facts["money"] for facts in scored},
    )
