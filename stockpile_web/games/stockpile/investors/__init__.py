"""The 26 investors: who they are, what they can do in our words, and the twist that does it."""

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.in_play import POWERS
from stockpile_web.games.stockpile.investors import (
    action,
    demand,
    information,
    round_end,
    selling,
    supply,
)
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
        demand.BrokerBernie(),
    ),
    "cramer": Investor(
        "Crazy Cramer",
        BASE,
        "At any point of your Action turn you may move one company up or down by one space.",
        action.CrazyCramer(),
    ),
    "deborah": Investor(
        "Dividend Deborah",
        BASE,
        "At the end of a round you may let one company pay $1K a share, to all players who show "
        "cards of it.",
        round_end.DividendDeborah(),
    ),
    "graham": Investor(
        "Golden Graham",
        BASE,
        "Every share you sell brings $1K more, a split card $2K: in the final sale too, and by "
        "those strategies that say “sell”.",
        selling.GoldenGraham(),
    ),
    "martha": Investor(
        "Mayknow Martha",
        BASE,
        "Once in each Demand Phase you may look at one pair: another player’s, or one that lies "
        "face-down. All see which pair it is.",
        demand.MayknowMartha(),
    ),
    "mark": Investor(
        "Maverick Mark",
        BASE,
        "Before the bidding you may move any one card to another pile, as it lies: even the last "
        "of a pile, a commodity or the first player card. All see which one moves.",
        demand.MaverickMark(),
    ),
    "stuart": Investor(
        "Secretive Stuart",
        BASE,
        "In Supply you may lay both your cards face-down; with two players, both times.",
        supply.SecretiveStuart(),
    ),
    "warren": Investor(
        "Wise Warren",
        BASE,
        "Before the bidding you may look at all face-down cards of one pile. All see which pile "
        "it is.",
        demand.WiseWarren(),
    ),
    "ana": Investor(
        "Agile Ana",
        EPIC,
        "At the end of a round you may show a card of every company of which you own shares, for "
        "$1K each. It is all of them or nothing.",
        round_end.AgileAna(),
    ),
    "chanda": Investor(
        "Clever Chanda",
        EPIC,
        "On your Action turn you may discard a stock card, or make a split one regular again, to "
        "split another of your regular cards. Both are shown.",
        action.CleverChanda(),
    ),
    "carlos": Investor(
        "Cunning Carlos",
        EPIC,
        "You can only be outbid by two spaces or more: on $20K and $25K, not at all.",
        demand.CunningCarlos(),
    ),
    "dangote": Investor(
        "Daring Dangote",
        EPIC,
        "At the end of a round you get $1K for each commodity card you own, equal ones too, and "
        "nothing for taxes.",
        round_end.DaringDangote(),
        needs="commodities",
    ),
    "li": Investor(
        "Lucrative Li",
        EPIC,
        "At the end of a round, $1K more interest for every two bonds you own, rounded up: $2K "
        "for three.",
        round_end.LucrativeLi(),
        needs="bonds",
    ),
    "talal": Investor(
        "Tactical Talal",
        EPIC,
        "When everyone has had their turn to sell, you may sell again, whatever you own.",
        selling.TacticalTalal(),
    ),
    "ivan": Investor(
        "Illicit Ivan",
        EPIC,
        "When all have returned two strategies, you draw more: one less than there are rounds. "
        "You may play two in a round, each for its cost.",
        action.IllicitIvan(),
        needs="strategies",
    ),
    "barack": Investor(
        "Bailout Barack",
        PROMO,
        "After the selling you may buy one stock card of your choice from the discard pile for "
        "$2K less than its value, at least $0. All see which it is.",
        selling.BailoutBarack(),
    ),
    # Before Donald, whose discount is one space of whatever list is bid by.
    "barbara": Investor(
        "Budget Barbara",
        PROMO,
        "You pay by a list of your own. If you win on one of the two lowest spaces, you get $4K "
        "or $3K; the others cost $0, $3K, $8K, $15K, $22K and $30K.",
        demand.BudgetBarbara(),
    ),
    "donald": Investor(
        "Discount Donald",
        BASE,
        "For every pile you pay the space below your meeple: $6K on $10K. You need no more than "
        "that to bid, so you may bid more than you have.",
        demand.DiscountDonald(),
    ),
    "phil": Investor(
        "Forecast Phil",
        PROMO,
        "Before the deal you secretly choose a company or one of the round’s forecasts for a pair "
        "of your own. All learn which of the two kinds it is, not which card.",
        information.ForecastPhil(),
    ),
    "liliane": Investor(
        "Lazy Liliane",
        PROMO,
        "You get $5K each time the bidding begins, and pay $1K, if you have it to spare, each "
        "time you are outbid.",
        demand.LazyLiliane(),
    ),
    "mitt": Investor(
        "Moneymaker Mitt",
        PROMO,
        "You get $1K each time you place a meeple, to bid or to bid again. It comes after the "
        "bid: the money for that must be there already.",
        demand.MoneymakerMitt(),
    ),
    "oprah": Investor(
        "Opulent Oprah",
        PROMO,
        "At the end of a round you must give $2K to another player, or $1K to each of two; with "
        "less than $2K, as much as you have.",
        round_end.OpulentOprah(),
    ),
    "robins": Investor(
        "Royal Robins",
        PROMO,
        "You draw the cards that open the piles and choose one of them to lie face-down, and "
        "where. The others are laid face-up on the other piles.",
        supply.RoyalRobins(),
    ),
    "soros": Investor(
        "Shorting Soros",
        PROMO,
        "Once in each Selling Phase, and once in the final sale, you may sell one share for $8K, "
        "whatever its price.",
        selling.ShortingSoros(),
    ),
    "sanders": Investor(
        "Socialist Sanders",
        PROMO,
        "At the end of a round you take $2K from the richest other player and keep $1K. The rest "
        "goes to whoever then has least: perhaps you, never the one you took it from.",
        round_end.SocialistSanders(),
    ),
}

POWERS.update({key: investor.power for key, investor in INVESTORS.items()})
