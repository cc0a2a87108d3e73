"""Laws of the house that no linter knows."""

import ast
import re
import sys
from pathlib import Path

import pytest

from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT
from stockpile_web.words.events import log_templates
from tests.support.option_sets import switches
from tests.support.random_play import Sitting
from tests.support.reading import imported, sources

GAMES_FOLDER = ROOT / "stockpile_web" / "games"

# Chance comes from the dealer, and the rules know neither the hour nor the machine.
BARRED = {"datetime", "io", "os", "pathlib", "random", "secrets", "socket", "time", "uuid"}

# Where in its arguments a method of the dealer is given the kind of the event.
TELLERS = {"announce": 0, "turn_up": 0, "reveal": 1, "whisper": 1}


def is_allowed_in(slug: str, name: str) -> bool:
    """Say whether a game's file may import `name`."""
    if name.startswith("stockpile_web."):
        return name.startswith(("stockpile_web.engine.", f"stockpile_web.games.{slug}.")) or (
            name == f"stockpile_web.games.{slug}"
        )
    first = name.split(".", maxsplit=1)[0]
    return first in sys.stdlib_module_names and first not in BARRED


@pytest.mark.parametrize("slug", GAMES)
def test_rules_import_the_engine_and_their_own_package_alone(slug: str) -> None:
    found = {path: list(imported(path)) for path in (GAMES_FOLDER / slug).rglob("*.py")}
    assert any(found.values())
    for path, names in found.items():
        for name in names:
            assert is_allowed_in(slug, name), f"{path.name} imports {name}"


# The rooms of the house in the order in which they may import each other.
ROOMS = (
    "settings",
    "counters",
    "engine",
    "games",
    "storage",
    "people",
    "live",
    "match",
    "words",
    "notify",
    "upkeep",
    "web",
    "worker",
    "server",
)


def rooms_imported(path: Path) -> set[str]:
    """Return the rooms that a file imports."""
    names = (name.split(".") for name in imported(path))
    return {name[1] for name in names if name[0] == "stockpile_web" and len(name) > 1}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_above_it(room: str) -> None:
    allowed = {*ROOMS[: ROOMS.index(room) + 1]}
    files = sources(f"stockpile_web/{room}") or [ROOT / "stockpile_web" / f"{room}.py"]
    for path in files:
        below = rooms_imported(path) - allowed
        assert not below, f"{path.relative_to(ROOT)} imports {', '.join(sorted(below))}"


def modules_imported(path: Path) -> set[str]:
    """Return our modules that a file loads when it is loaded itself."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            ours = {name for name in full if name in OUR_MODULES}
            found |= ours or {str(node.module)}
    return found & OUR_MODULES.keys()


def named(path: Path) -> str:
    """Return the name of the module in a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


OUR_MODULES = {named(path): path for path in sources("stockpile_web")}


def test_no_module_imports_itself_by_way_of_others() -> None:
    loaded: dict[str, set[str]] = {
        name: modules_imported(path) for name, path in OUR_MODULES.items()
    }
    assert sum(map(len, loaded.values())) > 300
    # Take away what imports nothing that is left, again and again: what remains goes in circles.
    while done := {name for name, needs in loaded.items() if not needs & loaded.keys()}:
        loaded = {name: needs for name, needs in loaded.items() if name not in done}
    assert not loaded


def test_nothing_private_is_imported_from_other_peoples_packages() -> None:
    for path in (
        *sources("stockpile_web", "migrations"),
        ROOT / "wsgi.py",
        ROOT / "gunicorn.conf.py",
    ):
        for name in imported(path):
            is_private = any(part.startswith("_") for part in name.split(".")[1:])
            is_others = not name.startswith("stockpile_web.")
            assert not (is_private and is_others), f"{path.relative_to(ROOT)} imports {name}"


def test_every_module_is_in_a_room() -> None:
    folder = ROOT / "stockpile_web"
    found = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert found - {"__pycache__"} == {*ROOMS, "__init__", "cli", "demo"}


