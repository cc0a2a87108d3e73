"""The investment strategies: names, what they cost and do in our words, and how sure we are.

The rulebook names eighteen titles and explains some. Known: the effect is from the rulebook or a
description of the card. House: ours. All costs in money but those marked known are ours.
"""

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.modules.strategies import market, money, trading
from stockpile_web.games.stockpile.modules.strategies.card import Strategy

COPIES, NAMED_COPIES = 2, 3


class Title(Piece, frozen=True):
    """A printed strategy; `house` titles are our own inventions."""

    name: str
    cost: str
    text: str
    card: Strategy
    needs: str = ""
    house: bool = False


STRATEGIES: dict[str, Title] = {
    # House values.
    "block_trading": Title(
        "Block Trading", "",
        "$4K, $6K, $8K or $10K if your meeple ended on $10K, $15K, $20K or $25K.", money.BLOCK,
    ),
    "value_investing": Title(
        "Value Investing", "",
        "$7K, $6K, $4K or $2K if your meeple ended on $0, $1K, $3K or $6K.", money.VALUE,
    ),
    # Known.
    "convertible_bond": Title(
        "Convertible Bond", "One bond", "Take a stock card from the discard pile, shown.",
        trading.ConvertibleBond(), needs="bonds",
    ),
    # Effect known; cost house.
    "corner_the_market": Title(
        "Corner the Market", "", "$5K for every commodity card beyond the first of its kind.",
        money.CornerTheMarket(), needs="commodities",
    ),
    # House values.
    "corporate_espionage": Title(
        "Corporate Espionage", "", "Look at one pair you do not know, and get $4K.",
        trading.LooksAtPairs(1, 4),
    ),
    "insider_trading": Title(
        "Insider Trading", "", "Look at three pairs you do not know.", trading.LooksAtPairs(3)
    ),
    "data_broker": Title(
        "Data Broker", "Turn up a pair of your own", "Get $6K.", trading.DataBroker()
    ),
    "diversification": Title(
        "Diversification", "", "$2K for each different company of which you show a card.",
        money.Diversification(),
    ),
    "dividend_growth": Title(
        "Dividend Growth Investing", "$2K",
        "A company worth $6K or more pays $2K a share to all who hold it.",
        market.PaysDividend(2, cost=2, least=6),
    ),
    # Known; cost house.
    "special_dividend": Title(
        "Special Dividend", "", "A company pays $1K a share to all who hold it.",
        market.PaysDividend(1),
    ),
    "falsified_earnings": Title(
        "Falsified Earnings", "$2K",
        "Lay it on a forecast: a rise becomes three less, a fall three more, and after a dividend "
        "the company falls by three.", market.FalsifiedEarnings(),
    ),
    # Exchange known; the rest house.
    "fraudulent_transfer": Title(
        "Fraudulent Transfer", "One share", "Take a stock card from the discard pile, and get $3K.",
        trading.FraudulentTransfer(),
    ),
    "vulture_capitalism": Title(
        "Vulture Capitalism", "One share",
        "Take a stock card from the discard pile; then the company you gave falls by one, or the "
        "one you took rises by one.", trading.VultureCapitalism(),
    ),
    # House values.
    "interpositioning": Title(
        "Interpositioning", "", "$6K for each trading fee you obtained this round.",
        money.Interpositioning(),
    ),
    "market_maker": Title(
        "Market Maker", "A Boom or Bust, unused", "Two companies move by two each, up or down.",
        market.MovesSeveral(2, 2),
    ),
    # Known.
    "naked_short": Title("Naked Short", "A Boom or Bust, unused", "Get $12K.", money.NakedShort()),
    # Effect known; cost house.
    "rogue_trading": Title(
        "Rogue Trading", "$3K", "Show one of your regular cards and split it.",
        trading.RogueTrading(),
    ),
    # Known.
    "systemic_shock": Title(
        "Systemic Shock", "A commodity; without commodities, a Boom or Bust, unused",
        "Three companies move by one each, up or down.", market.SystemicShock(),
    ),
    "short_and_distort": Title(
        "Short and Distort", "", "Sell up to three shares for $8K each.",
        trading.ShortAndDistort(),
    ),
    # House titles.
    "pump_and_dump": Title(
        "Pump and Dump", "$2K", "A company rises by two; then you may sell its shares at once.",
        market.PumpAndDump(), house=True,
    ),
    "bear_raid": Title("Bear Raid", "", "A company falls by three.", market.Moves(-3), house=True),
    "front_running": Title(
        "Front Running", "", "Sell any number of shares now, each for $1K more.",
        trading.FrontRunning(), house=True,
    ),
    "stock_buyback": Title(
        "Stock Buyback", "Its value less $3K", "Buy a stock card from the discard pile.",
        trading.StockBuyback(), house=True,
    ),
    "golden_parachute": Title(
        "Golden Parachute", "One share", "Get twice its value.", money.GoldenParachute(),
        house=True,
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
