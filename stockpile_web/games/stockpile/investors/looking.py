"""Investors who know more: pairs, piles, and the deal itself."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import COMPANIES
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.moves import LookAtPair, LookAtPile, Move, TakeCard
from stockpile_web.games.stockpile.state import State, which_pair


class SeesAPile(Power):
    """Wise Warren: before the Demand Phase, look at all face-down cards of one pile."""

    MOVES = (LookAtPile,)
    when = "before_demand"

    def can_be_used(self, state: State, seat: Seat) -> bool:
        return bool(self.offers(state, seat))

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [
            LookAtPile(number)
            for number, pile in enumerate(state.piles)
            if any(not laid.up and seat not in laid.known for laid in pile)
        ]

    def use(self, state: State, seat: Seat, move: LookAtPile, dealer: Dealer) -> None:
        hidden = [laid for laid in state.piles[move.pile] if not laid.up]
        for laid in hidden:
            if seat not in laid.known:
                laid.known.append(seat)
        cards = {"cards": [laid.card for laid in hidden]}
        dealer.reveal([seat], "pile_seen", cards, seat=seat, pile=move.pile)


class SeesAPair(Power):
    """Mayknow Martha: once a round during the Demand Phase, look at a pair.

    She may when she is to bid, and once more when all bids are made.
    """

    MOVES = (LookAtPair,)
    when = "demand"

    def waits(self, state: State, seat: Seat) -> bool:
        is_time = state.phase in ("demand", "after_demand") and not self.is_used(state, seat)
        return is_time and bool(self.offers(state, seat))

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if state.phase == "demand" and self.waits(state, seat):
            return [*moves, *self.offers(state, seat)]
        return super().moves(moves, state, seat)

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [
            LookAtPair(number)
            for number, pair in enumerate(state.pairs)
            if not pair.up and seat not in pair.known
        ]

    def use(self, state: State, seat: Seat, move: LookAtPair, dealer: Dealer) -> None:
        show_pair(state, seat, move.pair, dealer)


class TakesACard(Power):
    """Forecast Phil: choose a company or a forecast before the deal; all see which of the two."""

    MOVES = (TakeCard,)
    when = "before_information"
    must = True

    def offers(self, state: State, seat: Seat) -> list[Move]:
        return [TakeCard(card) for card in (*COMPANIES, *dict.fromkeys(state.forecasts))]

    def use(self, state: State, seat: Seat, move: TakeCard, dealer: Dealer) -> None:
        state.players[seat].taken = move.card
        what = "company" if move.card in COMPANIES else "forecast"
        dealer.reveal([seat], "card_taken", {"card": move.card}, seat=seat, what=what)


def show_pair(state: State, seat: Seat, number: int, dealer: Dealer) -> None:
    """Let `seat` look at a pair; all see at which."""
    pair = state.pairs[number]
    pair.known.append(seat)
    secret = {"company": pair.company, "forecast": pair.forecast}
    dealer.reveal([seat], "pair_seen", secret, seat=seat, **which_pair(state, number))
