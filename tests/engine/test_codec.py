"""JSON both ways, and every unreadable text refused in the same way."""

import pytest

from stockpile_web.engine import Action, Event, Piece, Record, Result, Score, codec
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Bid, Done, Place, Sell

MOVES = [Place("CC", 0, "boom", 2), Bid(1, 2), Bid(3, 7, 1), Sell("EE", 2), Done()]


class Walk(Action, frozen=True):
    steps: int


class Wait(Action, frozen=True):
    pass


class Hat(Piece, frozen=True):
    colours: tuple[str, ...]


class Person(Record):
    name: str
    hats: dict[str, Hat]
    by_seat: dict[int, int | None]
    tags: list[str] = []


@pytest.mark.parametrize("move", MOVES)
def test_a_move_survives(move: stockpile.Move) -> None:
    assert codec.load(stockpile.Move, codec.dump(move)) == move


def test_a_move_carries_its_name() -> None:
    assert codec.dump(Bid(1, 2)) == '{"move":"Bid","pile":1,"space":2,"meeple":0}'
    assert codec.dump(Done()) == '{"move":"Done"}'


def test_what_a_move_leaves_out_has_its_usual_value() -> None:
    assert codec.load(stockpile.Move, '{"move":"Bid","pile":1,"space":2}') == Bid(1, 2, 0)


def test_plain_data_survives_with_its_types() -> None:
    person = Person("Zoë 😀", {"best": Hat(("red", "blue"))}, {0: None, 3: -1})
    read = codec.load(Person, codec.dump(person))
    assert read == person
    assert isinstance(read.hats["best"].colours, tuple)
    assert list(read.by_seat) == [0, 3]


def test_the_same_value_gives_the_same_text() -> None:
    person = Person("Ada", {}, {2: 1, 1: 2})
    assert codec.dump(codec.load(Person, codec.dump(person))) == codec.dump(person)


def test_two_copies_that_were_read_share_nothing() -> None:
    text = codec.dump(Person("Ada", {}, {}))
    one, two = codec.load(Person, text), codec.load(Person, text)
    one.tags.append("changed")
    assert two.tags == []


@pytest.mark.parametrize(
    "event",
    [
        Event("told", {"seat": 1, "cards": ["CC"], "outbid": None}),
        Event("whispered", None, {2: {"card": "CC"}}),
        Event("revealed", {"seat": 0}, {0: {"card": "CC"}, 1: {"card": "CC"}}),
        Event("bare", {}),
    ],
)
def test_an_event_survives_with_its_secrets(event: Event) -> None:
    assert codec.load(Event, codec.dump(event)) == event


def test_a_result_survives() -> None:
    result = Result([1, 2], [Score(3, [{"kind": "cash", "money": 3}]), Score(0, [])])
    assert codec.load(Result, codec.dump(result)) == result


UNREADABLE = {
    "nothing": "",
    "not JSON": "bid six",
    "a null": "null",
    "a list": "[]",
    "a text": '"Done"',
    "cut off": '{"move":"Bid","pile":1,',
    "more than one": '{"move":"Done"} {"move":"Done"}',
    "without a name": '{"pile":1,"space":2}',
    "an unknown name": '{"move":"Cheat"}',
    "a name of the wrong type": '{"move":3}',
    "the name of an internal class": '{"move":"State"}',
    "the move of another game": '{"move":"Walk","steps":1}',
    "without a field": '{"move":"Bid","pile":1}',
    "a text for a number": '{"move":"Bid","pile":"1","space":2}',
    "a fraction": '{"move":"Bid","pile":1.5,"space":2}',
    "a truth for a number": '{"move":"Bid","pile":true,"space":2}',
    "a null for a number": '{"move":"Bid","pile":null,"space":2}',
    "NaN": '{"move":"Bid","pile":NaN,"space":2}',
    "infinity": '{"move":"Bid","pile":1e999,"space":2}',
    "a huge number": '{"move":"Bid","pile":1' + "0" * 5000 + ',"space":2}',
    "deep lists": "[" * 100_000,
    "deep lists in a field": '{"move":"Done","x":' + "[" * 100_000 + "]" * 100_000 + "}",
    "deep objects in a field": '{"move":"Done","x":' + '{"x":' * 100_000,
    "half a surrogate pair": '{"move":"\ud800"}',
    "a zero byte": "\x00",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_unreadable_moves_are_refused(text: str) -> None:
    with pytest.raises(codec.Unreadable):
        codec.load(stockpile.Move, text)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"told","public":{"x":' + "[" * 100_000 + "]" * 100_000 + "}}",
        '{"kind":"told","public":{"x":1' + "0" * 5000 + "}}",
        '{"kind":"told","private":{"one":{}}}',
        '{"public":{}}',
    ],
    ids=["deep", "huge", "a seat that is no number", "no kind"],
)
def test_unreadable_events_are_refused(text: str) -> None:
    with pytest.raises(codec.Unreadable):
        codec.load(Event, text)


def test_a_number_that_only_rules_can_refuse_is_read() -> None:
    """Whether there is such a pile is for `legal` to say."""
    assert codec.load(stockpile.Move, '{"move":"Bid","pile":-99,"space":2}') == Bid(-99, 2)


def test_unions_of_one_game_do_not_read_another_games_moves() -> None:
    assert codec.load(Walk | Wait, '{"move":"Walk","steps":2}') == Walk(2)
    with pytest.raises(codec.Unreadable):
        codec.load(Walk | Wait, codec.dump(Done()))
