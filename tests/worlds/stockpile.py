"""Stockpile's secrets: deck, face-down cards, hidden pairs, the others' hands and portfolios."""

from collections import Counter
from copy import deepcopy
from random import Random

from stockpile_web.engine import Facts, Seat, Viewer
from stockpile_web.games.stockpile.data import ACTIONS, COMPANIES, Card
from stockpile_web.games.stockpile.moves import Move, Place
from stockpile_web.games.stockpile.state import Player, State, no_shares

REVEALING = {
    "piles_opened",  # Cards come off the deck.
    "hand_dealt",
    "fee_paid",  # It may have come out of a pile, face-down until now.
    "split",  # All cards of the company are shown.
    "bankrupt",
    "pair_revealed",
    "majority",  # At the end everyone shows everything.
    "final_sale",
}


def reveals(facts: Facts, viewer: Viewer) -> bool:
    """A pile is a surprise to its winner alone; the rest surprises everyone."""
    if facts["kind"] == "pile_won":
        return bool(facts["seat"] == viewer)
    return facts["kind"] in REVEALING


def outward(move: Move) -> object:
    """Nobody else sees the card that is placed face-down."""
    if isinstance(move, Place):
        return Place, move.up, move.up_pile, move.down_pile
    return move


def money(state: State) -> list[int]:
    return [player.cash for player in state.players]


def cards(state: State) -> Counter[Card]:
    found = Counter([*state.deck, *state.discard])
    found.update(laid.card for pile in state.piles for laid in pile)
    for player in state.players:
        found.update([*player.hand, *player.actions, *player.fees])
        found.update(_stock(player))
        found.update(Counter(player.split).elements())
    return found


def another_world(state: State, viewer: Viewer, random: Random) -> State:
    world = deepcopy(state)
    _deal_pairs_anew(world, viewer, random)
    _deal_cards_anew(world, viewer, random)
    return world


def _deal_pairs_anew(world: State, viewer: Viewer, random: Random) -> None:
    hidden = [pair for pair in world.pairs if not pair.up and viewer not in pair.known]
    companies = [pair.company for pair in hidden]
    forecasts = [pair.forecast for pair in hidden]
    random.shuffle(companies)
    random.shuffle(forecasts)
    for pair in hidden:
        pair.company, pair.forecast = companies.pop(), forecasts.pop()


def _deal_cards_anew(world: State, viewer: Viewer, random: Random) -> None:
    """Collect every hidden card, and deal them out again where such a card can lie."""
    others = [seat for seat in range(len(world.players)) if seat != viewer]
    waiting = [seat for seat in _yet_to_act(world) if seat != viewer]
    backs = [
        laid for pile in world.piles for laid in pile if not laid.up and viewer not in laid.known
    ]
    hidden = [*world.deck, *(laid.card for laid in backs)]
    for seat in others:
        player = world.players[seat]
        hidden += [*player.hand, *_stock(player)]
        hidden += player.actions if seat in waiting else []
    random.shuffle(hidden)

    # The most restricted places first: a portfolio holds stock alone.
    for seat in sorted(others, key=lambda seat: seat in waiting):
        _deal_portfolio(world.players[seat], seat in waiting, hidden)
    for seat in others:
        world.players[seat].hand = [hidden.pop() for _ in world.players[seat].hand]
    for laid in backs:
        laid.card = hidden.pop()
    world.deck = hidden
    if world.phase == "action":
        later = [seat for seat in _yet_to_act(world) if world.players[seat].actions]
        world.queue = [*world.queue[:1], *later]


def _deal_portfolio(player: Player, may_hold_actions: bool, hidden: list[Card]) -> None:
    count = sum(player.shares.values())
    allowed = set(COMPANIES)
    if may_hold_actions:
        count += len(player.actions)
        allowed |= set(ACTIONS)
    dealt = [card for card in hidden if card in allowed][:count]
    for card in dealt:
        hidden.remove(card)
    stock = Counter(card for card in dealt if card in COMPANIES)
    player.shares = {**no_shares(), **stock}
    if may_hold_actions:
        player.actions = [card for card in dealt if card in ACTIONS]


def _yet_to_act(state: State) -> list[Seat]:
    """Return the seats of which nobody knows yet whether they hold action cards."""
    if state.phase != "action" or not state.queue:
        return []
    order = state.order()
    return order[order.index(state.queue[0]) + 1 :]


def _stock(player: Player) -> list[Card]:
    return list(Counter(player.shares).elements())
