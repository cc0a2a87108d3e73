"""Why the steady bot ranks moves as it does, in facts that `coach.html` tells."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from stockpile_web.engine import Advice, Facts
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.ratings import investor_worth
from stockpile_web.games.stockpile.bots.saying import what
from stockpile_web.games.stockpile.bots.steady import UNKNOWN, rank
from stockpile_web.games.stockpile.bots.supplying import KINDS, Piles
from stockpile_web.games.stockpile.bots.trading import shortage
from stockpile_web.games.stockpile.bots.worth import effect
from stockpile_web.games.stockpile.data import COMPANIES, Card
from stockpile_web.games.stockpile.moves import (
    Bid,
    Boom,
    Bust,
    Collect,
    Done,
    Give,
    GiveFirstCard,
    LookAtPair,
    LookAtPile,
    Move,
    Nudge,
    Place,
    PlaceFirstCard,
    PlaceHidden,
    PlayStrategy,
    Redistribute,
    Sell,
    SellHalf,
    SellSplit,
    ShowCompanies,
    TakeCard,
)
from stockpile_web.games.stockpile.view import View

# What it ranks by another measure than money.
NO_MONEY = (
    Give, GiveFirstCard, LookAtPair, LookAtPile, PlaceFirstCard, Redistribute, ShowCompanies,
    TakeCard,
)  # fmt: skip


def explain(view: View, moves: list[Move]) -> list[Advice]:
    """Rank the moves as the bot does, and say why."""
    outlook = Outlook(view)
    ranked = rank(outlook, moves)
    reasons = Reasons(outlook, moves)
    return [
        Advice(
            move,
            _worth(move, worth),
            what(view, move),
            reasons.of(move, worth, move == best),
            is_provisional=isinstance(move, Bid),
        )
        for best in [ranked[0][0]]
        for move, worth in ranked
    ]


def _worth(move: Move, worth: float) -> float | None:
    is_untried = isinstance(move, PlayStrategy) and worth == UNKNOWN
    return None if is_untried or isinstance(move, NO_MONEY) else worth


class Reasons:
    """What can be said for and against the moves that one seat has."""

    def __init__(self, outlook: Outlook, moves: list[Move]) -> None:
        self.outlook = outlook
        self.has_choice = len(moves) > 1
        self.piles = None
        if any(isinstance(move, KINDS) for move in moves):
            self.piles = Piles(outlook)
        bids = [move for move in moves if isinstance(move, Bid)]
        self.lowest = {bid.pile: bid.space for bid in reversed(bids)}

    def of(self, move: Any, worth: float, is_best: bool) -> list[Facts]:
        """Return why a move is worth what it is worth."""
        match move:
            case Bid():
                return self._bid(move)
            case Sell(company, cards) | SellHalf(company, cards) | SellSplit(company, cards):
                shares = cards * (2 if isinstance(move, SellSplit) else 1)
                return self._sale(company, shares, worth)
            case Boom(company) | Bust(company) | Nudge(company, _):
                regular, split = self.outlook.held(company)
                is_fall = isinstance(move, Bust) or (isinstance(move, Nudge) and move.steps < 0)
                shares = regular + 2 * split
                held = {"kind": "holds", "company": company, "shares": shares, "falls": is_fall}
                return [held, *self._tips([company])]
        if self.piles is not None:
            return [*self._laid(move), self._aim(self.piles, move)]
        return self._in_a_word(move, worth, is_best)

    def _in_a_word(self, move: Move, worth: float, is_best: bool) -> list[Facts]:
        match move:
            case Done():
                nothing = {"kind": "nothing_better", "phase": self.outlook.view.phase}
                return [nothing] if is_best and self.has_choice else []
            case Collect(cards, split):
                return [{"kind": "costs_nothing"}] if is_best and (cards or split) else []
            case PlayStrategy() if worth == UNKNOWN:
                return [{"kind": "not_tried"}]
        return [{"kind": "thumb", "of": type(move).__name__}]

    def _bid(self, bid: Bid) -> list[Facts]:
        view, own = self.outlook.view, self.outlook.own
        laid = view.piles[bid.pile].cards
        if view.phase == "auction":
            worth = investor_worth(laid[0].card or "", len(view.players))
            return [{"kind": "investor_brings", "money": round(worth)}]
        cards = Counter(each.card for each in laid)
        lots = [
            {"card": card, "count": count, "each": round(self.outlook.card(card))}
            for card, count in cards.items()
        ]
        total = round(sum(self.outlook.card(each.card) for each in laid))
        price = own.bid_track[bid.space]
        keeps = self.outlook.me.cash - price
        facts: list[Facts] = [
            {"kind": "pile_holds", "lots": lots, "money": total},
            *self._tips(card for card in cards if card in COMPANIES),
            {"kind": "bid_pays", "price": price, "keeps": keeps},
        ]
        if shortage(self.outlook, keeps) >= 1:
            facts.append({"kind": "runs_short"})
        if bid.space > self.lowest[bid.pile]:
            facts.append({"kind": "more_than_needed"})
        return facts

    def _sale(self, company: Card, shares: int, worth: float) -> list[Facts]:
        cash, price = self.outlook.me.cash, self.outlook.own.prices[company]
        money = shares * price
        needed = shortage(self.outlook, cash) - shortage(self.outlook, cash + money)
        facts: list[Facts] = [
            {"kind": "sale_brings", "money": money, "held": round(money + needed - worth)},
            *self._tips([company]),
        ]
        return [*facts, {"kind": "needs_money"}] if needed >= 1 else facts

    def _laid(self, move: Move) -> list[Facts]:
        match move:
            case Place(up, _, down, _):
                return [self._shown(up), self._hidden(down)]
            case PlaceHidden(one, _, two, _):
                return [self._hidden(one), self._hidden(two)]
        return []

    def _shown(self, card: Card) -> Facts:
        mine, theirs = self.outlook.card(card), self.outlook.card_to_others(card)
        return {"kind": "shows", "card": card, "mine": round(mine), "theirs": round(theirs)}

    def _hidden(self, card: Card) -> Facts:
        mine, theirs = self.outlook.card(card), self.outlook.any_card
        return {"kind": "hides", "card": card, "mine": round(mine), "theirs": round(theirs)}

    def _aim(self, piles: Piles, move: Move) -> Facts:
        _, pile, mine, theirs = piles.prospect(move)
        return {"kind": "aims_at", "pile": pile, "mine": round(mine), "theirs": round(theirs)}

    def _tips(self, companies: Iterable[Card | None]) -> list[Facts]:
        """Tell what the seat knows of these companies in this round."""
        known = {pair.company: pair for pair in self.outlook.view.pairs if pair.forecast}
        tips = []
        for company in companies:
            pair = known.get(company)
            if pair is not None and pair.forecast and not pair.moved:
                each, steps = effect(pair.forecast, pair.falsified)
                told = {"company": company, "each": each, "steps": steps, "open": pair.up}
                tips.append({"kind": "tip", **told})
        return tips
