"""Showing, giving up, taking and splitting single cards, as some powers and strategies ask for."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.state import Player, State


def owned(player: Player) -> list[Company]:
    """Return the different companies of which a player has a card, regular or split."""
    return [company for company in COMPANIES if player.shares[company] or player.split[company]]


def ways_to_give(player: Player) -> list[tuple[Company, bool]]:
    """Return what a player can give up: a regular card, or (True) half of a split one."""
    cards = [(company, False) for company, held in player.shares.items() if held]
    return cards + [(company, True) for company, held in player.split.items() if held]


def ways_to_double(player: Player) -> list[tuple[Company, bool, Company]]:
    """Return what can be given up, and which regular card can be split for it."""
    return [
        (given, half, company)
        for given, half in ways_to_give(player)
        for company, held in player.shares.items()
        if held - (given == company and not half) > 0
    ]


def give_up(state: State, seat: Seat, company: Company, half: bool, dealer: Dealer) -> None:
    """Discard a regular card, or let a split one become regular; either is shown."""
    player = state.players[seat]
    if half:
        player.split[company] -= 1
        player.shares[company] += 1
    else:
        player.shares[company] -= 1
        state.discard.append(company)
    dealer.announce("share_given_up", seat=seat, company=company, half=half)


def double(state: State, seat: Seat, company: Company, dealer: Dealer) -> None:
    """Show a regular card and move it to the Split Portfolio."""
    player = state.players[seat]
    player.shares[company] -= 1
    player.split[company] += 1
    dealer.announce("doubled", seat=seat, company=company)


def take_discarded(state: State, seat: Seat, company: Company, dealer: Dealer) -> None:
    """Show a stock card of the discard pile and put it in the Stock Portfolio."""
    state.discard.remove(company)
    state.players[seat].shares[company] += 1
    dealer.announce("discard_taken", seat=seat, company=company)
