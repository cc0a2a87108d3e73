"""The investment strategies: names, what they cost and do in our words, and how sure we are.

The rulebook names eighteen titles and explains some. What is neither ours nor said to be likely is
in it; likely means that it rests on one other implementation of the game. Wherever a card costs no
money, that is ours too.
"""

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.modules.strategies import market, money, trading
from stockpile_web.games.stockpile.modules.strategies.card import Strategy

COPIES, NAMED_COPIES = 2, 3
A_SHARE = "One share: a stock card, or half of a split one"


class Title(Piece, frozen=True):
    """A strategy card. `ours` says what of it is our own value, for want of the printed one;
    `house` titles are our own inventions altogether.
    """

    name: str
    cost: str
    text: str
    card: Strategy
    needs: str = ""
    house: bool = False
    ours: str = ""


STRATEGIES: dict[str, Title] = {
    "block_trading": Title(
        "Block Trading", "",
        "By the space on which your meeple ended, whatever you paid: $4K on $10K, $6K on $15K, "
        "$8K on $20K, $10K on $25K. Of two meeples the better one counts.", money.BLOCK,
        ours="what it brings",
    ),
    "value_investing": Title(
        "Value Investing", "",
        "By the space on which your meeple ended, whatever you paid: $7K on $0, $6K on $1K, $4K "
        "on $3K, $2K on $6K. Of two meeples the better one counts.", money.VALUE,
        ours="what it brings",
    ),
    "convertible_bond": Title(
        "Convertible Bond", "One bond",
        "Take a stock card of your choice from the discard pile, shown to all.",
        trading.ConvertibleBond(), needs="bonds",
    ),
    "corner_the_market": Title(
        "Corner the Market", "",
        "$5K for every commodity card you own beyond the first of its kind. Taxes bring nothing.",
        money.CornerTheMarket(), needs="commodities", ours="that it is free",
    ),
    "corporate_espionage": Title(
        "Corporate Espionage", "",
        "Look at one pair you do not know, another player’s or one that lies face-down, and get "
        "$4K.", trading.LooksAtPairs(1, 4), ours="how many, and the $4K",
    ),
    "insider_trading": Title(
        "Insider Trading", "",
        "Look at three pairs you do not know, other players’ or those that lie face-down.",
        trading.LooksAtPairs(3), ours="how many",
    ),
    "data_broker": Title(
        "Data Broker", "A pair of your own, turned up",
        "Get $6K. A pair on which Falsified Earnings lies cannot be turned up.",
        trading.DataBroker(), ours="what it brings",
    ),
    "diversification": Title(
        "Diversification", "",
        "Show a card of every company of which you own shares, for $2K each.",
        money.Diversification(), ours="what it brings",
    ),
    "dividend_growth": Title(
        "Dividend Growth Investing", "$2K",
        "A company of your choice worth $6K or more pays $2K a share to all who show cards of it.",
        market.PaysDividend(2, cost=2, least=6), ours="the numbers",
    ),
    "special_dividend": Title(
        "Special Dividend", "",
        "A company of your choice pays $1K a share to all who show cards of it.",
        market.PaysDividend(1), ours="that it is free",  # The amount: likely.
    ),
    "falsified_earnings": Title(
        "Falsified Earnings", "$2K",
        "Lay it on any forecast, known to you or not. In Movement, +2 becomes −1 and −2 becomes "
        "+1, three the other way; a dividend is paid, and then the company falls by three.",
        market.FalsifiedEarnings(), ours="the cost",
    ),
    "fraudulent_transfer": Title(
        "Fraudulent Transfer", A_SHARE,
        "Take a stock card of your choice from the discard pile, not the one you gave; both are "
        "shown. Get $3K.", trading.FraudulentTransfer(), ours="the $3K",
    ),
    "vulture_capitalism": Title(
        "Vulture Capitalism", A_SHARE,
        "Take a stock card of your choice from the discard pile, not the one you gave; both are "
        "shown. Then the company you gave falls by one, or the one you took rises by one.",
        trading.VultureCapitalism(), ours="what moves",
    ),
    "interpositioning": Title(
        "Interpositioning", "",
        "$6K for each trading fee in the piles you won this round. The fees are due all the same.",
        money.Interpositioning(), ours="what it brings",
    ),
    "market_maker": Title(
        "Market Maker", "A Boom or Bust, unused",
        "Two companies of your choice move by two each, up or down.", market.MovesSeveral(2, 2),
        ours="what it does",
    ),
    "naked_short": Title(  # The amount: likely.
        "Naked Short", "A Boom or Bust, unused", "Get $12K.", money.NakedShort()
    ),
    "rogue_trading": Title(
        "Rogue Trading", "$3K", "Show one of your regular cards and split it.",
        trading.RogueTrading(), ours="the cost",
    ),
    "systemic_shock": Title(  # What it does: likely.
        "Systemic Shock",
        "A commodity, not a tax; at a table without commodities, a Boom or Bust, unused",
        "Three companies of your choice move by one each, up or down.", market.SystemicShock(),
        ours="the cost",
    ),
    "short_and_distort": Title(  # What it does: likely.
        "Short and Distort", "", "Sell up to three shares for $8K each, whatever their price.",
        trading.ShortAndDistort(), ours="the name",
    ),
    # Titles of our own.
    "pump_and_dump": Title(
        "Pump and Dump", "$2K",
        "A company of your choice rises by two; then you may sell its shares at once.",
        market.PumpAndDump(), house=True,
    ),
    "bear_raid": Title(
        "Bear Raid", "", "A company of your choice falls by three.", market.Moves(-3), house=True
    ),
    "front_running": Title(
        "Front Running", "", "Sell any number of shares now, each for $1K more.",
        trading.FrontRunning(), house=True,
    ),
    "stock_buyback": Title(
        "Stock Buyback", "The card’s value less $3K, at least $0",
        "Take a stock card of your choice from the discard pile, shown to all.",
        trading.StockBuyback(), house=True,
    ),
    "golden_parachute": Title(
        "Golden Parachute", A_SHARE, "Get twice what the share is worth.",
        money.GoldenParachute(), house=True,
    ),
    "offshore_account": Title("Offshore Account", "", "Get $4K.", money.Receive(4), house=True),
    "tax_haven": Title(
        "Tax Haven", "", "Return one of your tax cards to the box.", money.TaxHaven(),
        needs="commodities", house=True,
    ),
    "junk_bonds": Title(
        "Junk Bonds", "$2K", "Take a bond from the supply.", money.JunkBonds(), needs="bonds",
        house=True,
    ),
}  # fmt: skip


def deck(modules: tuple[str, ...]) -> list[str]:
    """Return the strategy deck for a table: without cards whose module is not in play."""
    named_only = "named_strategies" in modules
    copies = NAMED_COPIES if named_only else COPIES
    return [
        key
        for key, title in STRATEGIES.items()
        for _ in range(copies)
        if (not title.needs or title.needs in modules) and not (named_only and title.house)
    ]
