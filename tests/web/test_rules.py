"""Rules are there for everybody: as a page, one by one beside a table, and on a sheet to print."""

import re

import pytest
from flask.testing import FlaskClient

from stockpile_web.games import GAMES
from tests.support.looking import board
from tests.support.option_sets import large
from tests.support.random_play import Sitting

HTMX = {"HX-Request": "true", "HX-Target": "rule"}


def names_of_sections(page: str) -> list[str]:
    return re.findall(r'<h2 id="([^"]+)"', page)


@pytest.mark.parametrize("game", GAMES)
def test_each_rule_of_a_page_can_be_had_alone(client: FlaskClient, game: str) -> None:
    page = client.get(f"/rules/{game}").text
    names = names_of_sections(page)
    assert [*dict.fromkeys(re.findall(r'<a href="#([^"]+)">', page))][: len(names)] == names
    for name in names:
        answer = client.get(f"/rules/{game}/{name}?table=7", headers=HTMX)
        assert "HX-Request" in answer.headers["Vary"]
        assert "<html" not in answer.text and "csrf" not in answer.text
        # Nothing in it is mistaken for a part of the board, and each of its links finds back.
        assert re.findall(r'\bid="([^"]+)"', answer.text) == ["rule-title"]
        links = re.findall(r'<a href="([^"]+)"', answer.text)
        assert links and all(link.startswith(f"/rules/{game}?table=7#") for link in links)
        assert {link.partition("#")[2] for link in links} <= {*names}


@pytest.mark.parametrize("game", GAMES)
def test_what_a_board_asks_has_a_rule_that_is_there(client: FlaskClient, game: str) -> None:
    sitting = Sitting(game, 3, large(GAMES[game])[-1], "rules")
    linked = {
        name
        for _ in sitting.turns(80)
        for name in re.findall(r'data-rule="[^"]*/([\w-]+)"', board(sitting, 0))
    }
    assert linked and linked <= {*names_of_sections(client.get(f"/rules/{game}").text)}


def test_the_page_of_rules_leads_back_to_the_table_and_nowhere_else(client: FlaskClient) -> None:
    for game in GAMES:
        assert 'href="/table/12">Back to the table' in client.get(f"/rules/{game}?table=12").text
        for wrong in ("//evil.example", "https://evil.example/", "12/../..", "-3", "0", "9" * 20):
            html = client.get(f"/rules/{game}", query_string={"table": wrong}).text
            assert "Back to the table" not in html and "evil" not in html


def test_the_address_of_a_single_rule_leads_to_its_place_on_the_page(client: FlaskClient) -> None:
    game = next(iter(GAMES))
    name = names_of_sections(client.get(f"/rules/{game}").text)[0]
    answer = client.get(f"/rules/{game}/{name}?table=7")
    assert answer.location == f"/rules/{game}?table=7#{name}"


def test_there_are_no_rules_of_what_is_not_there(client: FlaskClient) -> None:
    game = next(iter(GAMES))
    for path in ("/rules/chess", "/rules/chess/summary", "/rules/chess/castling"):
        assert client.get(path).status_code == client.get(path, headers=HTMX).status_code == 404
    assert client.get(f"/rules/{game}/castling", headers=HTMX).status_code == 404
