"""What a position is worth: the money a seat can expect to end with, beside the others."""

from stockpile_web.games.stockpile.bots.outlook import ACTION_WORTH, Outlook, goods_worth
from stockpile_web.games.stockpile.bots.ratings import STRATEGIES
from stockpile_web.games.stockpile.bots.trading import shortage
from stockpile_web.games.stockpile.data import COMPANIES, FEES
from stockpile_web.games.stockpile.data_epic import BOND_PRICE, INTEREST
from stockpile_web.games.stockpile.view import PlayerView, View

MAY_STILL_SELL = {"supply", "demand", "piles_won", "after_demand", "action", "selling"}


def value(view: View) -> float:
    """Return what the seat of a view can expect to end with, less what the others can."""
    outlook = Outlook(view)
    others = [player for seat, player in enumerate(view.players) if seat != outlook.seat]
    return _own(outlook) - sum(_other(outlook, player) for player in others) / len(others)


def _own(outlook: Outlook) -> float:
    money = _open(outlook, outlook.me) + _strategies(outlook)
    money += sum(ACTION_WORTH[card] for card in outlook.own.actions)
    may_sell = outlook.view.phase in MAY_STILL_SELL
    for company in COMPANIES:
        regular, split = outlook.held(company)
        if regular or split:
            dearer = outlook.own.prices[company] - outlook.price(company)
            space = outlook.spaces[company]
            card = outlook.on_sale(company, space) if may_sell else outlook.worth[company]
            money += regular * (card.regular + dearer) + split * (card.split + 2 * dearer)
            money += outlook.majority(company, regular + 2 * split)
    dividend = outlook.view.dividend
    if dividend is not None:
        regular, split = dividend.answer or outlook.held(dividend.company)
        money += dividend.each * (regular + 2 * split)
    return money - shortage(outlook, outlook.me.cash)


def _other(outlook: Outlook, player: PlayerView) -> float:
    """What another may expect, who holds of each company as much as is likely."""
    money = _open(outlook, player)
    for company, card in outlook.worth.items():
        regular = player.face_down * outlook.likely[company]
        split = player.split.get(company, 0)
        money += regular * card.regular + split * card.split
        dividend = outlook.view.dividend
        if dividend is not None and dividend.company == company:
            money += dividend.each * (regular + 2 * split)
    return money


def _open(outlook: Outlook, player: PlayerView) -> float:
    """Return what lies open: money, bonds with their interest, goods, fees."""
    bonds = player.bonds * (BOND_PRICE[len(outlook.view.players)] + INTEREST * outlook.left)
    fees = sum(FEES[fee] for fee in player.fees)
    return player.cash + bonds + goods_worth(player.goods) - fees


def _strategies(outlook: Outlook) -> float:
    """Return what the strategies in hand will bring: the best of them, one a round."""
    ratings = sorted((STRATEGIES[card] for card in outlook.own.strategies), reverse=True)
    rounds = outlook.view.rounds - outlook.view.round
    now = outlook.own.strategies_left if outlook.view.phase in MAY_STILL_SELL else 0
    return sum(ratings[: rounds + now])
