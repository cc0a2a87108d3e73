"""Tables of Stockpile in one line: cards are words, by seat; in a pile, (words) lie face-down."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from stockpile_web.engine import Dealer, Event, Facts, Seat, Viewer, take_turn
from stockpile_web.games import GAMES, stockpile
from stockpile_web.games.stockpile import rules
from stockpile_web.games.stockpile.data import BID_TRACK, BOARDS, COMPANIES, TABLES
from stockpile_web.games.stockpile.data_epic import BONDS, COMMERCE_DECK
from stockpile_web.games.stockpile.modules import chosen
from stockpile_web.games.stockpile.moves import Bid, Move
from stockpile_web.games.stockpile.phases import PHASES
from stockpile_web.games.stockpile.state import Laid, Pair, Player, State, no_shares
from stockpile_web.words.events import log_as_text

Words = Mapping[Seat, str]


def table(
    seats: int = 3,
    *,
    board: str = "standard",
    first: Seat = 0,
    round: int = 1,
    cash: Mapping[Seat, int] | None = None,
    shares: Words | None = None,
    split: Words | None = None,
    fees: Words | None = None,
    hands: Words | None = None,
    actions: Words | None = None,
    prices: Mapping[str, int] | None = None,
    spaces: Mapping[str, int] | None = None,
    pairs: Mapping[str, str] | None = None,
    piles: str = "",
    modules: str = "",
    investors: Words | None = None,
    strategies: Words | None = None,
    goods: Words | None = None,
    bonds: Mapping[Seat, int] | None = None,
    discard: str = "",
    holders: Mapping[str, Seat] | None = None,
) -> State:
    """Return a table between two phases; the piles are divided by `|`.

    `holders` says by company whose a pair is; without one it lies face-down beside the board.
    """
    tracks = BOARDS[board]
    tickers = {company: track.start for company, track in tracks.items()}
    for company, price in (prices or {}).items():
        tickers[company] = tracks[company].values.index(price)
    tickers.update(spaces or {})
    players = [
        Player(
            cash=(cash or {}).get(seat, TABLES[seats].cash),
            shares=_portfolio(shares, seat),
            split=_portfolio(split, seat),
            hand=_words(hands, seat),
            actions=_words(actions, seat),
            fees=_words(fees, seat),
            meeples=list(range(TABLES[seats].meeples)),
            investors=tuple(_words(investors, seat)),
            strategies=_words(strategies, seat),
            goods=_words(goods, seat),
            bonds=(bonds or {}).get(seat, 0),
        )
        for seat in range(seats)
    ]
    return State(
        players=players,
        modules=chosen(dict.fromkeys([*modules.split(), *(["investors"] if investors else [])], 1)),
        board=board,
        first=first,
        deck=[*COMPANIES] * 10,
        tickers=tickers,
        round=round,
        pairs=[_pair(company, move, holders) for company, move in (pairs or {}).items()],
        piles=[_pile(pile) for pile in piles.split("|")] if piles else [],
        discard=discard.split(),
        bonds_left=BONDS - sum((bonds or {}).values()),
        commerce=[card for card, copies in COMMERCE_DECK.items() for _ in range(copies)],
    )


def begin(state: State, phase: str) -> list[Event]:
    """Begin a phase, go on to the first decision, and return what was told."""
    dealer = Dealer("test", 1)
    state.phase, state.queue = phase, []
    PHASES[phase].begin(state, dealer)
    rules.advance(state, dealer)
    return dealer.events


def play(state: State, seat: Seat, *moves: Move) -> list[Event]:
    """Make legal moves, and return what was told."""
    dealer = Dealer("test", 2)
    for move in moves:
        take_turn(GAMES["stockpile"], state, seat, move, dealer)
    return dealer.events


def bid(state: State, seat: Seat, pile: int, amount: int, meeple: int = 0) -> list[Event]:
    """Bid so many thousand dollars."""
    return play(state, seat, Bid(pile, BID_TRACK.index(amount), meeple))


def bids(state: State, seat: Seat, pile: int, meeple: int = 0) -> list[int]:
    """Return the amounts that the seat may bid on a pile."""
    return [
        BID_TRACK[move.space]
        for move in stockpile.legal(state, seat)
        if isinstance(move, Bid) and (move.pile, move.meeple) == (pile, meeple)
    ]


def on_turn(state: State) -> list[Seat]:
    return [seat for seat in range(len(state.players)) if stockpile.legal(state, seat)]


def told(events: list[Event], kind: str) -> list[Facts]:
    """Return what a spectator is told of one kind of event."""
    return [event.public for event in events if event.kind == kind and event.public is not None]


def in_log(events: list[Event], viewer: Viewer = None) -> str:
    """Return what `viewer` reads of events; the players are Ann, Bob, Cat, Dan and Eve."""
    seen = [facts for event in events if (facts := event.seen_by(viewer)) is not None]
    return log_as_text("stockpile", seen, ["Ann", "Bob", "Cat", "Dan", "Eve"])


def cash(state: State) -> list[int]:
    return [player.cash for player in state.players]


def held(cards: Mapping[str, int]) -> dict[str, int]:
    """Return a portfolio without the companies of which there is nothing."""
    return {company: count for company, count in cards.items() if count}


def scores(state: State) -> list[int]:
    result = stockpile.result(state)
    assert result is not None
    return [score.total for score in result.scores]


def lines(state: State, seat: Seat, kind: str) -> list[Any]:
    """Return the lines of one kind in a seat's score."""
    result = stockpile.result(state)
    assert result is not None
    return [line for line in result.scores[seat].lines if line["kind"] == kind]


def _words(cards: Words | None, seat: Seat) -> list[str]:
    return (cards or {}).get(seat, "").split()


def _portfolio(cards: Words | None, seat: Seat) -> dict[str, int]:
    return {**no_shares(), **Counter(_words(cards, seat))}


def _pair(company: str, forecast: str, holders: Mapping[str, Seat] | None) -> Pair:
    holder = (holders or {}).get(company)
    return Pair(company, forecast, holder, [] if holder is None else [holder])


def _pile(cards: str) -> list[Laid]:
    return [Laid(card.strip("()"), up=not card.startswith("(")) for card in cards.split()]
