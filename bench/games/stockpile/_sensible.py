"""The standing orders that a sensible person would leave at Stockpile, by what they can see.

Cards are valued at a glance: a share at what its company will stand at as far as that is known.
"""

from stockpile_web.games.stockpile.data import BID_TRACK, BOOM, BUST, COMPANIES, FEES, Company
from stockpile_web.games.stockpile.orders.book import Book, Offer, coming_round, look
from stockpile_web.games.stockpile.orders.sheet import GUESSED
from stockpile_web.games.stockpile.view import View

GLANCE = {BOOM: 4.0, BUST: 2.0, **{fee: -float(amount) for fee, amount in FEES.items()}}
UNKNOWN_CARD = 3.5
UNKNOWN_STEPS = 0.7  # What a forecast that one has not seen brings a share, dividend included.


def orders(view: View) -> Book:
    """Return the book that the player leaves: sell what is known to fall, and keep the rest."""
    held = shares(view)
    falling = [company for company in COMPANIES if steps(view, company) < 0]
    return Book(
        round=coming_round(view),
        offers=offers(view),
        then="cheapest" if offers(view) else "worth",
        worth={**{company: round(card(view, company)) for company in COMPANIES}, **GUESSED},
        now=[company for company in falling if held[company]] if is_this_round(view) else [],
        rest="round",
        dividends="always",
        boom=max(COMPANIES, key=lambda company: held[company]),
        bust=min(COMPANIES, key=lambda company: held[company]),
    )


def offers(view: View) -> list[Offer]:
    """Bid for each pile what it is worth beyond the worst one, which can always be had for $0.

    Whoever lays among the first in the Supply Phase bids by worth: more cards are to come.
    """
    if not (view.phase == "demand" or (view.phase == "supply" and still_to_lay(view) <= 1)):
        return []
    worth = [
        sum(UNKNOWN_CARD if laid.card is None else card(view, laid.card) for laid in pile.cards)
        for pile in view.piles
    ]
    found = []
    for pile in sorted(range(len(worth)), key=lambda pile: -worth[pile]):
        spare = worth[pile] - min(worth)
        most = max(space for space, amount in enumerate(BID_TRACK) if amount <= spare)
        found.append(Offer(pile, most, look(view.piles[pile])))
    return found


def card(view: View, name: str) -> float:
    """Return what a card is worth at a glance."""
    if name not in COMPANIES:
        return GLANCE.get(name, 0.0)
    assert view.own is not None
    return max(view.own.prices[name], view.own.prices[name] + steps(view, name))


def steps(view: View, company: Company) -> float:
    """Return by how much a share will change this round, as far as the player knows."""
    for pair in view.pairs:
        if pair.company == company and pair.forecast is not None:
            is_paid = pair.forecast.startswith("$")
            return len(pair.forecast) if is_paid else int(pair.forecast)
    return UNKNOWN_STEPS


def shares(view: View) -> dict[Company, int]:
    """Return how many shares of each company the player has."""
    assert view.own is not None and view.viewer is not None
    split = view.players[view.viewer].split
    return {c: view.own.shares.get(c, 0) + 2 * split.get(c, 0) for c in COMPANIES}


def still_to_lay(view: View) -> int:
    """Return how many players have yet to lay their cards."""
    return len(view.order) - view.order.index(view.on_turn[0]) if view.on_turn else 0


def is_this_round(view: View) -> bool:
    """Tell whether what is ordered now is for the round whose forecasts are known."""
    return coming_round(view) == view.round
