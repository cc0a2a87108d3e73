"""What a viewer may see, built up from nothing: the only thing a template or a bot is given."""

from stockpile_web.engine import Piece, Seat, Viewer
from stockpile_web.games.stonks.data import CARDS, Card, Company
from stockpile_web.games.stonks.scoring import stocks
from stockpile_web.games.stonks.state import OVER, PORTFOLIO, TRICK, Played, Player, State, Tile
from stockpile_web.games.stonks.trick import best


class TileView(Piece, frozen=True):
    """A company with its token."""

    company: Company
    values: tuple[int, ...]
    level: int
    value: int
    black: bool
    trump: bool


class Holding(Piece, frozen=True):
    """The stocks of one company in a portfolio, and what they are worth now."""

    company: Company
    cards: list[Card]
    stocks: int
    worth: int


class PlayerView(Piece, frozen=True):
    """What all can see of a player."""

    hand: int
    portfolio: list[Holding]
    worth: int  # Of what is open.
    hidden: int  # Cards of the portfolio that lie face-down.
    speculation: bool
    chooses: bool  # Has not begun the portfolio yet.
    score: int  # Of the rounds before.


class OwnView(Piece, frozen=True):
    """What the viewer alone can see."""

    hand: list[Card]
    follows: bool  # Has cards of the leading company.
    chosen: list[Card]  # For the portfolio, shown and hidden, while others still choose.
    portfolio: list[Holding]  # With what lies face-down.
    hidden: list[Card]
    worth: int


class PlayedView(Piece, frozen=True):
    """A card in the trick; without a name it is a back."""

    seat: Seat
    card: Card | None
    down: bool
    as_company: Company


class View(Piece, frozen=True):
    """The table as one viewer sees it."""

    viewer: Viewer
    round: int
    rounds: int
    phase: str
    over: bool
    on_turn: list[Seat]
    players: list[PlayerView]
    tiles: list[TileView]
    trump: Company
    spare: int  # What an unused Speculation Card would score now.
    market: Card
    trick: list[PlayedView]
    leading: Company
    speculator: Seat | None
    leader: Seat | None  # Who starts this trick, or has won it.
    ahead: Seat | None  # Whose card wins the trick as it lies open.
    trick_number: int
    tricks: int  # In a round.
    pile: int
    discard: list[Card]
    own: OwnView | None

    def value(self, company: Company) -> int:
        """Return what a stock of a company is worth."""
        return next(tile.value for tile in self.tiles if tile.company == company)

    def worth(self, card: Card) -> int:
        """Return what the stocks of a card are worth."""
        return CARDS[card].stocks * self.value(CARDS[card].company)


def view(state: State, viewer: Viewer) -> View:
    """Copy what `viewer` may see."""
    return _view(state, viewer, [_played(played, played.seat == viewer) for played in state.trick])


def open_view(state: State) -> View:
    """Copy what lies on the table, all of it turned up."""
    return _view(state, None, [_played(played, True) for played in state.trick])


def _view(state: State, viewer: Viewer, trick: list[PlayedView]) -> View:
    trump = state.trump()
    is_choosing = state.phase == PORTFOLIO
    won = best([played for played in state.trick if not played.down], state.leading, trump)
    return View(
        viewer=viewer,
        round=state.round,
        rounds=state.rounds,
        phase=state.phase,
        over=state.phase == OVER,
        on_turn=state.on_turn(),
        players=[_player(state, player, is_choosing) for player in state.players],
        tiles=[_tile(tile, trump) for tile in state.tiles],
        trump=trump,
        spare=state.tile(trump).value,
        market=state.market,
        trick=trick,
        leading=state.leading,
        speculator=state.speculator,
        leader=None if is_choosing else state.leader,
        ahead=won.seat if won else None,
        trick_number=_trick_number(state),
        tricks=state.table().tricks,
        pile=len(state.pile),
        discard=state.discard[:],
        own=None if viewer is None else _own(state, state.players[viewer]),
    )


def _player(state: State, player: Player, is_choosing: bool) -> PlayerView:
    holdings = _holdings(state, player.portfolio)
    return PlayerView(
        hand=len(player.hand),
        portfolio=holdings,
        worth=sum(holding.worth for holding in holdings),
        hidden=len(player.hidden),
        speculation=player.speculation,
        chooses=is_choosing and not player.chosen,
        score=player.score,
    )


def _own(state: State, player: Player) -> OwnView:
    holdings = _holdings(state, [*player.portfolio, *player.hidden])
    return OwnView(
        hand=player.hand[:],
        follows=any(CARDS[card].company == state.leading for card in player.hand),
        chosen=player.chosen[:],
        portfolio=holdings,
        hidden=player.hidden[:],
        worth=sum(holding.worth for holding in holdings),
    )


def _holdings(state: State, cards: list[Card]) -> list[Holding]:
    return [
        Holding(
            company,
            [card for card in cards if card.startswith(company)],
            number,
            number * state.tile(company).value,
        )
        for company, number in stocks(cards).items()
    ]


def _tile(tile: Tile, trump: Company) -> TileView:
    is_trump = tile.company == trump
    return TileView(tile.company, tile.values, tile.level, tile.value, tile.black, is_trump)


def _played(played: Played, is_known: bool) -> PlayedView:
    card = played.card if is_known or not played.down else None
    return PlayedView(played.seat, card, played.down, played.as_company)


def _trick_number(state: State) -> int:
    """Count by the cards that whoever plays last still has."""
    if state.phase == PORTFOLIO:
        return 0
    held = len(state.players[state.leader - 1].hand)
    return state.table().tricks + 1 - held + (state.phase == TRICK)
