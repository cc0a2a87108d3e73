"""Before an upgrade: which running matches would not go on as they are, and what would be done."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from stockpile_web.cli import main
from stockpile_web.engine import IllegalMove
from stockpile_web.games import stockpile
from stockpile_web.match import administration
from stockpile_web.match.turn import changing
from stockpile_web.storage import schema
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep import upgrade_check
from stockpile_web.upkeep.upgrade_check import Difference
from tests.support.clicking import make_any_move
from tests.support.people import HX, on_turn, seated
from tests.support.sites import all_rows

TODAY = stockpile.VERSION


@pytest.fixture
def match_id(app, sign_up) -> int:
    """A match of two that has gone on for a while, with a move that was taken back."""
    number, players = seated(app, sign_up, 2)
    rng = Random(3)
    taken_back = False
    for _ in range(24):
        player = on_turn(app, number, players)[0]
        make_any_move(player, number, rng)
        if not taken_back:
            page = player.get(f"/table/{number}").text
            taken_back = "/take-back" in page and take_back(player, number, page)
    assert taken_back
    return number


def take_back(player, number, page) -> bool:
    made = page.partition('name="moves_made" value="')[2].partition('"')[0]
    form = {"moves_made": made}
    answer = player.post(f"/table/{number}/take-back", data=form, headers=HX)
    return bool(answer.status_code == 200)


def found(app) -> list[Difference | int]:
    return [*upgrade_check.check(app.config)]


def only_difference(app) -> Difference:
    (difference,) = found(app)
    assert isinstance(difference, Difference)
    return difference


def store(app, match_id, **values) -> None:
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).where(Match.id == match_id).values(values))


def test_the_same_rules_carry_on_every_match_and_the_site_is_not_touched(app, match_id):
    before = all_rows(app.config["DATABASE_URL"])
    assert upgrade_check.pending(app.config["DATABASE_URL"]) == []
    assert found(app) == [match_id]
    assert all_rows(app.config["DATABASE_URL"]) == before


def test_a_move_that_is_made_meanwhile_is_no_difference(app, match_id, monkeypatch):
    copy_some = upgrade_check._copy_some

    def and_others_move(site, copy, table, which):
        copy_some(site, copy, table, which)
        if table.name == "match":
            with app.app_context(), writing() as tx:
                tx.execute(update(Seat).values(on_turn=~Seat.on_turn))

    monkeypatch.setattr(upgrade_check, "_copy_some", and_others_move)
    assert found(app) == [match_id]


def test_a_table_that_an_administrator_has_paused_is_carried_on(app, match_id):
    with app.app_context():
        with changing(match_id) as turn:
            administration.halt(turn, "A word with all of you.")
        with changing(match_id) as turn:
            administration.go_on(turn)
    assert found(app) == [match_id]


def test_rules_that_do_something_else_are_told_with_the_first_move_that_differs(
    app, match_id, monkeypatch
):
    play, count = stockpile.play, 0

    def richer(state, seat, move, dealer):
        nonlocal count
        count += 1
        play(state, seat, move, dealer)
        if count == 5:
            state.players[0].cash += 1

    monkeypatch.setattr(stockpile, "play", richer)
    difference = only_difference(app)
    assert (difference.match_id, difference.game) == (match_id, "stockpile")
    assert difference.number is not None and 5 <= difference.number < 9
    assert difference.what == "leads to another state"


def test_a_move_that_is_no_longer_legal_is_told(app, match_id, monkeypatch):
    monkeypatch.setattr(stockpile, "legal", lambda _state, _seat: [])
    difference = only_difference(app)
    assert (difference.number, difference.what) == (1, "is not legal any more")


def test_rules_that_stumble_are_told_without_their_words(app, match_id, monkeypatch):
    def stumble(*_):
        raise IllegalMove("the ace of secrets")

    monkeypatch.setattr(stockpile, "play", stumble)
    difference = only_difference(app)
    assert difference.what == "cannot be made any more (IllegalMove)"


def test_a_state_that_cannot_be_read_and_a_game_that_is_gone_are_told(app, match_id):
    store(app, match_id, state="{}")
    difference = only_difference(app)
    assert (difference.number, difference.what) == (None, "it could not be read (Broken)")
    store(app, match_id, game="checkers")
    difference = only_difference(app)
    assert difference.what == "cannot be made any more (Held)"


def test_moves_of_older_rules_are_carried_over_and_not_made_again(app, match_id, monkeypatch):
    monkeypatch.setattr(stockpile, "VERSION", TODAY + 1)
    difference = only_difference(app)
    assert difference.what == "cannot be made any more (Held)"
    monkeypatch.setitem(stockpile.UPGRADES, TODAY, dict)
    assert found(app) == [match_id]
    monkeypatch.setitem(stockpile.UPGRADES, TODAY, lambda state: {})
    difference = only_difference(app)
    assert difference.what == "cannot be made any more (Broken)"


def test_the_command_says_it_in_lines_and_by_its_code(app, match_id, monkeypatch):
    for name in ("DATABASE_URL", "STOCKPILE_INSTANCE"):
        monkeypatch.setenv(name, app.config[name])
    done = CliRunner().invoke(main, ["upgrade-check"])
    assert done.output == "No migration would run.\nAll 1 running matches go on as they are.\n"
    assert done.exit_code == 0
    monkeypatch.setattr(stockpile, "legal", lambda _state, _seat: [])
    done = CliRunner().invoke(main, ["upgrade-check"])
    assert f"table {match_id} (stockpile), move 1: is not legal any more\n" in done.output
    assert done.exit_code == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_older_database_is_checked_with_the_migrations_that_would_run(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
):
    url = f"sqlite:///{tmp_path}/old.db"
    if kind == "postgres":
        url = request.getfixturevalue("postgres").create("upgrade_check")
    schema.upgrade(url, str(tmp_path), "OFF", to="0024")
    waiting = upgrade_check.pending(url)
    assert [each.number for each in waiting][:4] == ["0025", "0026", "0027", "0028"]
    assert [each.needs_stop for each in waiting][:4] == [True, True, True, False]
    assert waiting[0].about.startswith("Addresses are confirmed")
    assert [*upgrade_check.check({"DATABASE_URL": url})] == []
    assert next(each.number for each in upgrade_check.pending(url)) == "0025"
