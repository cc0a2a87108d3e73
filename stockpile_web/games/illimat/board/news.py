"""What is new to a viewer since their last turn: the board marks it."""

from collections import Counter
from collections.abc import Sequence

from stockpile_web.engine import Facts, Piece, Seat
from stockpile_web.games.illimat.data import Card
from stockpile_web.games.illimat.view import View


class News(Piece, frozen=True):
    """What has changed."""

    laid: list[Card]  # Into fields, loose or as a stockpile.
    drawn: list[Card]  # By the viewer.
    revealed: list[int]  # Fields whose Luminary was turned up.
    is_turned: bool  # The Illimat.
    gained: dict[Seat, int]  # The points of a round.


def news(view: View, since: Sequence[Facts]) -> News:
    """Gather the events that the viewer has not seen yet; a new deal is new as a whole."""
    laid: list[Card] = []
    drawn: list[Card] = []
    revealed: list[int] = []
    is_turned = False
    gained: Counter[Seat] = Counter()
    for facts in since:
        is_mine = facts.get("seat") is not None and facts.get("seat") == view.viewer
        match facts["kind"]:
            case "sown" | "stockpiled" | "swapped" if not is_mine:
                laid.append(facts["card"])
            case "field_filled":
                laid += facts["cards"]
            case "drew":
                drawn += facts.get("cards", [])
            case "luminary_revealed":
                revealed.append(facts["field"])
            case "illimat_turned" if not is_mine:
                is_turned = True
            case "round_scored":
                gained[facts["seat"]] += facts["money"]
            case "round_began":
                laid, drawn, revealed, is_turned = [], [], [], False
    return News(laid, drawn, revealed, is_turned, {**gained})
