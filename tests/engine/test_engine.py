"""The contract: chance, events, the gate, and the questions asked of twists."""

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.engine import Action, Dealer, Event, Facts, IllegalMove, ask, on_turn, take_turn

SEED = "0123456789abcdef"


def test_the_dealer_gives_these_numbers_for_ever() -> None:
    dealer = Dealer(SEED, 7)
    assert [dealer.below(1000) for _ in range(20)] == [
        575, 721, 584, 386, 356, 358, 730, 259, 611, 978, 426, 244, 775, 446, 853,
        131, 85, 722, 23, 667,
    ]  # fmt: skip


def test_the_dealer_shuffles_so_for_ever() -> None:
    cards = list(range(20))
    Dealer(SEED, 7).shuffle(cards)
    assert cards == [0, 8, 9, 18, 1, 5, 10, 7, 14, 6, 19, 3, 11, 2, 13, 12, 16, 4, 17, 15]


def test_anyone_with_the_seed_can_check_the_deal_by_hand() -> None:
    """The words of a block are used from the last to the first."""
    block = blake2b(b"7:0", key=SEED.encode()).digest()
    words = [int.from_bytes(block[at : at + 4], "little") for at in range(60, -4, -4)]
    dealer = Dealer(SEED, 7)
    assert [dealer.below(2**32) for _ in range(16)] == words


def test_every_seed_and_every_move_number_gives_other_numbers() -> None:
    dealers = [Dealer(seed, number) for seed in ("a", "b", "") for number in range(100)]
    assert len({dealer.below(2**32) for dealer in dealers}) == 300


def test_a_seed_of_64_characters_is_used_to_the_last() -> None:
    one, two = Dealer("a" * 63 + "b"), Dealer("a" * 63 + "c")
    assert one.below(2**32) != two.below(2**32)


@pytest.mark.parametrize("limit", [1, 2, 6, 7, 80])
def test_numbers_below_a_limit_are_equally_likely(limit: int) -> None:
    dealer, draws = Dealer("fair"), 2000 * limit
    found = Counter(dealer.below(limit) for _ in range(draws))
    assert set(found) == set(range(limit))
    # Five standard deviations of a count with mean 2,000 is about 224.
    assert all(abs(count - 2000) < 224 for count in found.values())


def test_a_word_beyond_the_last_whole_multiple_is_drawn_again() -> None:
    """Without that, numbers below 2**30 would come up twice as often as the others."""
    limit = 3 * 2**30
    dealer = Dealer("fair")
    low = sum(dealer.below(limit) < 2**30 for _ in range(3000))
    assert 850 < low < 1150


class Lay(Action, frozen=True):
    card: str
    others: tuple[str, ...]
    pile: int


LAY = Lay("ace", ("two", "three"), 4)


def test_what_the_rules_make_of_a_move_is_no_news() -> None:
    dealer = Dealer(SEED)
    assert not dealer.has_news_for(0, LAY)
    dealer.announce("laid", seat=0, pile=4)
    dealer.announce("paid", seat=1, money=3)
    assert not dealer.has_news_for(0, LAY)


