"""No statement of a move touches two matches: a database may be split by the number of a match."""

from random import Random

import pytest

from stockpile_web.storage.database import Base, db
from tests.support.clicking import Board
from tests.support.people import HX, on_turn, seated
from tests.support.statements import numbers_of, recorded, tables_of

OF_A_MATCH = {"match"} | {
    table.name for table in Base.metadata.sorted_tables if "match_id" in table.c
}
# What is asked of one person, not of a match: by the number of that person, at all their tables.
OF_A_PERSON = {
    # The badge in the head of the page: at how many other tables there is something new.
    "count(distinct(notice.match_id))": "notice",
}


def matches_of(statement: str) -> set[int]:
    """Return the matches that a statement names."""
    return numbers_of(statement, "match_id") | numbers_of(statement, "id", "match")


def is_of_a_person(statement: str) -> bool:
    """Tell whether a statement is among the exceptions, and names its person."""
    flat = "".join(statement.split()).lower()
    return any(
        words.replace(" ", "") in flat and len(numbers_of(statement, "user_id", table)) == 1
        for words, table in OF_A_PERSON.items()
    )


@pytest.fixture
def played(app, sign_up):
    """Every statement of every move of a match, while the same people sit at another one."""
    other, players = seated(app, sign_up, 3)
    names = {"game": "stockpile", "size": "3", "pace": "day", "listed": "on"}
    made = players[0].post("/tables/new", data=names)
    match_id = int(made.location.rsplit("/", 1)[1])
    for player in players[1:]:
        player.post(f"/table/{match_id}/seating", data={"do": "join"})
    assert match_id != other
    chooser, said = Random(1), []
    while waiting := on_turn(app, match_id, players):
        player = waiting[0]
        form = Board(player.get(f"/table/{match_id}").text).fill_in(chooser)
        with app.app_context():
            engine = db.engine
        headers = chooser.choice([HX, {}])
        with recorded(engine) as statements:
            answer = player.post(f"/table/{match_id}/move", data=form, headers=headers)
        assert answer.status_code in (200, 303), answer.text
        said += statements
    return match_id, said


def test_each_statement_of_a_move_names_one_match_or_none(played):
    match_id, said = played
    touching = [each for each in said if tables_of(each) & OF_A_MATCH]
    assert len(touching) > 300
    # Moves, seats, the match, notices, and at the end what lists of matches are made of.
    assert {"match", "seat", "move", "notice", "archived"} <= set().union(*map(tables_of, touching))
    others = [each for each in touching if matches_of(each) != {match_id}]
    assert [each for each in others if not is_of_a_person(each)] == []


def test_a_statement_about_two_matches_would_be_found():
    both = "SELECT * FROM seat WHERE seat.match_id = 3 OR seat.match_id = 4"
    assert matches_of(both) == {3, 4}
    assert matches_of("UPDATE seat SET on_turn = 1 WHERE seat.user_id = 3") == set()
    assert matches_of('UPDATE "match" SET version = 2 WHERE "match".id = 5') == {5}
    written = "INSERT INTO notice (user_id, event, match_id) VALUES (7, 'it''s, (6)', 8)"
    assert matches_of(written) == {8}
    assert not is_of_a_person("SELECT count(DISTINCT(notice.match_id)) FROM notice")
