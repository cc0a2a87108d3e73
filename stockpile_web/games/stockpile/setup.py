"""Setup: one stock for each player, the rest shuffled, tickers on their starts, a first player."""

from collections.abc import Mapping

from stockpile_web.engine import Dealer, ask
from stockpile_web.games.stockpile.data import BOARDS, COMPANIES, MARKET_DECK, TABLES
from stockpile_web.games.stockpile.in_play import of_table
from stockpile_web.games.stockpile.modules import chosen
from stockpile_web.games.stockpile.rules import advance
from stockpile_web.games.stockpile.state import Player, State, no_shares
from stockpile_web.games.stockpile.twist import Twist


def setup(seats: int, options: Mapping[str, int], dealer: Dealer) -> State:
    """Deal one stock to each player, shuffle the rest, and go to the first decision."""
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
    state = State(players, chosen(options), "standard", dealer.below(seats), deck, {})
    state.board = ask(of_table(state), Twist.board, state.board)
    state.tickers = {company: track.start for company, track in BOARDS[state.board].items()}
    for twist in of_table(state):
        twist.before_game(state, dealer)
    advance(state, dealer)
    return state
