"""What a view tells about what is to come: forecasts, hidden cards, and what each is worth."""

from functools import cached_property, lru_cache
from math import comb

from stockpile_web.engine import Seat
from stockpile_web.games.stockpile.bots.worth import (
    Chance,
    Worth,
    any_forecast,
    effect,
    held_through,
    kept,
    moved,
)
from stockpile_web.games.stockpile.data import (
    ACTIONS,
    BOARDS,
    BOOM,
    COMPANIES,
    FEES,
    MAJORITY,
    MAJORITY_TIED,
    MARKET_DECK,
    Card,
    Company,
)
from stockpile_web.games.stockpile.data_epic import COMMODITIES, SET_BONUS, TAX, TAX_PENALTY
from stockpile_web.games.stockpile.state import Player
from stockpile_web.games.stockpile.view import OwnView, PlayerView, View

BEFORE_THE_DEAL = {"keeping", "auction", "discarding", "round_beginning", "before_information"}
AFTER_THE_MOVEMENT = {"end_of_round", "game_end"}

# Set by hand, never varied: what an action card brings its winner, and how much of a majority
# that seems won today counts while so many movements are left.
ACTION_WORTH = {BOOM: 5.0, "bust": 3.0}
MAJORITY_COUNTS = (1.0, 0.9, 0.6, 0.4, 0.3, 0.25, 0.2, 0.2)


class Outlook:
    """What one seat can expect, worked out as far as it is asked for."""

    def __init__(self, view: View) -> None:
        assert view.own is not None
        assert view.viewer is not None
        self.view: View = view
        self.own: OwnView = view.own
        self.seat: Seat = view.viewer
        self.me = view.players[self.seat]
        self.board = "advanced" if "advanced_board" in view.modules else "standard"
        self.dice = "forecast_dice" in view.modules
        self.spaces = {ticker.company: ticker.space for ticker in view.market}
        self.left = view.rounds - view.round + (view.phase not in AFTER_THE_MOVEMENT)
        if not view.round:
            self.left = view.rounds
        self._cards: dict[Card | None, float] = {}
        self._cards_to_others: dict[Card | None, float] = {}

    def held(self, company: Company) -> tuple[int, int]:
        """Return how many regular and split cards of a company the seat has."""
        return self.own.shares.get(company, 0), self.me.split.get(company, 0)

    def price(self, company: Company) -> int:
        """Return today's value of a share."""
        return BOARDS[self.board][company].values[self.spaces[company]]

    @cached_property
    def worth(self) -> dict[Company, Worth]:
        """What a card of each company is worth to hold, by all the seat knows."""
        return self._worth(self.chances)

    @cached_property
    def blind_worth(self) -> dict[Company, Worth]:
        """The same by what lies open: as it seems to the others."""
        return self._worth(self._chances(only_open=True))

    @cached_property
    def chances(self) -> dict[Company, tuple[Chance, ...]]:
        """What this round's movement may bring to each company; nothing if it has moved."""
        return self._chances(only_open=False)

    def _worth(self, chances: dict[Company, tuple[Chance, ...]]) -> dict[Company, Worth]:
        return {
            company: self.card_at(company, space, chances[company])
            for company, space in self.spaces.items()
        }

    def card_at(self, company: Company, space: int, chances: tuple[Chance, ...]) -> Worth:
        """Return what a card is worth to hold if its ticker is on `space`."""
        if chances:
            return held_through(self.board, company, space, self.left, self.dice, chances)
        left = self.left - (self.view.phase == "movement")
        return kept(self.board, company, left, self.dice)[space]

    def on_sale(self, company: Company, space: int) -> Worth:
        """Return what a card is worth on `space` to somebody who may still sell it this round."""
        price = BOARDS[self.board][company].values[space]
        card = self.card_at(company, space, self.chances[company])
        return Worth(max(price, card.regular), max(2 * price, card.split))

    def after(self, company: Company, steps: int) -> Worth:
        """Return what a card is worth, with what that pays, if its ticker moves by `steps` now."""
        board, dice, left, space = self.board, self.dice, self.left, self.spaces[company] + steps
        by_chance = moved(board, company, self.spaces[company], steps, left, dice)
        if not 0 <= space < len(BOARDS[board][company].values):
            return by_chance
        usual = kept(board, company, left, dice)[space]
        card = self.on_sale(company, space)
        return Worth(
            by_chance.regular + card.regular - usual.regular,
            by_chance.split + card.split - usual.split,
        )

    def _chances(self, only_open: bool) -> dict[Company, tuple[Chance, ...]]:
        view = self.view
        if view.phase in AFTER_THE_MOVEMENT:
            return dict.fromkeys(COMPANIES, ())
        if view.phase in BEFORE_THE_DEAL or not view.pairs:
            return dict.fromkeys(COMPANIES, any_forecast(self.dice))
        known: dict[Company, tuple[Chance, ...]] = {}
        forecasts = list(view.forecasts)
        for pair in view.pairs:
            if pair.company is None or pair.forecast is None or (only_open and not pair.up):
                continue
            forecasts.remove(pair.forecast)
            certain: Chance = (1.0, *effect(pair.forecast, pair.falsified))
            known[pair.company] = () if pair.moved else (certain,)
        others = _any_of(tuple(forecasts))
        return {company: known.get(company, others) for company in COMPANIES}

    @cached_property
    def unseen(self) -> dict[Card, int]:
        """How many market cards of each kind the seat has not seen, wherever they are."""
        unseen = dict(MARKET_DECK)
        view, own = self.view, self.own
        for card in view.discard:
            unseen[card] -= 1
        for card in (*own.hand, *own.actions):
            unseen[card] -= 1
        for company, cards in own.shares.items():
            unseen[company] -= cards
        for player in view.players:
            for fee in player.fees:
                unseen[fee] -= 1
            for company, cards in player.split.items():
                unseen[company] -= cards
        for pile in view.piles:
            for laid in pile.cards:
                if laid.card in unseen:
                    unseen[laid.card] -= 1
        return unseen

    @cached_property
    def likely(self) -> dict[Company, float]:
        """How likely a stock card in another's portfolio is one of each company."""
        stock = sum(self.unseen[company] for company in COMPANIES) or 1
        return {company: self.unseen[company] / stock for company in COMPANIES}

    @cached_property
    def any_card(self) -> float:
        """What a face-down card is worth of which nothing is known."""
        cards = sum(self.unseen.values()) or 1
        return sum(count * self.card(card) for card, count in self.unseen.items()) / cards

    def card(self, card: Card | None) -> float:
        """Return what a card on a pile is worth to the seat; None is a back."""
        if card not in self._cards:
            self._cards[card] = self.any_card if card is None else self._card(card)
        return self._cards[card]

    def _card(self, card: Card) -> float:
        if card not in self.worth:
            return other_card(card, self.me)
        regular, split = self.held(card)
        shares = regular + 2 * split
        more = self.majority(card, shares + 1) - self.majority(card, shares)
        return self.worth[card].regular + more

    def card_to_others(self, card: Card | None) -> float:
        """Return what a card is worth to any of the others, who see its face."""
        if card not in self._cards_to_others:
            self._cards_to_others[card] = self._card_to_others(card)
        return self._cards_to_others[card]

    def _card_to_others(self, card: Card | None) -> float:
        if card is None:
            return self.any_card
        if card in self.worth:
            return self.blind_worth[card].regular + 1
        others = [player for n, player in enumerate(self.view.players) if n != self.seat]
        return sum(other_card(card, player) for player in others) / len(others)

    def majority(self, company: Company, shares: int) -> float:
        """Return what the majority bonus is worth to the seat with so many shares."""
        if not shares:
            return 0.0
        alone = at_most = 1.0
        likely = round(self.likely[company], 2)
        for seat, player in enumerate(self.view.players):
            if seat != self.seat:
                more = shares - 2 * player.split.get(company, 0)
                alone *= at_most_drawn(more - 1, player.face_down, likely)
                at_most *= at_most_drawn(more, player.face_down, likely)
        bonus = MAJORITY * alone + MAJORITY_TIED * (at_most - alone)
        return bonus * MAJORITY_COUNTS[self.left] * self._survives(company)

    def _survives(self, company: Company) -> float:
        """Return how likely a company does not go bankrupt this round."""
        space = self.spaces[company]
        if space > 3:  # No forecast takes more than four steps.
            return 1.0
        falls = (chance for chance, _, steps in self.chances[company] if space + steps < 0)
        return 1 - sum(falls)


