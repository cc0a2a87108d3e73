"""What a viewer may see, built up from nothing: the only thing a template or a bot is given."""

from collections.abc import Callable

from stockpile_web.engine import Piece, Seat, Viewer
from stockpile_web.games.stockpile.data import (
    BID_TRACK,
    BOARDS,
    COMPANIES,
    Card,
    Company,
    Forecast,
    Track,
)
from stockpile_web.games.stockpile.in_play import bid_track, strategies_left
from stockpile_web.games.stockpile.phases.game_end import OVER
from stockpile_web.games.stockpile.phases.selling import price_for
from stockpile_web.games.stockpile.state import Laid, Pair, State


class CardView(Piece, frozen=True):
    """A card on a pile; without a name it is a back. All see who laid it, be it up or down."""

    card: Card | None
    up: bool
    by: Seat | None  # Nobody laid what came off the deck.


class WonView(Piece, frozen=True):
    """A pile that was won this round, as it lay when it was won."""

    pile: int
    cards: list[CardView]


class PlayerView(Piece, frozen=True):
    """What all can see of a player; split cards were shown when they split."""

    cash: int
    face_down: int
    split: dict[Company, int]
    fees: list[Card]
    meeples: int  # In hand.
    investors: tuple[str, ...]
    bonds: int
    goods: list[Card]
    strategies: int  # In hand.
    chooses: bool  # Before the game: has not chosen yet.
    ended: list[int]  # The spaces on which their meeples ended this round.
    won: list[WonView]  # This round.
    fees_won: int  # Trading fees that were in their piles of this round.
    used: list[str]  # Investors whose power was used this round.
    strategies_played: int  # This round.
    selling: str  # What a strategy lets them sell now.
    sold: bool  # On this turn.


class OwnView(Piece, frozen=True):
    """What the viewer alone can see: their own portfolio and hand."""

    shares: dict[Company, int]
    hand: list[Card]
    actions: list[Card]
    offered: list[str]  # Investors to choose from.
    kept: tuple[str, ...]  # Investors chosen, but not shown yet.
    drawn: list[Card]  # From the commerce deck.
    strategies: list[str]
    strategies_left: int  # That may still be played this round.
    bid_track: tuple[int, ...]  # What they pay on each space.
    prices: dict[Company, int]  # What a share they sell brings now.


class TickerView(Piece, frozen=True):
    """A company's row of the board."""

    company: Company
    track: Track
    space: int
    price: int


class BidView(Piece, frozen=True):
    """The bid that stands on a pile."""

    seat: Seat
    meeple: int
    space: int
    amount: int


class PileView(Piece, frozen=True):
    """A stockpile with its bidding track."""

    cards: list[CardView]
    bid: BidView | None


class PairView(Piece, frozen=True):
    """A company and its forecast; without names it is two backs."""

    holder: Seat | None
    up: bool
    moved: bool
    falsified: bool
    company: Company | None = None
    forecast: Forecast | None = None


class DividendView(Piece, frozen=True):
    """A dividend that is being paid; what others answer is shown when all have answered."""

    company: Company
    each: int
    asked: list[Seat]
    answer: tuple[int, int] | None  # The viewer's own: regular and split cards to be shown.


class View(Piece, frozen=True):
    """The table as one viewer sees it."""

    viewer: Viewer
    round: int
    rounds: int
    phase: str
    over: bool
    order: list[Seat]
    on_turn: list[Seat]
    modules: tuple[str, ...]
    players: list[PlayerView]
    market: list[TickerView]
    piles: list[PileView]
    pairs: list[PairView]
    dividend: DividendView | None
    rebidding: bool
    deck: int
    discard: list[Card]
    forecasts: tuple[Forecast, ...]  # Dealt this round, or rolled by the dice.
    bonds_left: int
    commerce: int  # Cards in the commerce deck.
    next_first: Seat | None
    own: OwnView | None

    def prices(self) -> dict[Company, int]:
        """Return what a share of each company is worth."""
        return {ticker.company: ticker.price for ticker in self.market}


