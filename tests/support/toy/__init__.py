"""Tens, a toy: lay cards of your hand that add up to ten, or pass and be out.

It is a whole game by the recipe, as small as can be, and its turns are built in steps: the cards
are picked one after the other. `site.py` has it played on the site.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stockpile_web.engine import (
    Dealer,
    Facts,
    Filters,
    Option,
    Result,
    Scene,
    Score,
    Seat,
    Upgrades,
    Viewer,
)
from stockpile_web.engine import points as score_in_words
from tests.support.toy import data
from tests.support.toy.board import Board, View
from tests.support.toy.bots import BOTS
from tests.support.toy.moves import LAY, PASS, Lay, Move, Pass, Pick
from tests.support.toy.odds import odds
from tests.support.toy.orders import ORDERS
from tests.support.toy.state import State
from tests.support.toy.story import story

__all__ = [
    "BOTS", "COMMON", "FILTERS", "OPTIONS", "ORDERS", "PHASES", "SCENES", "SEATS", "TITLE",
    "UPGRADES", "VERSION", "Move", "State", "board", "data", "legal", "odds", "open_view",
    "play", "result", "score_in_words", "setup", "story", "view", "why_not",
]  # fmt: skip

TITLE = "Tens"
SEATS = range(2, 5)
OPTIONS: tuple[Option, ...] = (
    Option("short", "A short game", "Everybody has three cards."),
    Option(
        "hand",
        "Cards in a hand",
        "The more there are, the more tens.",
        unless="short",
        numbers=data.HANDS,
        number=data.HAND,
    ),
)
VERSION = 1
UPGRADES: Upgrades = {}
FILTERS: Filters = {}
SCENES: tuple[Scene, ...] = (Scene(2, lambda view: True),)
COMMON = ""
PHASES: Mapping[str, str] = {"laying": "Play", "over": "The end"}


def setup(seats: int, options: Mapping[str, int], dealer: Dealer) -> State:
    """Deal a hand to everybody."""
    deck = [number for number in data.NUMBERS for _ in range(data.COPIES)]
    dealer.shuffle(deck)
    size = data.SHORT_HAND if "short" in options else options["hand"]
    hands = [sorted(deck.pop() for _ in range(size)) for _ in range(seats)]
    for seat, hand in enumerate(hands):
        dealer.whisper(seat, "hand_dealt", cards=hand[:])
    return State(hands, [[] for _ in hands], deck=deck)


def legal(state: State, seat: Seat) -> list[Move]:
    """Pick cards from which ten can still be reached; lay them when it is, or pass at once."""
    if seat != state.turn or result(state):
        return []
    if sum(state.picked) == data.TEN:
        return [LAY]
    picks: list[Move] = [Pick(number) for number in _ways(state.left(), sum(state.picked))]
    return picks if state.picked else [*picks, PASS]


def play(state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Pick a card, lay what was picked, or pass."""
    if isinstance(move, Pick):
        state.picked.append(move.number)
        return
    if isinstance(move, Lay):
        dealer.announce("ten_laid", seat=seat, cards=state.picked, money=len(state.picked))
        state.laid[seat] += state.picked
        state.hands[seat], state.picked = state.left(), []
    if isinstance(move, Pass):
        dealer.announce("passed", seat=seat)
        state.out.append(seat)
    seats = len(state.hands)
    after = [*range(seat + 1, seats), *range(seat + 1)]
    state.turn = next((other for other in after if other not in state.out), 0)


def view(state: State, viewer: Viewer) -> View:
    """Copy what `viewer` may see: hands are secret, and so is what is being picked."""
    return View(
        viewer=viewer,
        round=state.round,
        phase=state.phase,
        on_turn=[] if state.phase == "over" else [state.turn],
        held=[len(hand) for hand in state.hands],
        laid=[cards[:] for cards in state.laid],
        hand=None if viewer is None else state.hands[viewer][:],
        picked=state.picked[:] if viewer == state.turn else [],
    )


def open_view(state: State) -> View:
    """Copy what lies on the table, where nothing is hidden."""
    return view(state, None)


def board(view: View, moves: list[Move], since: Sequence[Facts], result: Result | None) -> Board:
    """Return the controls: which card can be picked, and what completes the turn."""
    picks = [move for move in moves if isinstance(move, Pick)]
    return Board(picks, [move for move in moves if not isinstance(move, Pick)], sum(view.picked))


def why_not(view: View, moves: list[Move], move: Any) -> str:
    """Say why a card cannot be picked, or what was picked not be laid."""
    if isinstance(move, Pick):
        is_held = move.number in (view.hand or [])
        return "With that card ten cannot be reached." if is_held else "You do not have that card."
    return f"Your cards add up to {sum(view.picked)}, not to ten." if isinstance(move, Lay) else ""


def result(state: State) -> Result | None:
    """When all are out, whoever has laid most cards has won."""
    if len(state.out) < len(state.hands):
        return None
    totals = [len(cards) for cards in state.laid]
    scores = [Score(total, [{"kind": "cards_laid", "money": total}]) for total in totals]
    return Result([1 + sum(other > total for other in totals) for total in totals], scores)


def _ways(cards: list[int], total: int) -> list[int]:
    """Return the cards with which ten can still be reached, each number once."""
    return [card for card in dict.fromkeys(cards) if _reaches(cards, card, total + card)]


def _reaches(cards: list[int], card: int, total: int) -> bool:
    left = cards[:]
    left.remove(card)
    return total == data.TEN or (total < data.TEN and bool(_ways(left, total)))