def other_card(card: Card, player: Player | PlayerView) -> float:
    """Return what a card that is no share brings to a player."""
    if card in FEES:
        return FEES[card] if "bernie" in player.investors else -FEES[card]
    if card in ACTIONS:
        return ACTION_WORTH[card]
    if card in COMMODITIES or card == TAX:
        return goods_worth([*player.goods, card]) - goods_worth(player.goods)
    return 0.0


def goods_worth(goods: list[Card]) -> int:
    """Return what commodities and taxes bring at the end."""
    taxes = goods.count(TAX)
    counts = [goods.count(card) for card in COMMODITIES]
    sets = (sum(count > n for count in counts) for n in range(max(counts)))
    return sum(SET_BONUS[kinds] for kinds in sets) - TAX_PENALTY[taxes]


@lru_cache(maxsize=20_000)
def at_most_drawn(most: int, cards: int, likely: float) -> float:
    """Return how likely it is that of so many cards at most `most` are of one kind."""
    if most < 0:
        return 0.0
    return sum(
        comb(cards, n) * likely**n * (1 - likely) ** (cards - n)
        for n in range(min(most, cards) + 1)
    )


@lru_cache(maxsize=5_000)
def _any_of(forecasts: tuple[str, ...]) -> tuple[Chance, ...]:
    return tuple((1 / len(forecasts), *effect(forecast)) for forecast in sorted(forecasts))
