"""Tables of Illimat in one line: cards are words, by seat and by field.

`Su7` lies loose, `10:Su7+Wi3` is a single stockpile of ten, `10x2:Su10+Wi7+Wi3` a multiple one.
"""

from collections.abc import Mapping
from copy import deepcopy

from stockpile_web.engine import Dealer, Event, Facts, Game, Seat, take_turn
from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import CARDS, STARS
from stockpile_web.games.illimat.fields import Item, worths
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.moves import Add, Finish, Harvest, Move, Stockpile
from stockpile_web.games.illimat.state import Field, Player, State, Turn

ILLIMAT: Game = illimat

Words = Mapping[int, str]


def table(
    hands: Words | None = None,
    fields: Words | None = None,
    *,
    seats: int = 2,
    turn: Seat = 0,
    summer: int = 0,
    up: Words | None = None,
    down: Words | None = None,
    unused: str = "",
    okuses: int = 0,
    pile: str | None = None,
    harvests: Words | None = None,
    beginner: bool = False,
    target: int = 17,
    single: bool = False,
) -> State:
    """Return a table in the middle of a round; unsaid hands and the pile are of what is left.

    Fields 0 to 3 are in Summer, Spring, Winter and Autumn unless Summer lies elsewhere.
    """
    hands, fields, up, down, harvests = (
        hands or {},
        fields or {},
        up or {},
        down or {},
        harvests or {},
    )
    laid = [Field([_item(word) for word in fields.get(home, "").split()]) for home in range(4)]
    for home, key in {**up, **down}.items():
        assert key in LUMINARIES
        laid[home].luminary, laid[home].is_up = key, home in up
    players = [
        Player(_cards(hands.get(seat, "")), _cards(harvests.get(seat, ""))) for seat in range(seats)
    ]
    used = {card for player in players for card in [*player.hand, *player.harvest]}
    used |= {card for field in laid for item in field.items for card in item.cards}
    used |= {*_cards(pile or "")}
    rest = [card for card in CARDS if card not in used]
    for seat, player in enumerate(players):
        if seat not in hands:
            player.hand = [rest.pop() for _ in range(4)]
    return State(
        players,
        has_stars=any(CARDS[card].suit == STARS for card in used) or seats == 4,
        has_luminaries=not beginner,
        dealer=seats - 1,
        turn=Turn(turn),
        target=target,
        is_single=single,
        round=1,
        fields=laid,
        summer=summer,
        okuses=okuses,
        pile=rest if pile is None else _cards(pile),
        unused=unused.split(),
    )


def take(cards: str, field: int, items: str, value: int = 0, season: str = "") -> list[Move]:
    """Return the steps of a harvest; a Fool among the items counts as 1 unless it says `SuF=14`."""
    played = tuple(cards.split())
    worth = value or worths(played)[0]
    return [Harvest(played, field, worth), *_adds(items), Finish(season)]


def stack(
    card: str, field: int, value: int, items: str, counts: int = 0, season: str = ""
) -> list[Move]:
    """Return the steps of a stockpile; its own Fool counts as 1 unless told otherwise."""
    active = counts or CARDS[card].values[0]
    return [Stockpile(card, field, value, active), *_adds(items), Finish(season)]


def play(state: State, *moves: Move) -> list[Event]:
    """Let whoever is on turn make each move, and return all that happened."""
    dealer = Dealer("test")
    for move in moves:
        take_turn(ILLIMAT, state, state.turn.seat, move, dealer)
    return dealer.events


def can(state: State, *moves: Move) -> bool:
    """Tell whether whoever is on turn may make all these moves; try them on a copy."""
    seat, copy = state.turn.seat, deepcopy(state)
    for move in moves:
        if move not in illimat.legal(copy, seat):
            return False
        illimat.play(copy, seat, move, Dealer("try"))
    return True


def kinds(state: State) -> set[type[Move]]:
    """Return the kinds of moves that are open to whoever is on turn."""
    return {type(move) for move in illimat.legal(state, state.turn.seat)}


def told(events: list[Event], kind: str) -> list[Facts]:
    """Return what all are told of events of a kind."""
    return [event.public or {} for event in events if event.kind == kind]


def lying(state: State, field: int) -> list[str]:
    """Return the items of a field as words."""
    return [_word(item) for item in state.fields[field].items]


def _adds(items: str) -> list[Move]:
    moves: list[Move] = []
    for word in items.split():
        name, _, counts = word.partition("=")
        moves.append(Add(name, int(counts) if counts else CARDS[name].values[0]))
    return moves


def _item(word: str) -> Item:
    head, _, cards = word.rpartition(":")
    value, _, times = head.partition("x")
    item = Item(tuple(cards.split("+")), int(value or 0), int(times or 1))
    assert all(card in CARDS for card in item.cards)
    return item


def _word(item: Item) -> str:
    cards = "+".join(item.cards)
    if item.is_loose:
        return cards
    return f"{item.value}{f'x{item.times}' if item.is_multiple else ''}:{cards}"


def _cards(words: str) -> list[str]:
    cards = words.split()
    assert all(card in CARDS for card in cards)
    return cards
