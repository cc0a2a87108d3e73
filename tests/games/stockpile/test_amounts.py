"""How amounts are written."""

from stockpile_web.games.stockpile.amounts import unbroken_money


def test_a_minus_sign_in_a_sentence_stays_on_the_line_of_its_amount() -> None:
    assert unbroken_money(-3) == "\N{MINUS SIGN}\N{WORD JOINER}$3K"
    assert unbroken_money(10) == "$10K"