def view(state: State, viewer: Viewer) -> View:
    """Copy what `viewer` may see."""
    return _view(state, viewer, lambda secret: secret.up or viewer in secret.known)


def open_view(state: State) -> View:
    """Copy what lies on the table, all of it turned up."""
    return _view(state, None, lambda secret: True)


def _view(state: State, viewer: Viewer, is_known: Callable[[Laid | Pair], bool]) -> View:
    return View(
        viewer=viewer,
        round=state.round,
        rounds=state.table().rounds,
        phase=state.phase,
        over=state.phase == OVER,
        order=state.order(),
        on_turn=state.on_turn(),
        modules=state.modules,
        players=[_player(state, seat, is_known) for seat in range(len(state.players))],
        market=[
            TickerView(company, track, state.tickers[company], state.price(company))
            for company, track in BOARDS[state.board].items()
        ],
        piles=[
            PileView([_card(laid, is_known(laid)) for laid in pile], _bid(state, number))
            for number, pile in enumerate(state.piles)
        ],
        pairs=[
            _pair(pair, is_known(pair), moved=number < state.pairs_moved)
            for number, pair in enumerate(state.pairs)
        ],
        dividend=_dividend(state, viewer),
        rebidding=state.bids_made >= len(state.players) * state.table().meeples,
        deck=len(state.deck),
        discard=state.discard[:],
        forecasts=state.forecasts,
        bonds_left=state.bonds_left,
        commerce=len(state.commerce),
        next_first=state.next_first,
        own=None if viewer is None else _own(state, viewer),
    )


def _dividend(state: State, viewer: Viewer) -> DividendView | None:
    paid = state.dividend
    if paid is None:
        return None
    answer = None if viewer is None else paid.answers.get(viewer)
    return DividendView(paid.company, paid.each, paid.asked[:], answer)


def _player(state: State, seat: Seat, is_known: Callable[[Laid | Pair], bool]) -> PlayerView:
    player = state.players[seat]
    return PlayerView(
        cash=player.cash,
        face_down=player.face_down(),
        split={company: cards for company, cards in player.split.items() if cards},
        fees=player.fees[:],
        meeples=len(player.meeples),
        investors=() if state.phase == "keeping" else player.investors,
        bonds=player.bonds,
        goods=player.goods[:],
        strategies=len(player.strategies),
        chooses=state.at_once and seat in state.queue,
        ended=player.ended[:],
        won=[
            WonView(won.pile, [_card(laid, is_known(laid)) for laid in won.cards])
            for won in player.won
        ],
        fees_won=player.fees_won,
        used=player.used[:],
        strategies_played=player.strategies_played,
        selling=player.selling,
        sold=player.sold,
    )


def _own(state: State, seat: Seat) -> OwnView:
    player = state.players[seat]
    return OwnView(
        shares={company: cards for company, cards in player.shares.items() if cards},
        hand=player.hand[:],
        actions=player.actions[:],
        offered=player.offered[:],
        kept=player.investors if state.phase == "keeping" else (),
        drawn=player.drawn[:],
        strategies=player.strategies[:],
        strategies_left=strategies_left(state, seat),
        bid_track=bid_track(state, seat),
        prices={company: price_for(state, seat, company) for company in COMPANIES},
    )


def _card(laid: Laid, is_known: bool) -> CardView:
    return CardView(laid.card if is_known else None, laid.up, laid.by)


def _bid(state: State, pile: int) -> BidView | None:
    standing = state.bids[pile] if state.bids else None
    if standing is None:
        return None
    space = standing.space
    return BidView(standing.seat, standing.meeple, space, BID_TRACK[space])


def _pair(pair: Pair, is_known: bool, moved: bool) -> PairView:
    if is_known:
        known = (pair.company, pair.forecast)
        return PairView(pair.holder, pair.up, moved, pair.falsified, *known)
    return PairView(pair.holder, pair.up, moved, pair.falsified)
