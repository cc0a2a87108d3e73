"""Investors before the game: dealt, chosen in secret, or bid for."""

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.investors import INVESTORS
from stockpile_web.games.stockpile.investors.power import Power
from stockpile_web.games.stockpile.investors.texts import TEXTS
from stockpile_web.games.stockpile.moves import Bid, KeepInvestors
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, bids, cash, on_turn, play, table, told
from tests.support.random_play import Sitting

EVERY_SET = frozenset({"investors", "epic_investors", "promo_investors"})
MODULES_THEY_LIVE_ON = {"bonds", "commodities", "strategies"}


def deal(seats: int = 4, *more: str) -> State:
    options = dict.fromkeys(["investors", *more], 1)
    return stockpile.setup(seats, options, Dealer("investors"))


def keep_first(state: State, seat: int) -> None:
    play(state, seat, stockpile.legal(state, seat)[0])


def laid_out(investors: dict[int, str], seats: int = 3, first: int = 0) -> State:
    """Return a table at which these investors were chosen to be bid for."""
    state = table(seats, first=first, modules="investors investor_bidding", investors=investors)
    for player in state.players:
        player.cash = 0
    begin(state, "keeping")
    return state


def test_there_are_twenty_six_investors_each_with_both_sums_of_money() -> None:
    assert len(INVESTORS) == 26
    assert all(investor.name and investor.text for investor in INVESTORS.values())
    assert all(investor.of_two and investor.alone for investor in INVESTORS.values())
    assert set(TEXTS) == set(INVESTORS)


@pytest.mark.parametrize("key", [key for key in INVESTORS if key != "bill"])
def test_the_code_of_an_investor_has_the_name_of_the_investor(key: str) -> None:
    investor = INVESTORS[key]
    assert type(investor.power).__name__ == investor.name.replace(" ", "")
    assert investor.name.lower().endswith(f" {key}")
    if isinstance(investor.power, Power):
        assert investor.power.key == key


def test_with_two_players_the_money_is_as_printed_in_the_rules() -> None:
    printed = {
        "ana": 12, "barack": 16, "bill": 35, "bernie": 16, "barbara": 7, "chanda": 9,
        "cramer": 12, "carlos": 6, "dangote": 7, "donald": 4, "deborah": 14, "phil": 20,
        "graham": 6, "ivan": 12, "liliane": 23, "li": 20, "mark": 22, "martha": 20, "mitt": 10,
        "oprah": 45, "robins": 22, "stuart": 16, "soros": 16, "sanders": 16, "talal": 18,
        "warren": 23,
    }  # fmt: skip
    assert {key: investor.of_two for key, investor in INVESTORS.items()} == printed


def test_billionaire_bill_has_no_power_and_the_most_money_of_his_box() -> None:
    box = [key for key, investor in INVESTORS.items() if investor.set == "base"]
    assert len(box) == 10
    assert max(box, key=lambda key: INVESTORS[key].alone) == "bill"
    assert max(box, key=lambda key: INVESTORS[key].of_two) == "bill"
    plain, rich = table(), table(investors={0: "bill"})
    for state in (plain, rich):
        begin(state, "outlook")
    assert rich.phase == plain.phase == "supply"
    assert stockpile.legal(rich, 0) == stockpile.legal(plain, 0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_player_is_dealt_two_and_keeps_one(seats: int) -> None:
    state = deal(seats)
    offered = [player.offered for player in state.players]
    assert [len(keys) for keys in offered] == [2] * seats
    assert len({key for keys in offered for key in keys}) == 2 * seats
    one, two = offered[1]
    assert stockpile.legal(state, 1) == [KeepInvestors((one,)), KeepInvestors((two,))]


def test_with_two_players_each_is_dealt_four_and_keeps_two() -> None:
    state = deal(2)
    assert [len(player.offered) for player in state.players] == [4, 4]
    assert len(stockpile.legal(state, 0)) == 6
    one, two, *_ = state.players[0].offered
    assert KeepInvestors((one, two)) in stockpile.legal(state, 0)


@pytest.mark.parametrize(("seats", "kept"), [(2, 2), (4, 1)])
def test_an_investor_brings_money_in_place_of_the_usual(seats: int, kept: int) -> None:
    state = deal(seats)
    assert cash(state) == [0] * seats
    for seat in range(seats):
        keep_first(state, seat)
    for player in state.players:
        assert len(player.investors) == kept
        cards = [INVESTORS[key] for key in player.investors]
        assert player.cash == sum(c.of_two if seats == 2 else c.alone for c in cards)


def test_all_choose_at_once_and_show_what_they_kept_together() -> None:
    state = deal(3)
    assert on_turn(state) == [0, 1, 2]
    keep_first(state, 2)
    assert on_turn(state) == [0, 1]
    assert [player.chooses for player in stockpile.view(state, None).players] == [True, True, False]
    assert all(player.investors == () for player in stockpile.view(state, 0).players)
    own = stockpile.view(state, 2).own
    assert own is not None
    assert len(own.kept) == 1
    keep_first(state, 0)
    events = play(state, 1, stockpile.legal(state, 1)[0])
    assert len(told(events, "investors_kept")) == 3
    assert all(player.investors for player in stockpile.view(state, None).players)


def test_investors_are_open_while_strategies_are_discarded() -> None:
    state = deal(3, "strategies")
    for seat in range(3):
        keep_first(state, seat)
    assert state.phase == "discarding"
    assert all(player.investors for player in stockpile.view(state, None).players)


@pytest.mark.parametrize("bidding", [[], ["investor_bidding"]])
def test_the_starting_stock_is_seen_while_investors_are_chosen(bidding: list[str]) -> None:
    state = deal(3, *bidding)
    for seat in range(3):
        own = stockpile.view(state, seat).own
        assert own is not None
        assert (state.phase, sum(own.shares.values())) == ("keeping", 1)


def test_strategies_are_in_hand_while_investors_are_chosen() -> None:
    state = deal(3, "strategies")
    own = stockpile.view(state, 0).own
    assert own is not None
    assert (state.phase, len(own.strategies), len(own.offered)) == ("keeping", 10, 2)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (frozenset({"investors"}), 10),
        (frozenset({"investors", "epic_investors"}), 14),
        (frozenset({"investors", "promo_investors"}), 19),
        (EVERY_SET, 23),
        (EVERY_SET | {"bonds"}, 24),
        (EVERY_SET | MODULES_THEY_LIVE_ON, 26),
    ],
)
def test_the_sets_are_chosen_and_an_investor_who_lacks_a_module_stays_in_the_box(
    options: frozenset[str], count: int
) -> None:
    seen: set[str] = set()
    for seed in range(60):
        state = stockpile.setup(5, dict.fromkeys(options, 1), Dealer(f"sets {seed}"))
        seen |= {key for player in state.players for key in player.offered}
    assert len(seen) == count
    for key in seen:
        assert not INVESTORS[key].needs or INVESTORS[key].needs in options


