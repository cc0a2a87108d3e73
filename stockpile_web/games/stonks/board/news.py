"""What is new to a viewer since their last turn: the board marks it, and tells it in short."""

from collections import Counter
from collections.abc import Iterator, Sequence

from stockpile_web.engine import Facts, Piece, Seat
from stockpile_web.games.stonks.data import Company
from stockpile_web.games.stonks.view import View


class News(Piece, frozen=True):
    """What has changed, and the lines that tell it."""

    moved: dict[Company, int]  # By others: levels up, or down if negative.
    gained: dict[Seat, int]  # The points of a round.
    lines: list[Facts]  # Put into words by `_news.html`, each by the macro of its kind.


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
        lines=[*_round(scored), *_tricks(view, since), *_market(view, since, moved)],
    )


def _round(scored: list[Facts]) -> Iterator[Facts]:
    """What a round has brought."""
    if scored:
        points = [(facts["seat"], facts["money"]) for facts in scored]
        yield {"kind": "round_brought", "round": scored[0]["round"], "points": points}


def _tricks(view: View, since: Sequence[Facts]) -> Iterator[Facts]:
    """How many tricks were won, and of the last one by whom, and what its winner took."""
    tricks, won, took = 0, None, None
    for facts in since:
        if facts["kind"] == "trick_won":
            tricks, won, took = tricks + 1, facts, None
        elif facts["kind"] == "card_acquired":
            took = facts["card"]
    if won:
        seat, card = won["seat"], won["card"]
        mine = seat == view.viewer
        yield {
            "kind": "tricks_won", "tricks": tricks, "seat": seat, "mine": mine,
            "card": card, "took": took,
        }  # fmt: skip


def _market(view: View, since: Sequence[Facts], moved: Counter[Company]) -> Iterator[Facts]:
    """Where companies that others have moved stand now, and the trump if it is another."""
    steps = [
        {"company": tile.company, "up": moved[tile.company] > 0, "value": tile.value}
        for tile in view.tiles
        if moved[tile.company]
    ]
    trumps = [facts["company"] for facts in since if facts["kind"] == "trump_changed"]
    trump = view.trump if trumps[-1:] == [view.trump] else ""
    if steps or trump:
        yield {"kind": "market_moved", "steps": steps, "trump": trump}
