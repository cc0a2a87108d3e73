"""The 26 investors: who they are, what they can do in our words, and the twist that does it."""

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.in_play import POWERS
from stockpile_web.games.stockpile.investors import bidding, income, looking, supplying, trading
from stockpile_web.games.stockpile.twist import Twist

BASE, EPIC, PROMO = "base", "epic", "promo"


class Investor(Piece, frozen=True):
    """An investor card; `needs` names the module without which its power is nothing."""

    name: str
    set: str
    text: str
    power: Twist
    needs: str = ""


INVESTORS: dict[str, Investor] = {
    "bill": Investor(
        "Billionaire Bill", BASE, "No power, but the most money to begin with.", Twist()
    ),
    "bernie": Investor(
        "Broker Bernie",
        BASE,
        "Trading fees you pick up are paid to you, once you have paid for the pile.",
        bidding.GainsFees(),
    ),
    "cramer": Investor(
        "Crazy Cramer",
        BASE,
        "On your Action turn you may move one company up or down by one.",
        trading.MovesTheMarket(),
    ),
    "deborah": Investor(
        "Dividend Deborah",
        BASE,
        "At the end of a round you may let one company pay $1K a share, to all who hold it.",
        trading.PaysDividend(),
    ),
    "graham": Investor(
        "Golden Graham",
        BASE,
        "Every share you sell brings $1K more, in the final sale too.",
        trading.SellsDearer(),
    ),
    "martha": Investor(
        "Mayknow Martha",
        BASE,
        "Once in each Demand Phase you may look at somebody's pair, or at a hidden one.",
        looking.SeesAPair(),
    ),
    "mark": Investor(
        "Maverick Mark",
        BASE,
        "Before the bidding you may move one card to another pile, as it lies.",
        supplying.MovesACard(),
    ),
    "stuart": Investor(
        "Secretive Stuart",
        BASE,
        "You may lay both your supply cards face-down.",
        supplying.PlacesFaceDown(),
    ),
    "warren": Investor(
        "Wise Warren",
        BASE,
        "Before the bidding you may look at the face-down cards of one pile.",
        looking.SeesAPile(),
    ),
    "ana": Investor(
        "Agile Ana",
        EPIC,
        "At the end of a round, $1K for each different company of which you show a card.",
        income.PaidForVariety(),
    ),
    "chanda": Investor(
        "Clever Chanda",
        EPIC,
        "On your Action turn you may give up one share to split one of your other cards.",
        trading.Doubles(),
    ),
    "carlos": Investor(
        "Cunning Carlos",
        EPIC,
        "You can only be outbid by two spaces or more.",
        bidding.HardToOutbid(),
    ),
    "dangote": Investor(
        "Daring Dangote",
        EPIC,
        "At the end of a round, $1K for each commodity card you own.",
        income.PaidForCommodities(),
        needs="commodities",
    ),
    "li": Investor(
        "Lucrative Li",
        EPIC,
        "$1K more interest for every two bonds you own, rounded up.",
        income.MoreInterest(),
        needs="bonds",
    ),
    "talal": Investor(
        "Tactical Talal",
        EPIC,
        "When everyone has sold, you may sell again.",
        trading.SellsAgain(),
    ),
    "ivan": Investor(
        "Illicit Ivan",
        EPIC,
        "More strategy cards to begin with, and you may play two in a round.",
        trading.MoreStrategies(),
        needs="strategies",
    ),
    "barack": Investor(
        "Bailout Barack",
        PROMO,
        "After the selling you may buy one discarded stock card for $2K less than its value.",
        trading.BuysDiscarded(),
    ),
    # Before Donald, whose discount is one space of whatever list is bid by.
    "barbara": Investor(
        "Budget Barbara",
        PROMO,
        "You pay by a list of your own: the two lowest spaces pay you $4K and $3K, then 0, $3K, "
        "$8K, $15K, $22K and $30K.",
        bidding.OwnTrack(),
    ),
    "donald": Investor(
        "Discount Donald",
        BASE,
        "You pay what the space below your meeple says.",
        bidding.OneSpaceCheaper(),
    ),
    "phil": Investor(
        "Forecast Phil",
        PROMO,
        "Before the deal you choose one company or one forecast for your own pair.",
        looking.TakesACard(),
    ),
    "liliane": Investor(
        "Lazy Liliane",
        PROMO,
        "$5K as the bidding begins, but you pay $1K each time you are outbid.",
        bidding.PaidToBeginWith(),
    ),
    "mitt": Investor(
        "Moneymaker Mitt", PROMO, "$1K each time you place a meeple.", bidding.PaidToBid()
    ),
    "oprah": Investor(
        "Opulent Oprah",
        PROMO,
        "At the end of a round you give $2K to another player, or $1K to each of two.",
        income.GivesAway(),
    ),
    "robins": Investor(
        "Royal Robins",
        PROMO,
        "You lay out the cards that open the piles, one of them face-down.",
        supplying.OpensPiles(),
    ),
    "soros": Investor(
        "Shorting Soros",
        PROMO,
        "Once in each Selling Phase, and in the final sale, you sell one share for $8K.",
        trading.SellsShort(),
    ),
    "sanders": Investor(
        "Socialist Sanders",
        PROMO,
        "At the end of a round you take $2K from the richest other player: half for you, half for "
        "the poorest.",
        income.Redistributes(),
    ),
}

POWERS.update({key: investor.power for key, investor in INVESTORS.items()})
