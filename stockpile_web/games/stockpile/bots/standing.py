"""How everybody stands when all cards are seen: the money each can expect to end with."""

from stockpile_web.games.stockpile.bots.outlook import MAJORITY_COUNTS, goods_worth
from stockpile_web.games.stockpile.bots.ratings import STRATEGIES
from stockpile_web.games.stockpile.bots.worth import Worth, kept
from stockpile_web.games.stockpile.data import COMPANIES, FEES, MAJORITY, MAJORITY_TIED, Company
from stockpile_web.games.stockpile.data_epic import BOND_PRICE, INTEREST
from stockpile_web.games.stockpile.phases.game_end import OVER
from stockpile_web.games.stockpile.state import Player, State


def standing(state: State) -> list[float]:
    """Return by seat what each can expect, at the beginning of a round or at the end."""
    if state.phase == OVER:
        return [player.cash for player in state.players]
    left = state.table().rounds - state.round + 1
    dice = "forecast_dice" in state.modules
    cards = {c: kept(state.board, c, left, dice)[space] for c, space in state.tickers.items()}
    majorities = _majorities(state, MAJORITY_COUNTS[left])
    bond = BOND_PRICE[len(state.players)] + INTEREST * left
    return [
        _expected(player, cards, left) + player.bonds * bond + majority
        for player, majority in zip(state.players, majorities, strict=True)
    ]


def _expected(player: Player, cards: dict[Company, Worth], left: int) -> float:
    money: float = player.cash - sum(FEES[fee] for fee in player.fees)
    if player.goods:
        money += goods_worth(player.goods)
    if player.strategies:
        money += sum(sorted(STRATEGIES[card] for card in player.strategies)[-left:])
    for company, card in cards.items():
        money += player.shares[company] * card.regular + player.split[company] * card.split
    return money


def _majorities(state: State, counts: float) -> list[float]:
    money = [0.0] * len(state.players)
    for company in COMPANIES:
        shares = [player.shares[company] + 2 * player.split[company] for player in state.players]
        most = max(shares)
        if most:
            bonus = MAJORITY if shares.count(most) == 1 else MAJORITY_TIED
            for seat, held in enumerate(shares):
                if held == most:
                    money[seat] += counts * bonus
    return money
