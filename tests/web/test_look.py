"""The look of every page: colours one can read, sheets that are used, and little to load."""

import gzip
import mimetypes
import re
from collections import Counter
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT
from stockpile_web.web.filters import SHEETS
from stockpile_web.web.http_cache import without_comments
from stockpile_web.words.events import log_templates
from tests.support.looking import NAMES, board, colours, contrast, theme_of
from tests.support.random_play import Sitting

STATIC = ROOT / "static"
SHARED = ("site", "table")  # On every table; other pages have pages.css besides.
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OF_OLDER_RULES = re.compile(r"log_version_\d+\.html")  # What no longer happens, for old matches.

TEXT_ON = [
    ("--ink", "--paper"), ("--ink", "--sheet"), ("--ink", "--felt"), ("--ink", "--bad"),
    ("--soft", "--paper"), ("--soft", "--sheet"), ("--soft", "--felt"),
    ("--on-mark", "--mark"), ("--on-mark", "--alive"), ("--on-pick", "--pick"),
    ("--on-back", "--back"), ("--up", "--paper"), ("--down", "--paper"), ("--down", "--sheet"),
]  # fmt: skip


def theme(name: str) -> dict[str, str]:
    """Return the colour variables of a theme, and those of each seat."""
    found: dict[str, str] = {}
    for block in theme_of("".join((STATIC / f"{one}.css").read_text() for one in SHARED), name):
        for root in re.findall(r":root \{(.*?)\}", block, re.S):
            found |= colours(root)
        for seat, rule in re.findall(r"\.(p\d) \{ ([^}]*)\}", block):
            found |= {f"{seat} {key}": value for key, value in colours(rule).items()}
    return found


def test_contrast_is_measured_as_the_guidelines_say() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_all_text_can_be_read_on_its_ground(name: str) -> None:
    found = theme(name)
    pairs = [(found[text], found[ground]) for text, ground in TEXT_ON]
    pairs += [(found["--no"], found[f"p{seat} --p"]) for seat in range(5)]
    for text, ground in pairs:
        assert contrast(text, ground) >= 4.5, f"{text} on {ground}"


def test_the_themes_differ() -> None:
    light, dark = theme("light"), theme("dark")
    assert light.keys() == dark.keys()
    assert all(light[f"p{seat} --p"] != dark[f"p{seat} --p"] for seat in range(5))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_a_style_or_a_script_in_it(path: Path) -> None:
    html = path.read_text()
    assert not re.search(r"\bstyle=|<style|\bon[a-z]+=\"|hx-on|javascript:", html)
    for script in re.findall(r"<script[^>]*>.*?</script>", html, re.S):
        assert re.fullmatch(r'<script defer src="[^"]+"></script>', script)


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


@pytest.mark.parametrize("game", GAMES)
def test_the_static_files_of_a_first_load_are_light(game: str) -> None:
    pages = [ROOT / "templates" / name for name in ("base.html", "table/page.html")]
    scripts = re.findall(r"filename='([^']+\.js)'", "".join(page.read_text() for page in pages))
    shared = [STATIC / name for name in [*scripts, *(f"{sheet}.css" for sheet in SHARED)]]
    # What the guide marks is loaded at practice tables alone.
    own = [path for path in (STATIC / "games" / game).glob("*") if path.name != "guide.css"]
    files = [*shared, *own]
    assert len(files) <= 10  # With the page of the table itself, eleven requests.
    assert sum(map(weight, files)) < 50_000


def weight(file: Path) -> int:
    """Return the bytes in which a file travels."""
    kind = mimetypes.guess_type(file.name)[0] or ""
    return len(gzip.compress(without_comments(file.read_bytes(), kind)))


def test_comments_stay_at_home_and_all_else_travels() -> None:
    script = b'// One.\nlet a = "// x"; // Two.\n  // Three.\n"http://y";\n'
    left = b'let a = "// x"; // Two.\n"http://y";\n'
    assert without_comments(script, "text/javascript") == left
    assert without_comments(b"/* One.\n*/\na { b: c }", "text/css") == b"a { b: c }"
    assert without_comments(b"// <", "image/svg+xml") == b"// <"
    # Inside of backquotes such a line would be no comment.
    texts = [file.read_text() for file in STATIC.glob("*.js")]
    quoted = [part for text in texts for part in text.split("`")[1::2]]
    assert quoted and not any("\n" in part for part in quoted)


def sheets_of(html: str) -> list[str]:
    return re.findall(r'<link rel="stylesheet" href="/static/([\w/]+)\.css', html)


def test_a_page_loads_the_style_sheets_that_it_needs_and_no_others(client: FlaskClient) -> None:
    first = next(iter(GAMES))
    assert sheets_of(client.get("/").text) == ["site", "pages", "table", f"games/{first}/board"]
    for address in ("/sign-in", "/tables/listed", "/nowhere"):
        assert sheets_of(client.get(address).text) == ["site", "pages"]
    for game in GAMES:
        own = [f"games/{game}/board"] if game in SHEETS else []
        assert sheets_of(client.get(f"/rules/{game}").text) == ["site", "pages", "table", *own]


@pytest.mark.parametrize(
    "path", sorted(STATIC.rglob("*.css")), ids=lambda path: str(path.relative_to(STATIC))
)
def test_every_class_that_a_style_sheet_names_is_on_some_page(path: Path) -> None:
    css = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", path.read_text(), flags=re.S)
    numbered = r"(p|s|i|icons)\d+"  # Written as p{{ seat }}.
    game = path.parent.name if path.parent.name in GAMES else ""
    pages = [template for template in TEMPLATES if not game or is_of(game, template)]
    scripts = [] if game else [*STATIC.glob("*.js")]
    words = set(re.findall(r"[\w-]+", "".join(page.read_text() for page in [*pages, *scripts])))
    found = set(re.findall(r"\.([a-zA-Z][\w-]*)", css))
    assert {name for name in found if not re.fullmatch(numbered, name)} <= words | {"htmx-request"}


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
    words = Counter(re.findall(r"\w+", text))
    for name in set(re.findall(r"macro (\w+)\(", text)) - set(re.findall(r"macro (\w+)\(", old)):
        assert words[name] > 1, name
