"""Names in every script: where one ends in a chat, and its beginning where there is little room."""

import pytest

from stockpile_web.match.glance import Glance
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.notify.mentions import called_in
from stockpile_web.storage import names

PEOPLE = ["ann", "Зоя", "田中", "田中一郎", "नमस्ते", "Änne"]


def glance() -> Glance:
    seats = [SeatRow(0, number, user_id=number, name=name) for number, name in enumerate(PEOPLE)]
    match = MatchRow(*(None for _ in MatchRow.__slots__))  # type: ignore[arg-type]
    return Glance(match, seats, 0)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("@зоя, пора!", ["Зоя"]),
        ("@ЗОЯ-2", []),
        ("@田中さんの番です", ["田中"]),
        ("@田中一郎さん", ["田中一郎"]),
        ("＠田中 @anne", ["田中"]),
        ("@नमस्ते आओ", ["नमस्ते"]),
        ("@नमस्तेो", []),
        ("@ÄNNE and @A\u0308nne", ["Änne"]),
        ("зоя@зоя.example", []),
    ],
)
def test_whoever_has_a_name_in_any_script_can_be_called(text: str, called: list[str]) -> None:
    assert [PEOPLE[user] for user in called_in(text, glance())] == called


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ann", "An"), ("Đặng", "Đặ"), ("A\u0323n\u0302n", "A\u0323n\u0302"), ("田中", "田"),
        ("नमस्ते", "नम"), ("कि_", "कि_"), ("김민준", "김"), ("x", "x"),
    ],
)  # fmt: skip
def test_the_letters_on_a_meeple_are_whole_ones(name: str, letters: str) -> None:
    assert names.two_letters(name) == letters


def test_every_line_of_look_alikes_can_be_read_and_leads_to_itself() -> None:
    for name in ("Ⲻ", "Ꭺ", "æ", "ӕ"):
        look, _ = names.looks_of(name)
        assert names.looks_of(look)[0] == look
    assert names.looks_of("ӕ") == names.looks_of("ae")
