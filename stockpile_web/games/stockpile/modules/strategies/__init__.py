"""Investment strategies: a hand of cards, one of which may be played on each Action turn."""

from itertools import combinations

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.data_epic import STRATEGIES_BEYOND_ROUNDS, STRATEGIES_DISCARDED
from stockpile_web.games.stockpile.fees import pay
from stockpile_web.games.stockpile.in_play import in_play, strategies_left
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES, deck
from stockpile_web.games.stockpile.moves import DONE, DiscardStrategies, Move, PlayStrategy
from stockpile_web.games.stockpile.phases.selling import can_sell, sales
from stockpile_web.games.stockpile.state import ANY, Pair, State
from stockpile_web.games.stockpile.twist import Twist


class Strategies(Twist):
    """Dealt before the game, two discarded; each is paid for, played once, and gone."""

    MOVES = (DiscardStrategies, PlayStrategy)

    def before_game(self, state: State, dealer: Dealer) -> None:
        state.box = deck(state.modules)
        dealer.shuffle(state.box)
        for seat, player in enumerate(state.players):
            count = STRATEGIES_BEYOND_ROUNDS + state.table().rounds
            player.strategies = sorted(state.box.pop() for _ in range(count))
            dealer.whisper(seat, "strategies_dealt", cards=player.strategies[:])

    def waits(self, state: State, seat: Seat) -> bool:
        player = state.players[seat]
        if state.phase == "discarding":
            return len(player.strategies) == STRATEGIES_BEYOND_ROUNDS + state.table().rounds
        if state.phase != "action":
            return False
        may_sell = bool(player.selling) and can_sell(player)
        return may_sell or (bool(player.strategies) and strategies_left(state, seat) > 0)

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if not self.waits(state, seat):
            return moves
        player = state.players[seat]
        if state.phase == "discarding":
            pairs = dict.fromkeys(combinations(player.strategies, STRATEGIES_DISCARDED))
            return [*moves, *(DiscardStrategies(cards) for cards in pairs)]
        added: list[Move] = []
        if player.selling:
            added += sales(player, COMPANIES if player.selling == ANY else [player.selling])
        if strategies_left(state, seat):
            for card in dict.fromkeys(player.strategies):
                ways = STRATEGIES[card].card.open_ways(state, seat)
                added += (PlayStrategy(card, picks) for picks in ways)
        return [*moves, *added] if DONE in moves else [*moves, *added, DONE]

    def play(
        self, state: State, seat: Seat, move: DiscardStrategies | PlayStrategy, dealer: Dealer
    ) -> None:
        player = state.players[seat]
        if isinstance(move, DiscardStrategies):
            for card in move.cards:
                player.strategies.remove(card)
            state.box += move.cards
            dealer.whisper(seat, "strategies_discarded", cards=[*move.cards])
            return
        strategy = STRATEGIES[move.card].card
        player.strategies.remove(move.card)
        player.strategies_played += 1
        player.selling = ""  # What the one before allowed is over.
        dealer.announce("strategy_played", seat=seat, card=move.card, money=-strategy.cost)
        pay(state, seat, strategy.cost)
        strategy.carry_out(state, seat, move.picks, dealer)

    def after_turn(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """What a strategy allows to sell is sold on the turn, or not at all."""
        state.players[seat].selling = ""

    def after_choice(self, state: State, dealer: Dealer) -> None:
        """Whoever draws more does so when all have discarded; the rest stays in the box."""
        if state.phase != "discarding":
            return
        dealer.shuffle(state.box)
        for seat in state.order():
            more = ask(in_play(state, seat), Twist.strategies_drawn, 0, state)
            if drawn := [state.box.pop() for _ in range(more)]:
                player = state.players[seat]
                player.strategies = sorted([*player.strategies, *drawn])
                secret = {"cards": drawn}
                dealer.reveal([seat], "strategies_drawn", secret, seat=seat, count=more)
        state.box = []

    def share_price(self, price: int, state: State, seat: Seat, company: Company) -> int:
        """Shares sold at once by a strategy that lets you sell any bring $1K more."""
        runs = state.phase == "action" and state.players[seat].selling == ANY
        return price + 1 if runs else price

    def forecast(self, effect: tuple[int, int], pair: Pair) -> tuple[int, int]:
        """A falsified forecast: a rise less by three, a fall more by three, a dividend and then
        a fall of three."""
        if not pair.falsified:
            return effect
        each, steps = effect
        return each, steps + 3 if steps < 0 else steps - 3
