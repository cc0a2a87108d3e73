"""The look: colours one can read, icons that exist, and every legal move on the board itself."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from flask.testing import FlaskClient

from stockpile_web.games import GAMES, stockpile
from stockpile_web.games.stockpile import data
from stockpile_web.games.stockpile.moves import Done, Move, Place, TakeIncome
from stockpile_web.games.stockpile.phases import PHASES
from stockpile_web.settings import ROOT
from stockpile_web.words.events import log_templates
from tests.games.stockpile.table import begin, table
from tests.support.clicking import Board
from tests.support.looking import NAMES, board, contrast, environment, events_of, line_of, offered
from tests.support.random_play import Sitting

SHEETS = ("site", "table", "stockpile")  # Of a table; other pages have pages.css besides.
STYLE = "".join((ROOT / "static" / f"{name}.css").read_text() for name in SHEETS)
SPRITE = (ROOT / "static" / "icons.svg").read_text()
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", re.S)
PRINT = re.compile(r"@media print \{.*?\n\}", re.S)
OF_OLDER_RULES = re.compile(r"log_version_\d+\.html")  # What no longer happens, for old matches.
OPTIONS: list[frozenset[str]] = [frozenset(), frozenset({"advanced_board"})]
EVERYTHING = frozenset(option.key for option in stockpile.OPTIONS)
MIXES = [
    EVERYTHING,
    EVERYTHING - {"investor_bidding", "named_strategies", "commodities"},
    frozenset({"investors", "promo_investors", "first_player_card"}),
    frozenset({"strategies", "bonds", "forecast_dice"}),
]

TEXT_ON = [
    ("--ink", "--paper"), ("--ink", "--sheet"), ("--ink", "--felt"), ("--ink", "--bad"),
    ("--soft", "--paper"), ("--soft", "--sheet"), ("--soft", "--felt"),
    ("--on-mark", "--mark"), ("--on-mark", "--alive"), ("--on-pick", "--pick"),
    ("--on-back", "--back"), ("--up", "--paper"), ("--down", "--paper"), ("--down", "--sheet"),
]  # fmt: skip


def positions() -> Iterator[Sitting]:
    """Yield sittings of every size in every phase, standing still while they are looked at."""
    for seats, options in product(stockpile.SEATS, [*OPTIONS, EVERYTHING]):
        sitting = Sitting("stockpile", seats, options, f"look {seats} {len(options)}")
        for _ in sitting.turns():
            yield sitting


def colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{3,6});", css))


def theme(name: str) -> dict[str, str]:
    """Return the colour variables of a theme: dark ones stand in blocks of their own."""
    screen = PRINT.sub("", STYLE)
    dark = "".join(DARK.findall(screen))
    light = DARK.sub("", screen)
    blocks = {"light": [light], "dark": [light, dark]}[name]
    found: dict[str, str] = {}
    for block in blocks:
        for root in re.findall(r":root \{(.*?)\}", block, re.S):
            found |= colours(root)
        rules = re.findall(r"\.(AA|BB|CC|EE|LL|SS|p\d) \{ ([^}]*)\}", block)
        for piece, rule in rules:
            found |= {f"{piece} {key}": value for key, value in colours(rule).items()}
        for on in re.findall(r"\.LL, \.SS \{ --on: (#\w+);", block):
            found["--on"] = on
    return found


def test_contrast_is_measured_as_the_guidelines_say() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_all_text_can_be_read_on_its_ground(name: str) -> None:
    found = theme(name)
    pairs = [(found[text], found[ground]) for text, ground in TEXT_ON]
    pairs += [(found["--on"], found[f"{company} --c"]) for company in data.COMPANIES]
    pairs += [(found["--no"], found[f"p{seat} --p"]) for seat in range(5)]
    for text, ground in pairs:
        assert contrast(text, ground) >= 4.5, f"{text} on {ground}"


def test_the_themes_differ() -> None:
    light, dark = theme("light"), theme("dark")
    assert light.keys() == dark.keys()
    assert all(light[f"{company} --c"] != dark[f"{company} --c"] for company in data.COMPANIES)


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


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_a_style_or_a_script_in_it(path: Path) -> None:
    html = path.read_text()
    assert not re.search(r"\bstyle=|<style|\bon[a-z]+=\"|hx-on|javascript:", html)
    for script in re.findall(r"<script[^>]*>.*?</script>", html, re.S):
        assert re.fullmatch(r'<script defer src="[^"]+"></script>', script)


def test_every_legal_move_is_a_control_on_the_board() -> None:
    seen = set()
    for sitting in positions():
        if sitting.number % 3:
            continue
        for seat in sitting.on_turn():
            moves = stockpile.legal(sitting.state, seat)
            seen.add(type(moves[0]))
            assert set(moves) == set(offered(stockpile, Board(board(sitting, seat))))
    assert len(seen) >= 5


def test_every_move_of_the_modules_is_a_control_too() -> None:
    seen: Counter[type] = Counter()
    for seats, options, seed in product((2, 4, 5), MIXES, range(4)):
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


@pytest.mark.parametrize("slug", GAMES)
def test_names_that_people_choose_are_escaped(slug: str) -> None:
    sitting = Sitting(slug, 2, frozenset(), "names")
    NAMES[0], plain = "<x>&", NAMES[0]
    try:
        for turn in sitting.turns(30):
            since = [facts for event in turn.events if (facts := event.seen_by(1)) is not None]
            html = board(sitting, 1, since)
            assert "<x>" not in html and "&lt;x&gt;&amp;" in html
    finally:
        NAMES[0] = plain


def test_the_rules_have_every_anchor_that_pages_link_to() -> None:
    html = (ROOT / "templates" / "games" / "stockpile" / "rules.html").read_text()
    anchors = set(re.findall(r'<h2 id="([^"]+)"', html))
    phases = {"supply", "demand", "action", "selling", "dividends", "game-end"}
    extra = {"setup", "information", "movement", "splits", "bankruptcy", "round-end"}
    assert anchors >= phases | extra | {"two-players"}
    modules = {option.key.replace("_", "-") for option in stockpile.OPTIONS}
    assert anchors >= modules - {"named-strategies", "epic-investors", "promo-investors"}
    asked = (ROOT / "templates" / "games" / "stockpile" / "_ask.html").read_text()
    linked = re.findall(r'^  "(\w+)": \("[^"]*", "([^"]*)", ', asked, re.M)
    assert anchors >= {anchor for _, anchor in linked}
    silent = {"outlook", "information", "movement", "interest", "round_end"}
    assert {phase for phase, _ in linked} >= PHASES.keys() - silent - {"after_selling"}
    assert set(re.findall(r'href="#([^"]+)"', html)) <= anchors


@pytest.mark.parametrize(("options", "most"), [(frozenset(), 3_500), (EVERYTHING, 4_500)])
def test_a_board_is_light(options: frozenset[str], most: int) -> None:
    sitting = Sitting("stockpile", 5, options, "light")
    sizes = [
        len(gzip.compress(board(sitting, seat).encode()))
        for _ in sitting.turns(60)
        for seat in sitting.on_turn()[:1]
    ]
    assert max(sizes) < most


def test_the_static_files_of_a_first_load_are_light() -> None:
    pages = [ROOT / "templates" / name for name in ("base.html", "table/page.html")]
    scripts = re.findall(r"filename='([^']+\.js)'", "".join(page.read_text() for page in pages))
    names = [*scripts, *(f"{sheet}.css" for sheet in SHEETS), "icons.svg"]
    assert len(names) <= 10  # With the page of the table itself, eleven requests.
    files = [(ROOT / "static" / name).read_bytes() for name in names]
    assert sum(len(gzip.compress(file)) for file in files) < 50_000


def sheets_of(html: str) -> list[str]:
    return re.findall(r'<link rel="stylesheet" href="/static/(\w+)\.css', html)


def test_a_page_loads_the_style_sheets_that_it_needs_and_no_others(client: FlaskClient) -> None:
    assert sheets_of(client.get("/").text) == ["site", "pages", "table", "stockpile"]
    for address in ("/sign-in", "/tables/listed", "/nowhere"):
        assert sheets_of(client.get(address).text) == ["site", "pages"]
    for game in GAMES:
        assert sheets_of(client.get(f"/rules/{game}").text) == ["site", "pages", "table", game]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "static").glob("*.css")), ids=lambda path: path.name
)
def test_every_class_that_a_style_sheet_names_is_on_some_page(path: Path) -> None:
    css = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", path.read_text(), flags=re.S)
    numbered = r"(p|s|i|icons)\d+"  # Written as p{{ seat }}.
    pages = [
        template for template in TEMPLATES if path.stem not in GAMES or is_of(path.stem, template)
    ]
    scripts = [] if path.stem in GAMES else [*(ROOT / "static").glob("*.js")]
    words = set(re.findall(r"[\w-]+", "".join(page.read_text() for page in [*pages, *scripts])))
    words |= {*PHASES, "htmx-request"}
    found = set(re.findall(r"\.([a-zA-Z][\w-]*)", css))
    assert {name for name in found if not re.fullmatch(numbered, name)} <= words


def is_of(game: str, template: Path) -> bool:
    """Tell whether a page shows something of a game, alone or with others."""
    return template.parent.name in (game, "table") or template.name == "home.html"


def test_every_template_is_used() -> None:
    files = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    code = "".join(path.read_text() for path in (ROOT / "stockpile_web").rglob("*.py"))
    text = code + "".join(path.read_text() for path in files)
    text += str([f'"{name}"' for game in GAMES for name in log_templates(game)])
    for path in files:
        name = str(path.relative_to(ROOT / "templates"))
        # Of a game's pages some are named by the last word alone: "games/" ~ game ~ "/board.html".
        ending = f"/{path.name}" if name.startswith("games/") else name
        assert f'"{name}"' in text or f'{ending}"' in text, name


def test_every_macro_is_used() -> None:
    files = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    code = "".join(path.read_text() for path in (ROOT / "stockpile_web").rglob("*.py"))
    text = code + "".join(path.read_text() for path in files)
    old = "".join(path.read_text() for path in files if OF_OLDER_RULES.match(path.name))
    for name in set(re.findall(r"macro (\w+)\(", text)) - set(re.findall(r"macro (\w+)\(", old)):
        assert len(re.findall(rf"\b{name}\b", text)) > 1, name