def test_the_engine_knows_no_game() -> None:
    files = sources("stockpile_web/engine")
    assert len(files) > 2
    for path in files:
        ours = [name for name in imported(path) if name.startswith("stockpile_web")]
        assert all(name.startswith("stockpile_web.engine.") for name in ours), path.name


def test_the_law_of_imports_can_be_broken() -> None:
    for name in (
        "random.Random",
        "os",
        "flask.g",
        "stockpile_web.storage.models",
        "stockpile_web.web.auth",
    ):
        assert not is_allowed_in("chess", name)
    assert not is_allowed_in("chess", "stockpile_web.games.draughts.data")
    assert is_allowed_in("chess", "stockpile_web.games.chess.data")
    assert is_allowed_in("chess", "stockpile_web.engine.Dealer")


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    files = sources("stockpile_web", "tests", "bench", "migrations")
    assert len(files) > 20
    for path in files:
        lines = len(path.read_text().splitlines())
        assert lines <= 400, f"{path.relative_to(ROOT)} has {lines} lines"


def test_every_module_says_what_it_is_for() -> None:
    for path in sources("stockpile_web"):
        text = path.read_text()
        assert not text or ast.get_docstring(ast.parse(text)), path.relative_to(ROOT)


def event_kinds(slug: str) -> set[str]:
    """Return the kinds of event that a game's files announce.

    A function with an argument called `kind` passes it on: its callers are asked. What is worked
    out for a board tells nothing.
    """
    files = [
        path
        for path in (GAMES_FOLDER / slug).rglob("*.py")
        if "board" not in (path.parent.name, path.stem)
    ]
    trees = [ast.parse(path.read_text()) for path in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    tellers = dict(TELLERS)
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
            if "kind" in names:
                tellers[node.name] = names.index("kind")
    kinds = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
            place = tellers.get(str(name))
            kind = node.args[place] if place is not None else None
            if isinstance(kind, ast.Constant):
                kinds.add(str(kind.value))
    return kinds


@pytest.mark.parametrize("slug", GAMES)
def test_every_kind_of_event_that_happens_is_found_in_the_source(slug: str) -> None:
    """So that the next test asks for all of them."""
    options = switches(GAMES[slug])
    happened = set()
    for seats in GAMES[slug].SEATS:
        for seed in range(10):
            sitting = Sitting(slug, seats, options, f"kinds {seed}")
            happened |= {event.kind for event in sitting.events}
            happened |= {event.kind for turn in sitting.turns() for event in turn.events}
    assert happened
    assert happened <= event_kinds(slug)


@pytest.mark.parametrize("slug", GAMES)
def test_the_log_has_words_for_every_kind_of_event(slug: str) -> None:
    templates = [(ROOT / "templates" / name).read_text() for name in log_templates(slug)]
    macros = set(re.findall(r"{%-?\s*macro\s+(\w+)", "".join(templates)))
    assert event_kinds(slug) - macros == set()


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.ORDERS])
def test_every_reason_to_ask_in_spite_of_orders_has_words(slug: str) -> None:
    template = (ROOT / "templates" / "games" / slug / "orders.html").read_text()
    macros = set(re.findall(r"{%-?\s*macro\s+(\w+)", template))
    files = [path.read_text() for path in (GAMES_FOLDER / slug).rglob("*.py")]
    reasons = {kind for text in files for kind in re.findall(r'why={"kind": "(\w+)"', text)}
    assert reasons
    assert {"fields", "told", *reasons} - macros == set()


@pytest.mark.parametrize("slug", GAMES)
def test_templates_of_a_game_show_and_do_not_compute(slug: str) -> None:
    """What has to be worked out is in the game's `board`, and a move is written by `as_json`."""
    for path in (ROOT / "templates" / "games" / slug).glob("*.html"):
        text = path.read_text()
        assert '{"' not in re.sub(r"{[{%].*?[}%]}", "", text, flags=re.DOTALL), path.name
        assert "namespace(" not in text, path.name
        if path.name != "_cards.html":  # Drawn once for each process.
            assert "{% set _ =" not in text, path.name
        for before in re.findall(r"(.)\{\{[^}]*(?:\}[^}]+)*\|as_json \}\}", text):
            assert before == "'", path.name  # Where its text is safe.
