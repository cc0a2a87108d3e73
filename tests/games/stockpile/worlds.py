"""Stockpile's secrets: decks, face-down cards, hidden pairs, the others' hands and portfolios.

With modules also the goods and strategies in the others' hands, and the investors that they have
not shown yet.
"""

from collections import Counter
from copy import deepcopy
from random import Random

from stockpile_web.engine import Facts, Seat, Viewer
from stockpile_web.games.stockpile.data import ACTIONS, COMPANIES, MARKET_DECK, Card
from stockpile_web.games.stockpile.data_epic import COMMERCE_DECK
from stockpile_web.games.stockpile.investors import INVESTORS
from stockpile_web.games.stockpile.modules.strategies.titles import deck as strategy_deck
from stockpile_web.games.stockpile.moves import (
    Collect,
    DiscardStrategies,
    KeepInvestors,
    LayOpening,
    Move,
    Place,
    PlaceHidden,
    TakeCard,
)
from stockpile_web.games.stockpile.phases.phase import is_waiting
from stockpile_web.games.stockpile.state import Player, State, no_shares

REVEALING = {
    "piles_opened",  # Cards come off the deck.
    "hand_dealt",
    "goods_drawn",
    "pair_dealt",  # What is left for the deal depends on a card that one player took.
    "pair_opened",
    "fee_paid",  # It may have come out of a pile, face-down until now.
    "fee_gained",
    "split",  # All cards of the company are shown.
    "bankrupt",
    "dividend_collected",  # Answered in secret until the last answer is in.
    "strategy_showed",  # One card of each company is shown.
    "companies_shown",
    "pair_revealed",
    "pair_shown",
    "investors_kept",  # Chosen in secret until now.
    "investor_laid",
    "majority",  # At the end everyone shows everything.
    "final_sale",
}
REVEALING_TO_ONE = {"pile_won", "pile_seen", "pair_seen", "strategies_drawn"}
REVEALING_TO_OTHERS = {"goods_placed", "piles_laid"}


def reveals(facts: Facts, viewer: Viewer) -> bool:
    """What one player looks at surprises that player; what one has drawn surprises the others."""
    kind = facts["kind"]
    if kind in REVEALING_TO_ONE:
        return bool(facts["seat"] == viewer)
    if kind in REVEALING_TO_OTHERS:
        return bool(facts["seat"] != viewer)
    return kind in REVEALING


def outward(move: Move) -> object:
    """Nobody else sees what is placed face-down, or chosen in secret."""
    match move:
        case Place(up, up_pile, _, down_pile):
            return Place, up, up_pile, down_pile
        case PlaceHidden(_, one_pile, _, two_pile):
            return PlaceHidden, one_pile, two_pile
        case LayOpening(_, pile):
            return LayOpening, pile
        case TakeCard(card):
            return TakeCard, card in COMPANIES
        case Collect() | KeepInvestors() | DiscardStrategies():
            return type(move)
        case _:
            return move


def money(state: State) -> list[int]:
    return [player.cash for player in state.players]


def box(state: State) -> Counter[Card]:
    """Count what is printed: the market deck, and with commodities the commerce deck."""
    return Counter(MARKET_DECK) + Counter(COMMERCE_DECK if "commodities" in state.modules else {})


def lose(state: State, what: str) -> None:
    if what == "a card":
        state.deck.pop(0)
    else:
        state.players[0].cash -= 1


def cards(state: State) -> Counter[Card]:
    """Count the market and the commerce cards; the first player card is nobody's for long."""
    found = Counter([*state.deck, *state.discard, *state.commerce, *state.spent])
    laid = [laid.card for pile in state.piles for laid in pile]
    found.update(card for card in laid if card in MARKET_DECK or card in COMMERCE_DECK)
    for player in state.players:
        found.update([*player.hand, *player.actions, *player.fees, *player.drawn, *player.goods])
        found.update(_stock(player))
        found.update(Counter(player.split).elements())
    return found


