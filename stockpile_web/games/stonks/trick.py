"""A trick: the market opens, all play a card, the best one wins and its player acquires one."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stonks import market
from stockpile_web.games.stonks.data import CARDS, Card, Company
from stockpile_web.games.stonks.moves import Acquire, Announce, Disguise, Move, PlayCard
from stockpile_web.games.stonks.state import ACQUIRING, TRICK, Played, State


def begin(state: State, dealer: Dealer) -> None:
    """Open the market for a new trick."""
    state.phase = TRICK
    state.trick = []
    state.leading = ""
    state.speculator = None
    state.market = state.pile.pop()
    dealer.turn_up("market_opened", card=state.market, seat=state.leader)


def legal(state: State, seat: Seat) -> list[Move]:
    """Follow the leading company if you can; otherwise any card, perhaps by Speculation."""
    player = state.players[seat]
    following = [card for card in player.hand if CARDS[card].company == state.leading]
    cards = following or player.hand
    moves: list[Move] = [PlayCard(card, *way) for card, way in _ways(state, cards)]
    if not player.speculation or state.speculator is not None or following:
        return moves
    if not state.trick:
        return [*moves, *(Announce(card, tile.company) for card in cards for tile in state.tiles)]
    return [*moves, *(Disguise(card, *way) for card, way in _ways(state, cards))]


def play(state: State, seat: Seat, move: PlayCard | Announce | Disguise, dealer: Dealer) -> None:
    """Play a card; what it moves counts at once, and with the last card the trick is decided."""
    card = move.card
    state.players[seat].hand.remove(card)
    match move:
        case PlayCard():
            state.leading = state.leading or CARDS[card].company
            state.trick.append(Played(seat, card))
            dealer.announce("card_played", seat=seat, card=card)
            _cancel(state, seat, card, dealer)
        case Announce():
            _speculate(state, seat)
            state.leading = move.leading
            state.trick.append(Played(seat, card, down=True))
            dealer.reveal([seat], "lead_announced", {"card": card}, seat=seat, company=move.leading)
        case Disguise():
            _speculate(state, seat)
            state.trick.append(Played(seat, card, as_company=state.leading))
            dealer.announce("card_disguised", seat=seat, card=card, company=state.leading)
    if not isinstance(move, Announce) and move.company:
        market.fluctuate(state, seat, card, move.company, move.up, dealer)
    if len(state.trick) == len(state.players):
        _decide(state, dealer)


def best(trick: list[Played], leading: Company, trump: Company) -> Played | None:
    """Return the highest trump, else the highest of the leading company, else nobody's card.

    Of two equals the first wins: it is the real card, for a later one would have cancelled.
    """
    able = [played for played in trick if played.company in (leading, trump)]
    return max(able, key=lambda played: _rank(played, trump), default=None)


def acquirable(state: State) -> list[Card]:
    """Return the cards that the winner of the trick may take."""
    return [*(played.card for played in state.trick), state.market]


def acquire(state: State, seat: Seat, move: Acquire, dealer: Dealer) -> None:
    """Take one card into the portfolio; the others are discarded."""
    state.players[seat].portfolio.append(move.card)
    dealer.announce("card_acquired", seat=seat, card=move.card)
    state.discard += [card for card in acquirable(state) if card != move.card]
    state.trick, state.market = [], ""


def _ways(state: State, cards: list[Card]) -> list[tuple[Card, tuple[Company, bool]]]:
    by_icons = {CARDS[card].icons: card for card in cards}
    ways = {icons: market.choices(state, card) for icons, card in by_icons.items()}
    return [(card, way) for card in cards for way in ways[CARDS[card].icons]]


def _speculate(state: State, seat: Seat) -> None:
    state.players[seat].speculation = False
    state.speculator = seat


def _cancel(state: State, seat: Seat, card: Card, dealer: Dealer) -> None:
    """The real card unmasks one that was played before it and counts as the same."""
    face = CARDS[card]
    for played in state.trick:
        if played.as_company == face.company and CARDS[played.card].number == face.number:
            played.as_company = ""
            dealer.announce(
                "speculation_cancelled", seat=seat, speculator=played.seat, card=played.card
            )


def _rank(played: Played, trump: Company) -> tuple[bool, int]:
    return played.company == trump, CARDS[played.card].number


def _decide(state: State, dealer: Dealer) -> None:
    """Turn up what lies face-down, and find the winner by the trump of this moment."""
    for played in state.trick:
        if played.down:
            played.down = False
            dealer.turn_up("card_revealed", seat=played.seat, card=played.card)
    won = best(state.trick, state.leading, state.trump())
    if won is None:
        dealer.announce("trick_void", seat=state.leader)
        state.discard += acquirable(state)
        state.trick, state.market = [], ""
    else:
        state.leader = won.seat
        state.phase = ACQUIRING
        is_trump = won.company == state.trump() != state.leading
        dealer.announce("trick_won", seat=won.seat, card=won.card, by_trump=is_trump)
