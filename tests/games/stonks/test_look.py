"""The look of $TONKS$: colours one can read, and every legal move on the board itself."""

import gzip
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import get_args

import pytest

from stockpile_web.games import GAMES, stonks
from stockpile_web.games.stonks import data
from stockpile_web.games.stonks.moves import Move
from stockpile_web.settings import ROOT
from stockpile_web.web.filters import SHEETS
from tests.games.stonks.table import cards_open_to
from tests.support.clicking import Board
from tests.support.looking import NAMES, board, contrast, environment, events_of, line_of, offered
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of

SHEET = (ROOT / "static" / "games" / "stonks" / "board.css").read_text()
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", re.S)
OPTIONS = [frozenset[str](), frozenset({"moderate"}), frozenset({"small_caps", "rounds_1"})]


def positions() -> Iterator[Sitting]:
    """Yield sittings of every size in every phase, standing still while they are looked at."""
    for seats, options in product(stonks.SEATS, OPTIONS):
        sitting = Sitting("stonks", seats, options, f"look {seats}")
        for _ in sitting.turns():
            yield sitting


def colours(css: str) -> dict[str, str]:
    """Return the colour of each company, and of what is written on it."""
    found = dict(re.findall(r"\.([A-Z]{2}) \{ --c: (#\w+);", css))
    return {**found, "on": re.findall(r"\.RA \{ --on: (#\w+);", css)[0]}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read_on_its_company(theme: str) -> None:
    css = "".join(DARK.findall(SHEET)) if theme == "dark" else DARK.sub("", SHEET)
    found = colours(css)
    assert found.keys() == {*data.COMPANIES, "on"}
    for company in data.COMPANIES:
        assert contrast(found["on"], found[company]) >= 4.5, company


def test_every_company_has_a_pattern_and_an_icon_unlike_the_others() -> None:
    for piece in ("pat", "ic"):
        drawn = re.findall(rf"^\.[A-Z]{{2}} \{{.*?--{piece}: (url\([^)]*\))", SHEET, re.M)
        assert len(set(drawn)) == len(data.COMPANIES), piece


def test_templates_name_every_company() -> None:
    assert environment().get_template("games/stonks/_names.html").module.COMPANY == data.COMPANIES


def test_every_legal_move_is_a_control_on_the_board() -> None:
    seen = set()
    for sitting in positions():
        if sitting.number % 3:
            continue
        for seat in sitting.on_turn():
            moves = stonks.legal(sitting.state, seat)
            seen |= {type(move) for move in moves}
            assert set(moves) == set(offered(GAMES["stonks"], Board(board(sitting, seat))))
    assert seen == set(get_args(Move))


def test_controls_and_pieces_have_ids_and_no_id_twice() -> None:
    for sitting in positions():
        if sitting.number % 5 == 0:
            for viewer in (None, 0):
                html = board(sitting, viewer)
                ids = re.findall(r' id="([^"]*)"', html)
                assert len(ids) == len(set(ids))
                assert not re.search(r"<(input type=.(radio|checkbox)|select)(?![^>]* id=)", html)
                assert f"token-{sitting.state.tiles[0].company}" in ids and "player-0" in ids


def test_who_is_not_on_turn_is_offered_nothing() -> None:
    sitting = Sitting("stonks", 4, frozenset(), "waiting").play_on(6)
    (seat,) = sitting.on_turn()
    for viewer in {None, 0, 1, 2, 3} - {seat}:
        html = board(sitting, viewer)
        assert not re.search("<(input|select|button)", html)
        assert f"Waiting for <b>{NAMES[seat]}</b>" in html


def test_cards_that_cannot_be_played_say_why() -> None:
    told = 0
    for sitting in positions():
        if sitting.state.phase != "trick" or not sitting.state.leading:
            continue
        (seat,) = sitting.on_turn()
        quiet = set(sitting.state.players[seat].hand) - cards_open_to(sitting.state, seat)
        html = board(sitting, seat)
        words = f"{data.COMPANIES[sitting.state.leading]} leads and you have it"
        assert html.count(f'title="{words}') == len(quiet)
        assert html.count(f"cannot be played: {words}") == len(quiet)
        told += len(quiet)
    assert told > 100


def test_the_board_shows_no_card_of_others() -> None:
    sitting, other = (Sitting("stonks", 4, frozenset(), "secrets").play_on(6) for _ in range(2))
    for viewer in (None, 0, 1, 2, 3):
        other.state = worlds_of("stonks").another_world(sitting.state, viewer, Random(1))
        assert other.text() != sitting.text()
        assert board(other, viewer) == board(sitting, viewer)
    for seat, player in enumerate(sitting.state.players):
        hand = re.search(r'id="hand".*?</section>', board(sitting, seat), re.S)
        assert hand
        shown = re.findall(r'"k sk [^>]*><b>(\d+)<small[^>]*>(\w+)<', hand[0])
        assert [company + number for number, company in shown] == player.hand
    spectator = board(sitting, None)
    assert "Your hand" not in spectator and "Your portfolio" not in spectator


def test_every_line_of_a_log_is_a_sentence() -> None:
    for seats, options in product(stonks.SEATS, OPTIONS):
        events = events_of(Sitting("stonks", seats, options, f"log {seats}"))
        for viewer, event in product((None, *range(seats)), events):
            if (facts := event.seen_by(viewer)) is not None:
                line = line_of("stonks", facts)
                assert re.fullmatch(r"[A-Z].*[a-zA-Z0-9]\.", line), line
                assert "None" not in line and " ," not in line and " ." not in line, line


def test_the_rules_have_every_section_that_a_question_links_to() -> None:
    html = (ROOT / "templates" / "games" / "stonks" / "rules.html").read_text()
    anchors = set(re.findall(r'call section\("([^"]+)"', html))
    asked = (ROOT / "templates" / "games" / "stonks" / "_ask.html").read_text()
    rules = re.findall(r'^  "\w+": \(.*?(?:view\.tricks|"), (".*), "[^"]*"\),$', asked, re.M)
    linked = {name for rule in rules for name in re.findall(r'"([^"]+)"', rule)}
    assert len(linked) == 5 and linked <= anchors


def test_a_board_is_light_and_so_is_the_sheet_of_the_game() -> None:
    sitting = Sitting("stonks", 5, frozenset(), "light")
    sizes = [
        len(gzip.compress(board(sitting, seat).encode()))
        for _ in sitting.turns(60)
        for seat in sitting.on_turn()[:1]
    ]
    assert max(sizes) < 4_500
    assert "stonks" in SHEETS
    assert len(gzip.compress(SHEET.encode())) < 5_000
