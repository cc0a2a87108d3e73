"""Imagine a whole table from what one seat sees: what is hidden is dealt by chance."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

from stockpile_web.engine import Rng, Seat
from stockpile_web.games.stockpile.bots.line_up import line_up
from stockpile_web.games.stockpile.data import (
    ACTIONS,
    COMPANIES,
    MARKET_DECK,
    TABLES,
    Card,
)
from stockpile_web.games.stockpile.data_epic import COMMERCE_DECK
from stockpile_web.games.stockpile.dividends import may_hold
from stockpile_web.games.stockpile.investors import INVESTORS
from stockpile_web.games.stockpile.modules.investors import SETS
from stockpile_web.games.stockpile.modules.strategies.titles import deck as strategy_deck
from stockpile_web.games.stockpile.phases.phase import is_waiting
from stockpile_web.games.stockpile.state import (
    Dividend,
    Laid,
    Pair,
    Player,
    State,
    Won,
    no_shares,
)
from stockpile_web.games.stockpile.view import CardView, OwnView, View

ACTIONS_HIDDEN = {"piles_won", "after_demand", "action"}  # Then of those yet to act.


def imagine(view: View, rng: Rng) -> State:
    """Return a table that looks to the seat of `view` as the real one does."""
    return _Imagining(view, rng).state


class _Imagining:
    """One table as it is put together: first what is seen, then what is hidden."""

    def __init__(self, view: View, rng: Rng) -> None:
        assert view.own is not None
        assert view.viewer is not None
        self.view, self.rng = view, rng
        self.seat: Seat = view.viewer
        self.own: OwnView = view.own
        self.table = TABLES[len(view.players)]
        self.acting: Seat | None = None  # Who is on turn, if it is one alone,
        self.later: list[Seat] = []  # and who comes after that in turn order.
        if len(view.on_turn) == 1 and view.dividend is None:
            self.acting = view.on_turn[0]
            self.later = view.order[view.order.index(self.acting) + 1 :]
        self.state = self._open()
        if "strategies" in view.modules:
            self._deal_strategies()
        self._deal_market_cards()
        if self.state.dividend is not None:
            self._answer(self.state.dividend)
        self._deal_pairs()
        if "commodities" in view.modules:
            self._deal_goods()
        if view.phase == "keeping":
            self._deal_investors()
        line_up(self.state, view, self.acting, self.later)

    def _open(self) -> State:
        """Return the table with all that the seat can see."""
        view = self.view
        state = State(
            players=[self._player(seat) for seat in range(len(view.players))],
            modules=view.modules,
            board="advanced" if "advanced_board" in view.modules else "standard",
            first=view.order[0],
            deck=[],
            tickers={ticker.company: ticker.space for ticker in view.market},
            round=view.round,
            phase=view.phase,
            discard=view.discard[:],
            forecasts=view.forecasts,
            bonds_left=view.bonds_left,
            next_first=view.next_first,
        )
        state.piles = [self._laid(pile.cards) for pile in view.piles]
        placed = sum(len(pile) for pile in state.piles) - len(state.piles)
        supplies = self.table.supplies
        if view.phase == "supply":
            supplies = min(supplies, 1 + placed // (2 * len(view.players)))
        state.supplies = supplies
        if view.phase == "piles_won":
            state.first_card_won = self.acting
        if view.dividend is not None:
            asked = view.dividend.asked[:]
            state.dividend = Dividend(view.dividend.company, view.dividend.each, asked)
        return state

    def _answer(self, dividend: Dividend) -> None:
        """Let the others who have answered show all they hold; its own answer the seat knows."""
        company, own = dividend.company, self.view.dividend and self.view.dividend.answer
        for seat, player in enumerate(self.state.players):
            if seat == self.seat and own:
                dividend.answers[seat] = own
            elif seat not in dividend.asked and may_hold(player, company):
                dividend.answers[seat] = (player.shares[company], player.split[company])

    def _player(self, seat: Seat) -> Player:
        seen, own = self.view.players[seat], self.own
        player = Player(
            cash=seen.cash,
            shares=no_shares(),
            split={**no_shares(), **seen.split},
            fees=seen.fees[:],
            ended=seen.ended[:],
            won=[Won(won.pile, self._laid(won.cards)) for won in seen.won],
            fees_won=seen.fees_won,
            investors=seen.investors,
            used=seen.used[:],
            bonds=seen.bonds,
            goods=seen.goods[:],
            strategies_played=seen.strategies_played,
            selling=seen.selling,
            sold=seen.sold,
        )
        if seat == self.seat:
            player.shares |= own.shares
            player.hand, player.actions = own.hand[:], own.actions[:]
            player.offered, player.drawn = own.offered[:], own.drawn[:]
            player.investors = own.kept or seen.investors
            player.strategies = own.strategies[:]
        return player

    def _laid(self, cards: list[CardView]) -> list[Laid]:
        """Return cards as they lie; what the seat does not know has no name yet."""
        known = [[self.seat] if laid.card and not laid.up else [] for laid in cards]
        return [
            Laid(laid.card or "", laid.by, laid.up, seats)
            for laid, seats in zip(cards, known, strict=True)
        ]

    def _others(self) -> list[Seat]:
        return [seat for seat in range(len(self.view.players)) if seat != self.seat]

    def _deal_market_cards(self) -> None:
        """Deal what was not seen: first portfolios, which hold stock alone, then the rest."""
        state, view = self.state, self.view
        hidden = self._left(MARKET_DECK, _market_cards(state))
        may_act = self._may_hold_actions()
        for seat in sorted(self._others(), key=lambda seat: (seat in may_act, seat in self.later)):
            player, count = state.players[seat], view.players[seat].face_down
            kinds = {*COMPANIES, *ACTIONS} if seat in may_act else {*COMPANIES}
            dealt = _take(hidden, kinds, count)
            player.shares |= Counter(card for card in dealt if card in COMPANIES)
            player.actions = [card for card in dealt if card in ACTIONS]
            if seat == self.acting and view.phase == "action":
                self._give_reason_to_act(seat, hidden)
        for seat in self._others():
            state.players[seat].hand = [hidden.pop() for _ in range(self._hand(seat))]
        for laid in (laid for pile in state.piles for laid in pile if not laid.card):
            laid.card = hidden.pop()
            laid.known = [] if laid.by is None else [laid.by]
        state.deck = hidden

    def _give_reason_to_act(self, seat: Seat, hidden: list[Card]) -> None:
        """Whoever is on turn in the Action Phase has an action card, if nothing else to decide."""
        player = self.state.players[seat]
        if not player.actions and not is_waiting(self.state, seat):
            player.actions = _take(hidden, {*ACTIONS}, 1)
            given = self.rng.choice([company for company, held in player.shares.items() if held])
            player.shares[given] -= 1
            hidden.insert(0, given)

    def _may_hold_actions(self) -> list[Seat]:
        if self.view.phase == "action" and self.acting is not None:
            return [self.acting, *self.later]
        return self.view.order if self.view.phase in ACTIONS_HIDDEN else []

    def _hand(self, seat: Seat) -> int:
        if seat != self.acting and seat not in self.later:
            return 0
        if self.view.phase == "opening" and seat == self.acting:
            return self.table.piles
        return 2 if self.view.phase == "supply" else 0

    def _deal_pairs(self) -> None:
        """Deal the companies and forecasts of which no pair is known, once they were dealt."""
        view, seat = self.view, self.seat
        known = [pair for pair in view.pairs if pair.company is not None]
        dealt = view.forecasts if len(known) < len(view.pairs) else ()
        companies = self._left(dict.fromkeys(COMPANIES, 1), (pair.company for pair in known))
        forecasts = self._left(Counter(dealt), (pair.forecast for pair in known))
        for pair in view.pairs:
            knowing = [] if pair.holder is None else [pair.holder]
            if pair.company is not None and seat not in knowing and not pair.up:
                knowing.append(seat)
            self.state.pairs.append(
                Pair(
                    company=pair.company or companies.pop(),
                    forecast=pair.forecast or forecasts.pop(),
                    holder=pair.holder,
                    known=knowing,
                    up=pair.up,
                    falsified=pair.falsified,
                )
            )
        self.state.pairs_moved = sum(pair.moved for pair in view.pairs)

    def _deal_goods(self) -> None:
        """Deal the commerce deck; of what is not accounted for, strategies were paid."""
        state, phase = self.state, self.view.phase
        seen = [laid.card for pile in state.piles for laid in pile if laid.card in COMMERCE_DECK]
        for player in state.players:
            seen += [*player.goods, *player.drawn]
        hidden = self._left(COMMERCE_DECK, seen)
        for seat in self._others():
            waits = seat == self.acting or seat in self.later
            has_placed = phase == "supply" and state.supplies == self.table.supplies
            if (phase == "after_supply" and waits) or (has_placed and not waits):
                count = self.table.supplies
                state.players[seat].drawn = [hidden.pop() for _ in range(count)]
        state.commerce = [hidden.pop() for _ in range(self.view.commerce)]
        state.spent = hidden

    def _deal_strategies(self) -> None:
        state = self.state
        hidden = self._left(Counter(strategy_deck(state.modules)), self.own.strategies)
        for seat in self._others():
            count = self.view.players[seat].strategies
            state.players[seat].strategies = sorted(hidden.pop() for _ in range(count))
        if self.view.phase in ("keeping", "auction", "discarding"):
            state.box = hidden

    def _deal_investors(self) -> None:
        state, own = self.state, self.own
        sets = [name for option, name in SETS.items() if option in state.modules]
        deck = {
            key: 1
            for key, investor in INVESTORS.items()
            if investor.set in sets and (not investor.needs or investor.needs in state.modules)
        }
        hidden = self._left(deck, [*own.offered, *own.kept])
        for seat in self._others():
            player, kept = state.players[seat], self.table.meeples
            if self.view.players[seat].chooses:
                player.offered = [hidden.pop() for _ in range(2 * kept)]
            else:
                player.investors = tuple(hidden.pop() for _ in range(kept))

    def _left(self, cards: Mapping[str, int], seen: Iterable[str | None]) -> list[str]:
        """Return all cards but those seen, shuffled."""
        left = Counter(cards)
        left.subtract(card for card in seen if card is not None)
        hidden = list(left.elements())
        self.rng.shuffle(hidden)
        return hidden


def _market_cards(state: State) -> list[Card]:
    """Return the market cards on the table so far."""
    found = [*state.discard]
    for player in state.players:
        found += [*player.hand, *player.actions, *player.fees]
        for portfolio in (player.shares, player.split):
            found += [company for company, held in portfolio.items() for _ in range(held)]
    return found + [laid.card for pile in state.piles for laid in pile if laid.card in MARKET_DECK]


def _take(hidden: list[Card], kinds: set[Card], count: int) -> list[Card]:
    """Take the first so many cards of some kinds."""
    taken = list(islice((card for card in hidden if card in kinds), count))
    for card in taken:
        hidden.remove(card)
    return taken
