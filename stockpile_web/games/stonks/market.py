"""Market Fluctuation: how a card's icons move a company, and which companies must rest."""

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stonks.data import BLACK_TOKENS, CARDS, Card, Company
from stockpile_web.games.stonks.state import State, Tile


def choices(state: State, card: Card) -> list[tuple[Company, bool]]:
    """Return which companies the card can move, and whether up; all its steps or none."""
    steps = CARDS[card].icons
    if not steps:
        return [("", False)]
    return [
        (tile.company, up)
        for tile in state.tiles
        if not tile.black
        for up in (True, False)
        if _is_on_tile(tile, tile.level + (steps if up else -steps))
    ]


def fluctuate(
    state: State, seat: Seat, card: Card, company: Company, up: bool, dealer: Dealer
) -> None:
    """Move the token of a company by the card's icons, and turn it over."""
    tile, trump = state.tile(company), state.trump()
    before, steps = tile.value, CARDS[card].icons
    tile.level += steps if up else -steps
    dealer.announce(
        "token_moved", seat=seat, company=company, up=up, steps=steps,
        before=before, after=tile.value,
    )  # fmt: skip
    _turn_over(state, tile)
    if state.trump() != trump:
        dealer.announce("trump_changed", company=state.trump())


def _is_on_tile(tile: Tile, level: int) -> bool:
    return 1 <= level <= len(tile.values)


def _turn_over(state: State, moved: Tile) -> None:
    """Turn the token black, and the others back: at once, or with the fourth black one."""
    moved.black = True
    others = [tile for tile in state.tiles if tile.black and tile is not moved]
    if not state.keeps_black or len(others) + 1 == BLACK_TOKENS:
        for tile in others:
            tile.black = False
