"""What is asked of a viewer now, and what is going on meanwhile for everybody else."""

from typing import Any

from stockpile_web.engine import Piece, Result, Seat
from stockpile_web.games.stockpile.view import OwnView, View

Kinds = dict[str, list[Any]]

# What a question may name besides the move that every phase is about, in the order in which it
# is named there.
POWERS = (
    "KeepInvestors", "Bid", "DiscardStrategies", "BuyBonds", "TakeCard", "LayOpening",
    "PlaceGoods", "PlaceFirstCard", "LookAtPile", "MoveCard", "GiveFirstCard", "LookAtPair",
    "BuyDiscarded", "DeclareDividend", "ShowCompanies", "TakeIncome", "Give", "Redistribute",
)  # fmt: skip
MOST_KINDS_OF_ACTION_CARDS = 2
BEFORE_SELLING = ("DoubleUp", "Nudge", "PlayStrategy")


class Asking(Piece, frozen=True):
    """Which question is asked: a phase, or a case of it."""

    question: str
    named: list[str]  # The kinds of moves that it names.
    goes_on: bool = False  # It says that one may also go on,
    passes: bool = False  # or pass.


def act_of(view: View) -> str:
    """Return what is going on: the phase, or what interrupts it."""
    if view.dividend:
        return "dividend"
    return "selling" if view.phase == "after_selling" else view.phase


def asking(view: View, act: str, can: Kinds) -> Asking:
    """Return what the viewer is asked."""
    if view.over:
        return Asking("over", [])
    if not can or view.own is None:
        return Asking("wait", [])
    return Asking(act, []) if act == "supply" else _ASKED.get(act, _power)(view, view.own, can)


def _demand(view: View, own: OwnView, can: Kinds) -> Asking:
    named = [kind for kind in ("LookAtPair",) if kind in can]
    return Asking("outbid" if view.rebidding else "demand", named)


def _action(view: View, own: OwnView, can: Kinds) -> Asking:
    """Ask for action cards alone, if nothing else can be done with them than to use them."""
    if len(can) <= MOST_KINDS_OF_ACTION_CARDS and own.actions:
        return Asking("action_card", [])
    return Asking("action", [kind for kind in BEFORE_SELLING if kind in can])


def _selling(view: View, own: OwnView, can: Kinds) -> Asking:
    return Asking("selling" if view.phase == "selling" else "second_sale", [])


def _dividend(view: View, own: OwnView, can: Kinds) -> Asking:
    return Asking("dividend" if len(can["Collect"]) > 1 else "no_dividend", [])


def _power(view: View, own: OwnView, can: Kinds) -> Asking:
    named = [kind for kind in POWERS if kind in can]
    may_pass = "Done" in can
    passes = bool(may_pass and named and "BuyBonds" not in can)
    return Asking("power", named, goes_on=may_pass and not named, passes=passes)


_ASKED = {"demand": _demand, "action": _action, "selling": _selling, "dividend": _dividend}


def winners(result: Result | None) -> list[Seat]:
    """Return who has won; several may share the first place."""
    places = result.places if result else []
    return [seat for seat, place in enumerate(places) if place == 1]
