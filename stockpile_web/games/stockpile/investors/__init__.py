"""The 26 investors, a line for each, which leads to the code of its power.

The money of each of two, with two players, is certain. That of one alone is likely for the first
box, and our own for the others: an owner of the game who knows better changes it here.
"""

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
from stockpile_web.games.stockpile.investors.texts import TEXTS
from stockpile_web.games.stockpile.twist import Twist

BASE, EPIC, PROMO = "base", "epic", "promo"


class Investor(Piece, frozen=True):
    """An investor card."""

    key: str
    name: str
    set: str
    of_two: int  # What each of two begins with, with two players,
    alone: int  # and what one begins with, with more.
    power: Twist
    needs: str = ""  # The module without which its power is nothing.

    @property
    def text(self) -> str:
        """What it can do, in our words."""
        return TEXTS[self.key]


_CARDS = (
    # The first box.
    Investor("bill", "Billionaire Bill", BASE, 35, 32, Twist()),
    Investor("bernie", "Broker Bernie", BASE, 16, 16, demand.BrokerBernie()),
    Investor("cramer", "Crazy Cramer", BASE, 12, 18, action.CrazyCramer()),
    Investor("donald", "Discount Donald", BASE, 4, 13, demand.DiscountDonald()),
    Investor("deborah", "Dividend Deborah", BASE, 14, 20, round_end.DividendDeborah()),
    Investor("graham", "Golden Graham", BASE, 6, 16, selling.GoldenGraham()),
    Investor("martha", "Mayknow Martha", BASE, 20, 22, demand.MayknowMartha()),
    Investor("mark", "Maverick Mark", BASE, 22, 25, demand.MaverickMark()),
    Investor("stuart", "Secretive Stuart", BASE, 16, 22, supply.SecretiveStuart()),
    Investor("warren", "Wise Warren", BASE, 23, 20, demand.WiseWarren()),
    # The expansions: Continuing Corruption, then Illicit Investments.
    Investor("ana", "Agile Ana", EPIC, 12, 16, round_end.AgileAna()),
    Investor("chanda", "Clever Chanda", EPIC, 9, 16, action.CleverChanda()),
    Investor("carlos", "Cunning Carlos", EPIC, 6, 14, demand.CunningCarlos()),
    Investor("dangote", "Daring Dangote", EPIC, 7, 15, round_end.DaringDangote(), "commodities"),
    Investor("li", "Lucrative Li", EPIC, 20, 20, round_end.LucrativeLi(), "bonds"),
    Investor("talal", "Tactical Talal", EPIC, 18, 21, selling.TacticalTalal()),
    Investor("ivan", "Illicit Ivan", EPIC, 12, 16, action.IllicitIvan(), "strategies"),
    # The promos.
    Investor("barack", "Bailout Barack", PROMO, 16, 20, selling.BailoutBarack()),
    Investor("barbara", "Budget Barbara", PROMO, 7, 15, demand.BudgetBarbara()),
    Investor("phil", "Forecast Phil", PROMO, 20, 22, information.ForecastPhil()),
    Investor("liliane", "Lazy Liliane", PROMO, 23, 14, demand.LazyLiliane()),
    Investor("mitt", "Moneymaker Mitt", PROMO, 10, 18, demand.MoneymakerMitt()),
    Investor("oprah", "Opulent Oprah", PROMO, 45, 42, round_end.OpulentOprah()),
    Investor("robins", "Royal Robins", PROMO, 22, 23, supply.RoyalRobins()),
    Investor("soros", "Shorting Soros", PROMO, 16, 16, selling.ShortingSoros()),
    Investor("sanders", "Socialist Sanders", PROMO, 16, 20, round_end.SocialistSanders()),
)

INVESTORS = {card.key: card for card in _CARDS}
POWERS.update({card.key: card.power for card in _CARDS})


def starting_money(investor: str, players: int) -> int:
    """Return what an investor begins with."""
    card = INVESTORS[investor]
    return card.of_two if players == 2 else card.alone