def another_world(state: State, viewer: Viewer, random: Random) -> State:
    world = deepcopy(state)
    _deal_pairs_anew(world, viewer, random)
    _deal_cards_anew(world, viewer, random)
    _deal_won_anew(world, viewer, random)
    _answer_anew(world, viewer, random)
    _deal_goods_anew(world, viewer, random)
    _deal_strategies_anew(world, viewer, random)
    _deal_investors_anew(world, viewer, random)
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
    others = _others(world, viewer)
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
    random.shuffle(hidden)  # Stock was taken from its beginning; so all worlds are as likely.
    for seat in others:
        world.players[seat].hand = [hidden.pop() for _ in world.players[seat].hand]
    for laid in backs:
        laid.card = hidden.pop()
    world.deck = hidden
    if world.phase == "action" and world.queue:
        order = world.order()
        later = order[order.index(world.queue[0]) + 1 :]
        world.queue = [
            world.queue[0],
            *(s for s in later if world.players[s].actions or is_waiting(world, s)),
        ]


def _deal_won_anew(world: State, viewer: Viewer, random: Random) -> None:
    """What lay face-down in a pile that another has won may have been any card."""
    for laid in (laid for player in world.players for won in player.won for laid in won.cards):
        if not laid.up and viewer not in laid.known:
            laid.card = random.choice(list(MARKET_DECK))


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


def _answer_anew(world: State, viewer: Viewer, random: Random) -> None:
    """Let the others who have answered a dividend show anything that they hold in this world."""
    if world.dividend is None:
        return
    for seat in world.dividend.answers.keys() - {viewer}:
        player, company = world.players[seat], world.dividend.company
        held = (player.shares[company], player.split[company])
        world.dividend.answers[seat] = (random.randint(0, held[0]), random.randint(0, held[1]))


def _deal_goods_anew(world: State, viewer: Viewer, random: Random) -> None:
    others = [world.players[seat] for seat in _others(world, viewer)]
    hidden = [*world.commerce, *(card for player in others for card in player.drawn)]
    random.shuffle(hidden)
    for player in others:
        player.drawn = [hidden.pop() for _ in player.drawn]
    world.commerce = hidden


def _deal_strategies_anew(world: State, viewer: Viewer, random: Random) -> None:
    """Deal the others any strategies that the viewer does not hold."""
    own = [] if viewer is None else world.players[viewer].strategies
    hidden = list((Counter(strategy_deck(world.modules)) - Counter(own)).elements())
    random.shuffle(hidden)
    for seat in _others(world, viewer):
        player = world.players[seat]
        player.strategies = sorted(hidden.pop() for _ in player.strategies)
    world.box = [hidden.pop() for _ in world.box]


def _deal_investors_anew(world: State, viewer: Viewer, random: Random) -> None:
    if world.phase != "keeping":
        return
    own = (
        () if viewer is None else (*world.players[viewer].offered, *world.players[viewer].investors)
    )
    hidden = [key for key in INVESTORS if key not in own]
    random.shuffle(hidden)
    for seat in _others(world, viewer):
        player = world.players[seat]
        player.offered = [hidden.pop() for _ in player.offered]
        player.investors = tuple(hidden.pop() for _ in player.investors)


def _others(world: State, viewer: Viewer) -> list[Seat]:
    return [seat for seat in range(len(world.players)) if seat != viewer]


def _yet_to_act(state: State) -> list[Seat]:
    """Return the seats of which nobody knows whether they hold action cards.

    Of the seat on turn it is known that it does if it has nothing else to decide.
    """
    order = state.order()
    if state.phase in ("piles_won", "after_demand"):
        return order
    if state.phase != "action" or not state.queue:
        return []
    acting = state.queue[0]
    later = order[order.index(acting) + 1 :]
    return [acting, *later] if is_waiting(state, acting) else later


def _stock(player: Player) -> list[Card]:
    return list(Counter(player.shares).elements())
