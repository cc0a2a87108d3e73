"""Stockpile: the functions of the contract. Rules are in `phases/`, printed things in `data`."""

from typing import Any

from stockpile_web.engine import Dealer, Result, Seat, ask
from stockpile_web.games.stockpile import bot, data, dividends, market
from stockpile_web.games.stockpile.data import BOARDS, COMPANIES, MARKET_DECK, TABLES
from stockpile_web.games.stockpile.modules import MODULES, OPTIONS, in_play
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.phases import AFTER, PHASES
from stockpile_web.games.stockpile.phases.game_end import OVER, result
from stockpile_web.games.stockpile.state import Player, State, no_shares
from stockpile_web.games.stockpile.twist import Twist
from stockpile_web.games.stockpile.view import view

__all__ = [
    "OPTIONS", "SEATS", "TITLE", "VERSION", "Move", "Result", "State",
    "bot", "data", "legal", "play", "result", "setup", "view",
]  # fmt: skip

TITLE = "Stockpile"
SEATS = range(2, 6)
VERSION = 1


def setup(seats: int, options: frozenset[str], dealer: Dealer) -> State:
    """Deal one stock to each player, shuffle the rest, and go to the first decision."""
    modules = [key for key in MODULES if key in options]
    board = ask(in_play(modules), Twist.board, "standard")
    stocks = list(COMPANIES)
    dealer.shuffle(stocks)
    deck = [card for card, copies in MARKET_DECK.items() for _ in range(copies)]
    table, players = TABLES[seats], []
    for seat, stock in zip(range(seats), stocks, strict=False):
        deck.remove(stock)
        meeples = list(range(table.meeples))
        portfolio = {**no_shares(), stock: 1}
        players.append(Player(table.cash, portfolio, no_shares(), meeples=meeples))
        dealer.whisper(seat, "stock_dealt", company=stock)
    dealer.shuffle(deck)
    tickers = {company: track.start for company, track in BOARDS[board].items()}
    state = State(players, modules, board, dealer.below(seats), deck, tickers)
    _advance(state, dealer)
    return state


def legal(state: State, seat: Seat) -> list[Move]:
    """Return the moves of the seat on turn, or of all who are asked about a dividend."""
    if state.dividend is not None:
        return dividends.legal(state, state.dividend, seat)
    if not state.queue or state.queue[0] != seat:
        return []
    return list(PHASES[state.phase].legal(state, seat))


def play(state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Carry out a legal move, and all that follows without a decision."""
    if state.dividend is not None:
        dividends.play(state, state.dividend, seat, move, dealer)
    else:
        PHASES[state.phase].play(state, seat, move, dealer)
    _advance(state, dealer)


def _advance(state: State, dealer: Dealer) -> None:
    """Go on until somebody has a decision to make, or the game is over."""
    while state.phase != OVER:
        if state.dividend is not None:
            if state.dividend.asked:
                return
            market.resume(state, dealer)
        elif state.queue:
            return
        elif state.phase == "setup" or not PHASES[state.phase].proceed(state, dealer):
            state.phase = AFTER[state.phase]
            PHASES[state.phase].begin(state, dealer)
