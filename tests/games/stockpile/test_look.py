"""The look of Stockpile: colours one can read, icons that exist, every legal move on the board."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile import data
from stockpile_web.games.stockpile.moves import Done, Move, Place, TakeIncome
from stockpile_web.games.stockpile.phases import PHASES
from stockpile_web.settings import ROOT
from tests.games.stockpile.table import begin, table
from tests.support.clicking import Board
from tests.support.looking import (
    NAMES,
    board,
    colours,
    contrast,
    environment,
    events_of,
    line_of,
    offered,
    theme_of,
)
from tests.support.random_play import Sitting

OWN = ROOT / "static" / "games" / "stockpile"
SPRITE = (OWN / "icons.svg").read_text()
OF_OLDER_RULES = re.compile(r"log_version_\d+\.html")  # What no longer happens, for old matches.
OPTIONS: list[frozenset[str]] = [frozenset(), frozenset({"advanced_board"})]
EVERYTHING = frozenset(option.key for option in stockpile.OPTIONS)
MIXES = [
    EVERYTHING,
    EVERYTHING - {"investor_bidding", "named_strategies", "commodities"},
    frozenset({"investors", "promo_investors", "first_player_card"}),
    frozenset({"strategies", "bonds", "forecast_dice"}),
]


def positions() -> Iterator[Sitting]:
    """Yield sittings of every size in every phase, standing still while they are looked at."""
    for seats, options in product(stockpile.SEATS, [*OPTIONS, EVERYTHING]):
        sitting = Sitting("stockpile", seats, options, f"look {seats} {len(options)}")
        for _ in sitting.turns():
            yield sitting


def theme(name: str) -> dict[str, str]:
    """Return the colour of each company in a theme, and of what is written on it."""
    found: dict[str, str] = {}
    for block in theme_of((OWN / "board.css").read_text(), name):
        for company, rule in re.findall(r"\.([A-Z]{2}) \{ (--c: [^}]*)\}", block):
            found[company] = colours(rule)["--c"]
        for on in re.findall(r"\.LL, \.SS \{ --on: (#\w+);", block):
            found["on"] = on
    return found


@pytest.mark.parametrize("name", ["light", "dark"])
def test_all_text_can_be_read_on_its_company(name: str) -> None:
    found = theme(name)
    for company in data.COMPANIES:
        assert contrast(found["on"], found[company]) >= 4.5, company


def test_the_themes_differ() -> None:
    light, dark = theme("light"), theme("dark")
    assert all(light[company] != dark[company] for company in data.COMPANIES)


def test_templates_name_every_company_and_card() -> None:
    words = environment().get_template("games/stockpile/_names.html").module
    assert words.COMPANY == data.COMPANIES
    cards = {**data.MARKET_DECK, **data.COMMERCE_DECK, data.FIRST_CARD: 1}
    assert words.CARD.keys() == cards.keys()
    for names, printed in ((words.INVESTOR, data.INVESTORS), (words.STRATEGY, data.STRATEGIES)):
        assert names.keys() == printed.keys()
        assert all(names[key] == printed[key].name for key in names)
    assert [words.CARD[fee] for fee in data.FEES] == [
        f"${amount}K Trading Fee" for amount in data.FEES.values()
    ]


def test_every_track_is_drawn_with_its_own_values() -> None:
    for tracks in data.BOARDS.values():
        for track in tracks.values():
            name = "t" + "-".join(map(str, track.values))
            drawn = re.search(rf'id="{name}".*?</symbol>', SPRITE, re.S)
            assert drawn, name
            texts = re.findall(r"<text[^>]*>([^<]+)", drawn[0])
            assert texts == [*map(str, track.values), *["$"] * len(track.dollars), "×2"]


def test_the_sprite_has_the_icons_that_boards_use_and_no_others() -> None:
    there = set(re.findall(r'<symbol id="([^"]+)"', SPRITE))
    used = set()
    for sitting in positions():
        if sitting.number % 7 == 0:
            used |= set(re.findall(r"icons\.svg#([\w-]+)", board(sitting, 0)))
    assert used | set(data.INVESTORS) == there  # Not everybody comes to every game.


def test_every_investor_has_a_portrait_unlike_the_others() -> None:
    drawn = dict(re.findall(r'<symbol id="([a-z]+)" [^>]*>(.*?)</symbol>', SPRITE))
    portraits = [drawn[key] for key in data.INVESTORS]
    assert len(portraits) == len(set(portraits)) == 26


def test_every_legal_move_is_a_control_on_the_board() -> None:
    seen = set()
    for sitting in positions():
        if sitting.number % 8:
            continue
        for seat in sitting.on_turn():
            moves = stockpile.legal(sitting.state, seat)
            seen.add(type(moves[0]))
            assert set(moves) == set(offered(stockpile, Board(board(sitting, seat))))
    assert len(seen) >= 5


def test_every_move_of_the_modules_is_a_control_too() -> None:
    seen: Counter[type] = Counter()
    for seats, options, seed in product((2, 4, 5), MIXES, range(3)):
        sitting = Sitting("stockpile", seats, options, f"modules {seed}")
        while waiting := sitting.on_turn():
            for seat in waiting:
                moves = stockpile.legal(sitting.state, seat)
                kinds = {type(move) for move in moves}
                if min(seen[kind] for kind in kinds) < 25:
                    seen.update(kinds)
                    assert set(moves) == set(offered(stockpile, Board(board(sitting, seat))))
            sitting.step()
    assert set(seen) >= set(get_args(Move)) - {TakeIncome}  # It takes two rare investors at once.


@pytest.mark.parametrize("cash", [0, 1, 5])
@pytest.mark.parametrize("other", ["ana", "deborah", "oprah", "sanders"])
def test_whoever_has_two_powers_at_the_round_end_finds_both_on_the_board(
    other: str, cash: int
) -> None:
    state = table(
        2,
        modules="commodities",
        investors={0: f"dangote {other}"},
        goods={0: "gold"},
        shares={0: "EE AA"},
        cash={0: cash},
    )
    begin(state, "interest")
    sitting = Sitting("stockpile", 2, frozenset(), "two powers")
    sitting.state = state
    moves = stockpile.legal(state, 0)
    assert TakeIncome() in moves
    assert set(moves) == set(offered(stockpile, Board(board(sitting, 0))))


def test_controls_and_pieces_have_ids_and_no_id_twice() -> None:
    for sitting in positions():
        if sitting.number % 5 == 0:
            for viewer in (None, 0):
                html = board(sitting, viewer)
                ids = re.findall(r' id="([^"]*)"', html)
                assert len(ids) == len(set(ids))
                assert not re.search(r"<(input type=.(radio|checkbox)|select)(?![^>]* id=)", html)
                assert "ticker-CC" in ids and "player-0" in ids


def test_who_is_not_on_turn_is_offered_nothing() -> None:
    sitting = Sitting("stockpile", 3, frozenset(), "waiting")
    (seat,) = sitting.on_turn()
    others = [viewer for viewer in (None, 0, 1, 2) if viewer != seat]
    for viewer in others:
        html = board(sitting, viewer)
        assert not re.search("<(input|select|button)", html)
        assert f"Waiting for <b>{NAMES[seat]}</b>" in html


def test_equal_cards_are_laid_without_a_choice_between_them() -> None:
    sitting = Sitting("stockpile", 4, frozenset(), "twins")
    (seat,) = sitting.on_turn()
    sitting.state.players[seat].hand = ["CC", "CC"]
    form = Board(board(sitting, seat))
    assert len(form.named("part.cards")[0].choices) == 1
    assert Place("CC", 0, "CC", 3) in offered(stockpile, form)
    assert Done() not in offered(stockpile, form)


def test_every_line_of_a_log_is_a_sentence() -> None:
    for seats, options in product(stockpile.SEATS, [*OPTIONS, *MIXES]):
        sitting = Sitting("stockpile", seats, options, f"log {seats}")
        events = events_of(sitting)
        for viewer in (None, *range(seats)):
            for event in events:
                facts = event.seen_by(viewer)
                if facts is not None:
                    line = line_of("stockpile", facts)
                    assert re.fullmatch(r"[A-Z].*[a-zA-Z0-9$)+]\.", line), line
                    assert "None" not in line and " ," not in line and " ." not in line, line


def test_a_pile_is_told_in_one_breath() -> None:
    facts = {"kind": "pile_won", "seat": 0, "pile": 1, "money": -3}
    cards = ["EE", "LL", "AA"]
    told = line_of("stockpile", {**facts, "cards": cards, "hidden_count": 1})
    assert told == (
        "Ann takes pile 2 for $3K: Epic Electric, Leading Laboratories, American Automotive"
        " and 1 face-down card."
    )
    told = line_of(
        "stockpile", {**facts, "cards": ["EE"], "hidden_count": 2, "hidden": ["boom", "fee1"]}
    )
    assert told.endswith(": Epic Electric and 2 face-down cards (Stock Boom and $1K Trading Fee).")
    told = line_of("stockpile", {**facts, "cards": [], "hidden_count": 1})
    assert told == "Ann takes pile 2 for $3K: 1 face-down card."


def test_every_kind_of_event_has_words_and_no_others_do() -> None:
    sources = [path.read_text() for path in Path(stockpile.__file__).parent.rglob("*.py")]
    to = r"(?:\[seat\],\s*|seat, |state, seat, dealer, )?"
    told = rf'(?:announce|turn_up|reveal|whisper|tell)\(\s*{to}"(\w+)"'
    kinds = {kind for source in sources for kind in re.findall(told, source)}
    kinds |= {"sold", "split_sold", "half_sold"}  # Told by one line of code for all three.
    logs = (ROOT / "templates" / "games" / "stockpile").glob("log*.html")
    words = "".join(path.read_text() for path in logs if not OF_OLDER_RULES.match(path.name))
    assert set(re.findall(r"macro ([a-z]\w+)\(e", words)) == kinds


def test_a_side_says_what_its_forecasts_are() -> None:
    sitting = Sitting("stockpile", 3, frozenset(), "tips")
    for viewer in (None, 0):
        assert "the market moves as these cards say" in board(sitting, viewer)
    assert "your tip" in board(sitting, 0) and "your tip" not in board(sitting, None)


def test_the_rules_have_every_anchor_that_pages_link_to() -> None:
    html = (ROOT / "templates" / "games" / "stockpile" / "rules.html").read_text()
    anchors = set(re.findall(r'call section\("([^"]+)"', html))
    phases = {"supply", "demand", "action", "selling", "dividends", "game-end"}
    extra = {"setup", "information", "movement", "splits", "bankruptcy", "round-end"}
    assert anchors >= phases | extra | {"two-players"}
    modules = {option.key.replace("_", "-") for option in stockpile.OPTIONS}
    assert anchors >= modules - {"named-strategies", "epic-investors", "promo-investors"}
    asked = (ROOT / "templates" / "games" / "stockpile" / "_ask.html").read_text()
    linked = re.findall(r'^  "(\w+)": \("([^"]*)", ', asked, re.M)
    assert anchors >= {anchor for _, anchor in linked}
    silent = {"outlook", "information", "movement", "interest", "round_end"}
    assert {phase for phase, _ in linked} >= PHASES.keys() - silent - {"after_selling"}
    assert stockpile.PHASES.keys() >= {phase for phase, _ in linked} - {"dividend"}
    assert set(re.findall(r'see\("([^"]+)"', html)) <= anchors


@pytest.mark.parametrize(("options", "most"), [(frozenset(), 3_500), (EVERYTHING, 4_500)])
def test_a_board_is_light(options: frozenset[str], most: int) -> None:
    sitting = Sitting("stockpile", 5, options, "light")
    sizes = [
        len(gzip.compress(board(sitting, seat).encode()))
        for _ in sitting.turns(60)
        for seat in sitting.on_turn()[:1]
    ]
    assert max(sizes) < most
