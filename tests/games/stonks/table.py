"""Tables of $TONKS$ in one line: cards are words, by seat."""

from collections.abc import Mapping

from stockpile_web.engine import Dealer, Event, Facts, Seat, Viewer, take_turn
from stockpile_web.games import GAMES, stonks
from stockpile_web.games.stonks import trick
from stockpile_web.games.stonks.board import Board
from stockpile_web.games.stonks.data import BIG, CARDS, SMALL
from stockpile_web.games.stonks.moves import Disguise, Move, PlayCard
from stockpile_web.games.stonks.state import Player, State, Tile

Words = Mapping[Seat, str]
SPARE = "MG13 PA13"  # What seats hold of which a test says nothing.


def table(
    hands: Words | None = None,
    *,
    seats: int = 3,
    levels: str = "CO1 GG2 MG3 PA4 RA5",
    small: bool = False,
    black: str = "",
    portfolios: Words | None = None,
    hidden: Words | None = None,
    used: tuple[Seat, ...] = (),
    leader: Seat = 0,
    market: str = "GG7",
    pile: str = "",
    round: int = 1,
    rounds: int = 3,
) -> State:
    """Return a table at which a trick begins; tiles are from the left, with their levels."""
    tiles = [
        Tile(word[:2], SMALL if small else BIG, int(word[2:]), black=word[:2] in black.split())
        for word in levels.split()
    ]
    players = [
        Player(
            hand=_cards((hands or {}).get(seat, SPARE)),
            portfolio=_cards((portfolios or {}).get(seat, "")),
            hidden=_cards((hidden or {}).get(seat, "")),
            speculation=seat not in used,
        )
        for seat in range(seats)
    ]
    state = State(players, tiles, rounds, keeps_black=small, round=round)
    held = {card for player in players for card in [*player.hand, *player.portfolio]}
    rest = [card for card in CARDS if card not in held and card != market]
    state.pile = [*_cards(pile), market] if pile else [*rest, market]
    state.leader = leader
    trick.begin(state, Dealer("begin"))
    return state


def choosing(hands: Words, *, levels: str = "CO1 GG2 MG3 PA4 RA5", seats: int = 3) -> State:
    """Return a table at which portfolios are begun."""
    state = table(hands, levels=levels, seats=seats)
    state.phase = "portfolio"
    state.pile.append(state.market)
    state.market = ""
    return state


def lay(card: str, company: str = "", up: bool = False) -> PlayCard:
    """Return the move that plays a card and moves a company if it must."""
    return PlayCard(card, company, up)


def disguise(card: str, company: str = "", up: bool = False) -> Disguise:
    """Return the move that plays a card with the Speculation Card."""
    return Disguise(card, company, up)


def play(state: State, *moves: Move) -> list[Event]:
    """Let whoever is on turn make each move, and return all that happened."""
    dealer = Dealer("test")
    for move in moves:
        take_turn(GAMES["stonks"], state, state.on_turn()[0], move, dealer)
    return dealer.events


def told(events: list[Event], kind: str) -> list[Facts]:
    """Return what all are told of events of a kind."""
    return [event.public or {} for event in events if event.kind == kind]


def values(state: State) -> dict[str, int]:
    return {tile.company: tile.value for tile in state.tiles}


def black(state: State) -> list[str]:
    return [tile.company for tile in state.tiles if tile.black]


def cards_open_to(state: State, seat: Seat) -> set[str]:
    """Return the cards that a seat may play."""
    return {move.card for move in stonks.legal(state, seat) if isinstance(move, PlayCard)}


def board_of(state: State, viewer: Viewer, events: list[Event] | None = None) -> Board:
    """Return the board of a viewer who has not seen `events` yet."""
    moves = [] if viewer is None else stonks.legal(state, viewer)
    since = [facts for event in events or [] if (facts := event.seen_by(viewer)) is not None]
    return stonks.board(stonks.view(state, viewer), moves, since, stonks.result(state))


def deal(seats: int, *options: str, seed: str = "deal") -> tuple[State, list[Event]]:
    """Return a fresh game and what was told of it."""
    dealer = Dealer(seed)
    return stonks.setup(seats, dict.fromkeys(options, 1), dealer), dealer.events


def _cards(words: str) -> list[str]:
    cards = words.split()
    assert all(card in CARDS for card in cards)
    return cards
