"""$TONKS$: the functions of the contract. A trick is in `trick`, printed things in `data`."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from stockpile_web.engine import Dealer, Filters, Result, Seat, Upgrades
from stockpile_web.engine import points as score_in_words
from stockpile_web.games.stonks import data, scoring, trick
from stockpile_web.games.stonks.board import board
from stockpile_web.games.stonks.bots import BOTS
from stockpile_web.games.stonks.data import (
    BIG,
    CARDS,
    COMPANIES,
    LENGTHS,
    MODERATE,
    OPTIONS,
    PORTFOLIO_CARDS,
    ROUNDS,
    ROUNDS_OF_TWO,
    SMALL,
    SMALL_CAP_LEVELS,
    SMALL_CAP_SIDES,
    SMALL_CAPS,
    TABLES,
)
from stockpile_web.games.stonks.moves import Acquire, Invest, Move
from stockpile_web.games.stonks.odds import odds
from stockpile_web.games.stonks.orders import ORDERS
from stockpile_web.games.stonks.reasons import why_not
from stockpile_web.games.stonks.scenes import SCENES
from stockpile_web.games.stonks.scoring import result
from stockpile_web.games.stonks.state import ACQUIRING, OVER, PORTFOLIO, TRICK, Player, State, Tile
from stockpile_web.games.stonks.story import story
from stockpile_web.games.stonks.view import open_view, view

__all__ = [
    "BOTS", "COMMON", "FILTERS", "OPTIONS", "ORDERS", "PHASES", "SCENES", "SEATS", "TITLE",
    "UPGRADES", "VERSION", "Move", "Result", "State", "board", "data", "legal", "odds", "open_view",
    "play", "result", "score_in_words", "setup", "story", "view", "why_not",
]  # fmt: skip

TITLE = "$TONKS$"
SEATS = range(2, 6)
COMMON = ""
PHASES: Mapping[str, str] = {
    PORTFOLIO: "Portfolios",
    TRICK: "Tricks",
    ACQUIRING: "Tricks",
    OVER: "The end",
}
FILTERS: Filters = {}
VERSION = 2
# Since version 1 it has changed who starts, and how three players lay out small caps. The state is
# the same: a running match keeps its tiles and simply goes on.
UPGRADES: Upgrades = {1: lambda state: state}


def setup(seats: int, options: Mapping[str, int], dealer: Dealer) -> State:
    """Lay out the tiles with their tokens, and deal the first round."""
    companies = list(COMPANIES)
    dealer.shuffle(companies)
    is_moderate = seats == 2 or MODERATE in options
    levels = TABLES[seats].levels
    sides = (SMALL if is_moderate else BIG,) * len(levels)
    if SMALL_CAPS in options and not is_moderate:
        sides, levels = SMALL_CAP_SIDES[: len(levels)], SMALL_CAP_LEVELS[: len(levels)]
    tiles = [Tile(*tile) for tile in zip(companies, sides, levels, strict=False)]
    lengths = [number for key, number in LENGTHS.items() if key in options]
    rounds = ROUNDS_OF_TWO if seats == 2 else [*lengths, ROUNDS][0]
    state = State([Player() for _ in range(seats)], tiles, rounds, keeps_black=is_moderate)
    dealer.announce(
        "tiles_laid", companies=companies[: len(tiles)], values=[tile.value for tile in tiles],
        left_out=companies[len(tiles) :],
    )  # fmt: skip
    _shuffle(state, dealer)
    _deal(state, dealer)
    return state


def legal(state: State, seat: Seat) -> list[Move]:
    """Return the moves of a seat on turn; the portfolios are begun by all at once."""
    if seat not in state.on_turn():
        return []
    if state.phase == PORTFOLIO:
        return [Invest(*two) for two in permutations(state.players[seat].hand, PORTFOLIO_CARDS)]
    if state.phase == TRICK:
        return trick.legal(state, seat)
    return [Acquire(card) for card in trick.acquirable(state)]


def play(state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Carry out a legal move, and all that follows without a decision."""
    match move:
        case Invest(show, hide):
            _invest(state, seat, show, hide, dealer)
        case Acquire():
            trick.acquire(state, seat, move, dealer)
            _go_on(state, dealer)
        case _:
            trick.play(state, seat, move, dealer)
            if not state.trick:  # Nobody has won it.
                _go_on(state, dealer)


def _shuffle(state: State, dealer: Dealer) -> None:
    """Make the pile of all cards of the companies in play."""
    companies = {tile.company for tile in state.tiles}
    state.pile = [card for card, face in CARDS.items() if face.company in companies]
    dealer.shuffle(state.pile)


def _deal(state: State, dealer: Dealer) -> None:
    """Begin a round: hands, a Speculation Card for each, and the choice of two cards."""
    state.round += 1
    state.phase = PORTFOLIO
    dealer.announce("round_began", round=state.round)
    for seat, player in enumerate(state.players):
        dealt = {state.pile.pop() for _ in range(state.table().hand)}
        player.hand = [card for card in CARDS if card in dealt]
        player.speculation = True
        dealer.whisper(seat, "hand_dealt", cards=player.hand[:])


def _invest(state: State, seat: Seat, show: str, hide: str, dealer: Dealer) -> None:
    player = state.players[seat]
    player.chosen = [show, hide]
    for card in player.chosen:
        player.hand.remove(card)
    dealer.reveal([seat], "invested", {"show": show, "hide": hide}, seat=seat)
    if not state.on_turn():
        _show_portfolios(state, dealer)


def _show_portfolios(state: State, dealer: Dealer) -> None:
    """Turn up one card of each, and find out who starts."""
    shown = [player.chosen[0] for player in state.players]
    dealer.turn_up("portfolios_shown", cards=shown)
    for player in state.players:
        show, hide = player.chosen
        player.portfolio.append(show)
        player.hidden.append(hide)
        player.chosen = []
    if state.round > 1 and len(state.players) == 2:
        _start_second_round_of_two(state, dealer)
    else:
        state.leader = min(range(len(shown)), key=lambda seat: _price(state, shown[seat]))
        dealer.announce("starter_found", seat=state.leader, card=shown[state.leader])
    trick.begin(state, dealer)


def _start_second_round_of_two(state: State, dealer: Dealer) -> None:
    """Whoever has fewer cards starts, else who won the last trick, else who led to it."""
    one, two = (player.cards() for player in state.players)
    if one != two:
        state.leader = 0 if one < two else 1
    dealer.announce("starter_found", seat=state.leader, fewest=one != two)


def _price(state: State, card: str) -> tuple[int, int, int]:
    """Compare cards by the value of their company, their number, and its place from the left."""
    face = CARDS[card]
    tile = state.tile(face.company)
    return tile.value, face.number, state.tiles.index(tile)


def _go_on(state: State, dealer: Dealer) -> None:
    """Begin the next trick, or end the round when a single card is left in each hand."""
    if len(state.players[0].hand) > 1:
        trick.begin(state, dealer)
        return
    for player in state.players:
        state.buried += player.hand
        player.hand = []
    dealer.announce("round_ended", round=state.round)
    is_last = state.round == state.rounds
    if is_last or len(state.players) > 2:
        scoring.score(state, dealer)
    if is_last:
        state.phase = OVER
        return
    if len(state.players) > 2:  # Two play on with what is left of the pile.
        for player in state.players:
            player.portfolio = []
        state.discard, state.buried = [], []
        _shuffle(state, dealer)
    _deal(state, dealer)
