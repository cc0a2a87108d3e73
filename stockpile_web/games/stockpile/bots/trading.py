"""When to sell, and which company to move: what each is worth to the seat and to the others."""

from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.moves import Sell, SellHalf, SellSplit

# With how much money to go into an auction, and what a thousand less costs. Set by hand: over 400
# games, costs of 0 and 0.4 were not told apart from it.
WANTED, SHORT_OF_MONEY = 15, 0.2


def sale_gain(outlook: Outlook, move: Sell | SellHalf | SellSplit) -> float:
    """Return what a sale brings beyond what the cards are worth to hold."""
    company, cards = move.company, move.cards
    worth, price = outlook.worth[company], outlook.own.prices[company]
    dearer = price - outlook.price(company)  # The seat's own advantage stays with what it holds.
    regular, split = outlook.held(company)
    shares = regular + 2 * split
    if isinstance(move, Sell):
        sold, lost = 1, worth.regular + dearer
    elif isinstance(move, SellSplit):
        sold, lost = 2, worth.split + 2 * dearer
    else:
        sold, lost = 1, worth.split - worth.regular + dearer
    money = sold * cards * price
    majority = outlook.majority(company, shares) - outlook.majority(company, shares - sold * cards)
    cash = outlook.me.cash
    needed = shortage(outlook, cash) - shortage(outlook, cash + money)
    return money - cards * lost - majority + needed


def shortage(outlook: Outlook, cash: int) -> float:
    """Return what it costs to go into the next auction with so much money."""
    if outlook.left <= 1:
        return 0.0
    return SHORT_OF_MONEY * max(0, WANTED - cash)


def move_gain(outlook: Outlook, company: Company, steps: int) -> float:
    """Return what it brings the seat, more than the others, if a company moves by `steps`."""
    before = outlook.on_sale(company, outlook.spaces[company])
    after = outlook.after(company, steps)
    regular, split = after.regular - before.regular, after.split - before.split
    cards, split_cards = outlook.held(company)
    gain = cards * regular + split_cards * split
    others = [player for seat, player in enumerate(outlook.view.players) if seat != outlook.seat]
    likely = outlook.likely[company]
    theirs = sum(
        player.face_down * likely * regular + player.split.get(company, 0) * split
        for player in others
    )
    return gain - theirs / len(others)
