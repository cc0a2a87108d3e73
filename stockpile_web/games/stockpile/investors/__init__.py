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
        "Billionaire Bill",
        BASE,
        "No power, but more money to begin with than anybody else of the first ten.",
        Twist(),
    ),
    "bernie": Investor(
        "Broker Bernie",
        BASE,
        "Trading fees in your piles are paid to you, not by you, once the piles are paid for: "
        "they cannot help with a bid.",
        bidding.GainsFees(),
    ),
    "cramer": Investor(
        "Crazy Cramer",
        BASE,
        "At any point of your Action turn you may move one company up or down by one space.",
        trading.MovesTheMarket(),
    ),
    "deborah": Investor(
        "Dividend Deborah",
        BASE,
        "At the end of a round you may let one company pay $1K a share, to all players who show "
        "cards of it.",
        trading.PaysDividend(),
    ),
    "graham": Investor(
        "Golden Graham",
        BASE,
        "Every share you sell brings $1K more, a split card $2K: in the final sale too, and by "
        "those strategies that say “sell”.",
        trading.SellsDearer(),
    ),
    "martha": Investor(
        "Mayknow Martha",
        BASE,
        "Once in each Demand Phase you may look at one pair: another player’s, or one that lies "
        "face-down. All see which pair it is.",
        looking.SeesAPair(),
    ),
    "mark": Investor(
        "Maverick Mark",
        BASE,
        "Before the bidding you may move any one card to another pile, as it lies: even the last "
        "of a pile, a commodity or the first player card. All see which one moves.",
        supplying.MovesACard(),
    ),
    "stuart": Investor(
        "Secretive Stuart",
        BASE,
        "In Supply you may lay both your cards face-down; with two players, both times.",
        supplying.PlacesFaceDown(),
    ),
    "warren": Investor(
        "Wise Warren",
        BASE,
        "Before the bidding you may look at all face-down cards of one pile. All see which pile "
        "it is.",
        looking.SeesAPile(),
    ),
    "ana": Investor(
        "Agile Ana",
        EPIC,
        "At the end of a round you may show a card of every company of which you own shares, for "
        "$1K each. It is all of them or nothing.",
        income.PaidForVariety(),
    ),
    "chanda": Investor(
        "Clever Chanda",
        EPIC,
        "On your Action turn you may discard a stock card, or make a split one regular again, to "
        "split another of your regular cards. Both are shown.",
        trading.Doubles(),
    ),
    "carlos": Investor(
        "Cunning Carlos",
        EPIC,
        "You can only be outbid by two spaces or more: on $20K and $25K, not at all.",
        bidding.HardToOutbid(),
    ),
    "dangote": Investor(
        "Daring Dangote",
        EPIC,
        "At the end of a round you get $1K for each commodity card you own, equal ones too, and "
        "nothing for taxes.",
        income.PaidForCommodities(),
        needs="commodities",
    ),
    "li": Investor(
        "Lucrative Li",
        EPIC,
        "At the end of a round, $1K more interest for every two bonds you own, rounded up: $2K "
        "for three.",
        income.MoreInterest(),
        needs="bonds",
    ),
    "talal": Investor(
        "Tactical Talal",
        EPIC,
        "When everyone has had their turn to sell, you may sell again, whatever you own.",
        trading.SellsAgain(),
    ),
    "ivan": Investor(
        "Illicit Ivan",
        EPIC,
        "When all have returned two strategies, you draw more: one less than there are rounds. "
        "You may play two in a round, each for its cost.",
        trading.MoreStrategies(),
        needs="strategies",
    ),
    "barack": Investor(
        "Bailout Barack",
        PROMO,
        "After the selling you may buy one stock card of your choice from the discard pile for "
        "$2K less than its value, at least $0. All see which it is.",
        trading.BuysDiscarded(),
    ),
    # Before Donald, whose discount is one space of whatever list is bid by.
    "barbara": Investor(
        "Budget Barbara",
        PROMO,
        "You pay by a list of your own. If you win on one of the two lowest spaces, you get $4K "
        "or $3K; the others cost $0, $3K, $8K, $15K, $22K and $30K.",
        bidding.OwnTrack(),
    ),
    "donald": Investor(
        "Discount Donald",
        BASE,
        "For every pile you pay the space below your meeple: $6K on $10K. You need no more than "
        "that to bid, so you may bid more than you have.",
        bidding.OneSpaceCheaper(),
    ),
    "phil": Investor(
        "Forecast Phil",
        PROMO,
        "Before the deal you secretly choose a company or one of the round’s forecasts for a pair "
        "of your own. All learn which of the two kinds it is, not which card.",
        looking.TakesACard(),
    ),
    "liliane": Investor(
        "Lazy Liliane",
        PROMO,
        "You get $5K each time the bidding begins, and pay $1K, if you have it to spare, each "
        "time you are outbid.",
        bidding.PaidToBeginWith(),
    ),
    "mitt": Investor(
        "Moneymaker Mitt",
        PROMO,
        "You get $1K each time you place a meeple, to bid or to bid again. It comes after the "
        "bid: the money for that must be there already.",
        bidding.PaidToBid(),
    ),
    "oprah": Investor(
        "Opulent Oprah",
        PROMO,
        "At the end of a round you must give $2K to another player, or $1K to each of two; with "
        "less than $2K, as much as you have.",
        income.GivesAway(),
    ),
    "robins": Investor(
        "Royal Robins",
        PROMO,
        "You draw the cards that open the piles and choose one of them to lie face-down, and "
        "where. The others are laid face-up on the other piles.",
        supplying.OpensPiles(),
    ),
    "soros": Investor(
        "Shorting Soros",
        PROMO,
        "Once in each Selling Phase, and once in the final sale, you may sell one share for $8K, "
        "whatever its price.",
        trading.SellsShort(),
    ),
    "sanders": Investor(
        "Socialist Sanders",
        PROMO,
        "At the end of a round you take $2K from the richest other player and keep $1K. The rest "
        "goes to whoever then has least: perhaps you, never the one you took it from.",
        income.Redistributes(),
    ),
}

POWERS.update({key: investor.power for key, investor in INVESTORS.items()})
