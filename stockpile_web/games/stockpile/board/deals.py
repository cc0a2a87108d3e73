"""How the strategies in hand can be played: what each asks for, as lists to choose from.

The picks of a strategy are joined from the chosen options, in the order in which they are asked.
"""

from typing import Any

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.board.asking import Kinds
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.moves import PlayStrategy

Picks = tuple[Any, ...]

PAY_WITH, GIVE_UP, TAKE, THEN = "pay_with", "give_up", "take", "then"


class Choice(Piece, frozen=True):
    """One thing that a strategy asks: each option is what it adds to the picks."""

    asks: str
    options: list[Picks]


class Lot(Piece, frozen=True):
    """Shares of one company that can be sold together: regular cards, or whole split ones and
    halves of others."""

    picks: Picks
    shares: int
    whole: int
    halves: int


class Lots(Piece, frozen=True):
    """What can be sold of one company's regular cards, or of its split ones."""

    company: Company
    split: bool
    options: list[Lot]


class Deal(Piece, frozen=True):
    """A strategy that can be played now."""

    card: str
    move: PlayStrategy | None  # The whole of it, if there is but one way.
    choices: list[Choice]
    companies: int = 0  # To be moved up or down, all different,
    steps: int = 0  # by so many steps each.
    lots: list[Lots] = []


def deals(can: Kinds) -> list[Deal]:
    """Return the strategies that can be played."""
    by_card: dict[str, list[PlayStrategy]] = {}
    for move in can.get("PlayStrategy", ()):
        by_card.setdefault(move.card, []).append(move)
    return [_deal(card, moves) for card, moves in by_card.items()]


def _deal(card: str, moves: list[PlayStrategy]) -> Deal:
    if len(moves) == 1:
        return Deal(card, moves[0], [])
    ways: list[Picks] = [move.picks for move in moves]
    if card in ("market_maker", "systemic_shock"):
        pays = Choice(PAY_WITH, _options(ways, 0, 1))
        return Deal(card, None, [pays], companies=(len(ways[0]) - 1) // 2, steps=abs(ways[0][2]))
    if card == "short_and_distort":
        return Deal(card, None, [], lots=_lots(ways))
    if card in ("fraudulent_transfer", "vulture_capitalism"):
        choices = [Choice(GIVE_UP, _options(ways, 0, 2)), Choice(TAKE, _options(ways, 2, 3))]
        if card == "vulture_capitalism":
            choices.append(Choice(THEN, _options(ways, 3, 4)))
        return Deal(card, None, choices)
    return Deal(card, None, [Choice(card, list(dict.fromkeys(ways)))])


def _options(ways: list[Picks], first: int, last: int) -> list[Picks]:
    """Return the different picks in some places of all ways."""
    return list(dict.fromkeys(picks[first:last] for picks in ways))


def _lots(ways: list[Picks]) -> list[Lots]:
    """Return what can be sold of each company alone; several of them are joined."""
    found = []
    for split in (False, True):
        for company in COMPANIES:
            alone = [picks for picks in ways if {*picks[::2]} == {company}]
            if options := [_lot(picks) for picks in alone if _is_split(picks) == split]:
                found.append(Lots(company, split, options))
    return found


def _is_split(picks: Picks) -> bool | None:
    """Tell whether only split cards are sold, or only regular ones; None if both."""
    if picks[1]:
        return True
    return None if any(picks[1::2]) else False


def _lot(picks: Picks) -> Lot:
    """A half and then what is left of its card make a whole one."""
    halves, shares = picks[1::2].count(True), len(picks) // 2
    whole = shares - halves if halves else 0
    return Lot(picks, shares, whole, halves - whole)