@pytest.mark.parametrize(
    "tell",
    [
        lambda dealer: dealer.below(2),
        lambda dealer: dealer.shuffle([1, 2]),
        lambda dealer: dealer.turn_up("opened", card="king"),
        lambda dealer: dealer.let_slip(),
        lambda dealer: dealer.whisper(0, "dealt", cards=["king"]),
        lambda dealer: dealer.whisper(1, "dealt", cards=["ace"]),
        lambda dealer: dealer.reveal([0], "seen", {"card": "king"}, seat=0),
        lambda dealer: dealer.reveal([0, 1], "seen", {"card": "ace"}, seat=0),
    ],
    ids=["number", "shuffle", "up", "slip", "whisper", "to another", "look", "look of two"],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_what_is_drawn_or_was_hidden_is_news(tell: Callable[[Dealer], Any], is_first: bool) -> None:
    dealer = Dealer(SEED)
    if not is_first:
        dealer.announce("laid", seat=0)
    tell(dealer)
    assert dealer.has_news_for(0, LAY)


@pytest.mark.parametrize(
    "secret", [{"card": "ace"}, {"cards": ["two", "ace"]}, {"card": "ace", "piles": [4]}]
)
def test_what_a_move_says_is_no_secret_to_whoever_makes_it(secret: Facts) -> None:
    open_, alone = Dealer(SEED), Dealer(SEED)
    open_.reveal([0], "laid", secret, seat=0)
    alone.whisper(0, "laid", **secret)
    assert not open_.has_news_for(0, LAY)
    assert not alone.has_news_for(0, LAY)
    assert open_.has_news_for(1, LAY)


def test_only_the_first_event_tells_of_the_move_itself() -> None:
    """The card that is dealt next may be of the kind that was laid."""
    dealer = Dealer(SEED)
    dealer.reveal([0], "laid", {"card": "ace"}, seat=0)
    dealer.whisper(0, "dealt", cards=["two"])
    assert dealer.has_news_for(0, LAY)


def test_a_shuffle_keeps_the_cards_and_every_order_comes_up() -> None:
    dealer, orders = Dealer("shuffle"), Counter[str]()
    for _ in range(6000):
        cards = list("abc")
        dealer.shuffle(cards)
        orders["".join(cards)] += 1
    assert sorted(orders) == ["abc", "acb", "bac", "bca", "cab", "cba"]
    assert all(840 < count < 1160 for count in orders.values())


def test_shuffling_one_card_or_none_changes_nothing() -> None:
    for cards in ([], ["a"]):
        before = cards[:]
        Dealer("few").shuffle(cards)
        assert cards == before


def test_what_is_announced_is_told_to_everyone() -> None:
    dealer = Dealer(SEED)
    dealer.announce("sold", seat=1, money=3)
    facts = {"kind": "sold", "seat": 1, "money": 3}
    assert [dealer.events[0].seen_by(viewer) for viewer in (None, 0, 1)] == [facts] * 3


def test_what_is_revealed_is_known_to_all_and_understood_by_some() -> None:
    dealer = Dealer(SEED)
    dealer.reveal([0, 2], "placed", {"card": "CC"}, pile=3)
    seen = [dealer.events[0].seen_by(viewer) for viewer in (None, 0, 1, 2)]
    public = {"kind": "placed", "pile": 3}
    assert seen == [public, {**public, "card": "CC"}, public, {**public, "card": "CC"}]


def test_what_is_whispered_is_not_even_known_to_have_happened() -> None:
    dealer = Dealer(SEED)
    dealer.whisper(1, "dealt", card="CC")
    seen = [dealer.events[0].seen_by(viewer) for viewer in (None, 0, 1)]
    assert seen == [None, None, {"kind": "dealt", "card": "CC"}]


def test_a_spectator_learns_no_secret_of_seat_zero() -> None:
    assert Event("placed", {}, {0: {"card": "CC"}}).seen_by(None) == {"kind": "placed"}


def test_an_event_without_public_facts_is_still_told() -> None:
    assert Event("passed", {}).seen_by(None) == {"kind": "passed"}


def test_events_are_kept_in_the_order_in_which_they_happened() -> None:
    dealer = Dealer(SEED)
    dealer.announce("first")
    dealer.whisper(0, "second")
    dealer.reveal([0], "third", {})
    assert [event.kind for event in dealer.events] == ["first", "second", "third"]


def counting_game() -> Any:
    """A game in which seats 0 and 2 may add 1 or 2 to a list."""

    def play(state: list[int], seat: int, move: int, dealer: Dealer) -> None:
        state.append(move)

    def why_not(view: object, moves: list[int], move: object) -> str:
        return f"{move} is more than {moves[-1]}." if isinstance(move, int) else ""

    return SimpleNamespace(
        legal=lambda state, seat: [1, 2] if seat != 1 else [],
        play=play,
        view=lambda state, viewer: None,
        why_not=why_not,
    )


def test_a_legal_move_passes_the_gate() -> None:
    state: list[int] = []
    take_turn(counting_game(), state, 0, 2, Dealer(SEED))
    assert state == [2]


@pytest.mark.parametrize(
    ("seat", "move", "words"),
    [
        (0, 3, "3 is more than 2."),
        (1, 1, "It is not your turn."),
        (0, None, "That move is not open to you now."),
        (0, "1", "That move is not open to you now."),
    ],
)
def test_any_other_move_is_refused_in_words_for_the_player(
    seat: int, move: Any, words: str
) -> None:
    state: list[int] = []
    with pytest.raises(IllegalMove, match=words):
        take_turn(counting_game(), state, seat, move, Dealer(SEED))
    assert state == []


def test_a_seat_is_on_turn_while_it_has_a_move() -> None:
    assert on_turn(counting_game(), [], 3) == [0, 2]


class Add:
    """A twist that adds to the price."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def price(self, price: int, times: int = 1) -> int:
        return price + self.amount * times


class Double(Add):
    """A twist that answers the same question in its own way."""

    def price(self, price: int, times: int = 1) -> int:
        return price << times


def test_without_twists_the_answer_stands() -> None:
    assert ask([], Add.price, 5) == 5


def test_each_twist_amends_the_answer_in_turn() -> None:
    assert ask([Add(1), Double(0)], Add.price, 5) == 12
    assert ask([Double(0), Add(1)], Add.price, 5) == 11


def test_a_question_may_have_details() -> None:
    assert ask([Add(1), Double(0)], Add.price, 5, 2) == 28
    assert ask([Add(1)], Add.price, 5, times=3) == 8