def test_a_set_without_the_module_of_investors_means_nothing() -> None:
    state = stockpile.setup(3, {"promo_investors": 1, "investor_bidding": 1}, Dealer("alone"))
    assert state.modules == ()
    assert cash(state) == [20, 20, 20]


def test_in_the_auction_each_player_lays_one_investor_on_an_empty_pile() -> None:
    state = deal(3, "investor_bidding")
    for seat in (2, 0):
        keep_first(state, seat)
    events = play(state, 1, stockpile.legal(state, 1)[0])
    assert len(told(events, "investor_laid")) == 3
    assert [len(pile) for pile in state.piles] == [1, 1, 1]
    assert all(player.investors == () for player in state.players)
    assert on_turn(state) == [state.first]


def test_investors_are_bid_for_as_piles_are() -> None:
    state = laid_out({0: "bill", 1: "graham", 2: "warren"}, first=1)
    for seat, pile, amount in [(1, 0, 3), (2, 0, 6), (0, 1, 0)]:
        assert on_turn(state) == [seat]
        bid(state, seat, pile, amount)
    assert on_turn(state) == [1]
    assert state.phase == "auction"


def test_nobody_bids_more_than_an_investor_starts_with() -> None:
    state = laid_out({0: "bill", 1: "graham", 2: "donald"})
    assert bids(state, 0, 0)[-1] == 25  # $32K.
    assert bids(state, 0, 1)[-1] == 15  # $16K.
    assert bids(state, 0, 2)[-1] == 10  # $13K.


def test_whoever_wins_an_investor_has_its_money_less_the_bid() -> None:
    state = laid_out({0: "bill", 1: "graham", 2: "donald"})
    bid(state, 0, 1, 6)
    bid(state, 1, 0, 25)
    events = bid(state, 2, 2, 0)
    assert [player.investors for player in state.players] == [("graham",), ("bill",), ("donald",)]
    assert cash(state) == [16 - 6, 32 - 25, 13]
    assert [facts["bid"] for facts in told(events, "investor_won")] == [25, 6, 0]
    assert state.phase == "supply"


def test_after_the_auction_the_meeples_are_back_and_the_piles_empty_for_the_round() -> None:
    state = laid_out({0: "bill", 1: "graham", 2: "warren"})
    for seat in range(3):
        bid(state, seat, seat, 1)
    assert [player.meeples for player in state.players] == [[0], [0], [0]]
    assert state.bids == []
    assert all(laid.card not in INVESTORS for pile in state.piles for laid in pile)


def test_with_two_players_four_are_laid_out_and_each_bid_is_paid_by_its_own_investor() -> None:
    state = laid_out({0: "bill donald", 1: "oprah barbara"}, seats=2)
    assert [pile[0].card for pile in state.piles] == ["bill", "donald", "oprah", "barbara"]
    assert bids(state, 0, 1) == [0, 1, 3]  # Donald has $4K with two players.
    bid(state, 0, 2, 25)
    bid(state, 1, 0, 20)
    assert bids(state, 0, 3, meeple=1) == [0, 1, 3, 6]  # Whatever stands on the other track.
    bid(state, 0, 3, 6, meeple=1)
    bid(state, 1, 1, 3, meeple=1)
    assert [player.investors for player in state.players] == [
        ("oprah", "barbara"),
        ("bill", "donald"),
    ]
    assert cash(state) == [45 - 25 + 7 - 6, 35 - 20 + 4 - 3]


def test_an_outbid_player_of_the_auction_bids_again() -> None:
    state = laid_out({0: "bill", 1: "graham", 2: "warren"})
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    bid(state, 2, 1, 0)
    assert Bid(0, 2) in stockpile.legal(state, 0)
    bid(state, 0, 2, 0)
    assert state.phase != "auction"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_two_players_ever_have_the_same_investor(seats: int) -> None:
    for seed in range(5):
        for more in ({"investor_bidding"}, set[str]()):
            sitting = Sitting("stockpile", seats, EVERY_SET | more, f"same {seed}")
            sitting.play_on(30)
            kept = [key for player in sitting.state.players for key in player.investors]
            assert len(kept) == len(set(kept)) == (4 if seats == 2 else seats)
