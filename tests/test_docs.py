"""What the documents say is true: settings, commands, links, paths, and the code in them."""

import ast
import json
import re
import runpy
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.games import GAMES
from stockpile_web.notify.channels import webhook
from stockpile_web.notify.composing import Item, Message
from stockpile_web.notify.lanes import NEW
from stockpile_web.settings import ROOT, SETTINGS
from stockpile_web.storage.models.notices import EVENTS

DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
ALL = "\n".join(page.read_text() for page in PAGES)
FOLDERS = (
    "bench", "docs", "examples", "hosting", "migrations", "static", "stockpile_web", "templates",
    "tests",
)  # fmt: skip
ROOMS = sorted(path.parent.name for path in (ROOT / "stockpile_web").glob("*/__init__.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
HOSTS = {"127.0.0.1:8000", "api.telegram.org", "play.example.org"}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def rows(page: Path) -> list[list[str]]:
    """Return the cells of all tables of a page that begin with a word of code."""
    lines = re.findall(r"^\| (`.*) \|$", page.read_text(), re.M)
    return [re.split(r" \| ", line) for line in lines]


def spans(page: Path) -> list[str]:
    """Return the words of a page that are set as code, in its text or in blocks."""
    text = page.read_text()
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
    inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [word for code in [*blocks, *inline] for word in code.split()]


def test_every_setting_is_listed_with_its_default_and_what_it_is():
    told = [row for row in rows(DOCS / "settings.md") if len(row) == 3]
    defaults = {one.name: one.default.removeprefix(f"{ROOT}/") for one in SETTINGS}
    shown = {name: f"`{default}`" if default else "empty" for name, default in defaults.items()}
    assert told == [[f"`{one.name}`", shown[one.name], one.help] for one in SETTINGS]


def test_every_value_of_a_setting_that_is_a_choice_is_listed():
    told = {name: values for name, values, *rest in rows(DOCS / "settings.md") if not rest}
    assert told.keys() == {f"`{setting.name}`" for setting in SETTINGS if setting.choices}
    for setting in SETTINGS:
        values = re.findall(r"`(\w+)`", told.get(f"`{setting.name}`", ""))
        assert tuple(values) == setting.choices


def test_every_command_is_told_of_and_no_other():
    commands = {row[0] for row in runpy.run_path(str(ROOT / "run"))["COMMANDS"]}
    assert set(re.findall(r"\./run ([a-z]+(?:-[a-z]+)*)", ALL)) == commands


def test_every_bench_is_told_of_and_no_other():
    benches = {path.stem for path in (ROOT / "bench").rglob("[a-z]*.py")}
    told = (DOCS / "benchmarks.md").read_text()
    assert set(re.findall(r"^\| `\./run bench (\w+)`", told, re.M)) == benches
    assert set(re.findall(r"\./run bench ([a-z]+)", ALL)) == benches


def test_the_readme_names_the_two_commands():
    readme = (ROOT / "README.md").read_text()
    assert "\n./run\n" in readme and "\n./run test\n" in readme


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_the_first_pages_fit_on_one_screen(name):
    assert len((ROOT / name).read_text().splitlines()) <= 60


@each_page
def test_every_link_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        address, _, anchor = link.partition("#")
        if not re.match(r"https?:", address):
            target = (page.parent / address) if address else page
            assert target.exists(), link
            headings = re.findall(r"^#+ (.*)$", target.read_text(), re.M) if anchor else []
            assert not anchor or anchor in [slug(heading) for heading in headings], link


def slug(heading: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@each_page
def test_every_path_that_a_page_names_is_there(page):
    for word in spans(page):
        path = word.rstrip(".,:;)")
        if re.match(rf"(?:{'|'.join(FOLDERS)})/", path):
            assert exists(path), path
        elif re.match(rf"(?:{'|'.join(ROOMS)})/", path):
            assert exists(f"stockpile_web/{path}"), path


def exists(path: str) -> bool:
    """Tell whether there is such a path, for one game at least if it is about any game."""
    ways = [path.replace("<game>", game) for game in GAMES]
    return any(True for way in ways for _ in ROOT.glob(way.rstrip("/")))


@each_page
def test_a_page_names_no_machine_and_no_host_but_examples(page):
    text = page.read_text()
    assert set(re.findall(r"https?://([\w.:-]*\w)", text)) <= HOSTS
    assert not re.search(r"(?<![\w.])/(?:root|home|tmp|work|opt)/", text)


def test_the_picture_is_light_and_is_told_in_words():
    told, name = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", (ROOT / "README.md").read_text())[0]
    assert len(told) > 60
    assert (ROOT / name).stat().st_size <= 250_000


def test_every_room_is_on_the_map():
    told = (DOCS / "architecture.md").read_text()
    assert len(ROOMS) >= 10
    assert not {room for room in ROOMS if f"| `{room}` |" not in told}


@pytest.mark.parametrize("name", [*GAMES, "time", "notices"])
def test_rulings_are_numbered_from_one(name):
    numbers = re.findall(r"^(\d+)\. ", (DOCS / "rulings" / f"{name}.md").read_text(), re.M)
    assert list(map(int, numbers)) == list(range(1, len(numbers) + 1)) != []


def sent_by_webhook(monkeypatch: pytest.MonkeyPatch) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a notice as the real code sends it."""
    sent: list[Any] = []

    def post(_: str, *rest: object) -> str:
        sent.append(rest)
        return "200"

    monkeypatch.setattr(webhook, "post", post)
    item = Item("turn", 7, "Your turn", "It is your turn.", "/table/7", "", [], 0)
    message = Message("Ann", "Your turn", [item], "/table/7", "", "", "key")
    channel: Any = SimpleNamespace(address="https://play.example.org/hook", secret="s3cret")
    user: Any = SimpleNamespace()
    webhook.send(user, channel, message, NEW)
    ((body, headers, _),) = sent
    return body, headers


def code_of(language: str) -> str:
    """Return the code in that language on the page about webhooks."""
    (code,) = re.findall(
        rf"^```{language}\n(.*?)^```", (DOCS / "webhooks.md").read_text(), re.M | re.S
    )
    return str(code)


def test_the_code_for_webhooks_accepts_what_is_sent_and_nothing_else(monkeypatch):
    body, headers = sent_by_webhook(monkeypatch)
    scope: dict[str, Any] = {}
    exec(code_of("python"), scope)
    is_genuine = scope["is_genuine"]
    assert is_genuine("s3cret", headers, body)
    assert not is_genuine("another", headers, body)
    assert not is_genuine("s3cret", headers, body + b" ")
    assert not is_genuine("s3cret", {**headers, "Webhook-Id": "other"}, body)
    monkeypatch.setattr(scope["time"], "time", lambda: float(headers["Webhook-Timestamp"]) + 301)
    assert not is_genuine("s3cret", headers, body)


def test_the_page_about_webhooks_shows_what_is_sent(monkeypatch):
    body, headers = sent_by_webhook(monkeypatch)
    shown, sent = json.loads(code_of("json")), json.loads(body)
    assert shown.keys() == sent.keys()
    assert shown["news"][0].keys() == sent["news"][0].keys()
    told = (DOCS / "webhooks.md").read_text()
    assert all(f"`{name}`" in told for name in [*headers, *EVENTS] if name != "Content-Type")


def test_the_changelog_begins_with_the_version_of_the_project():
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert versions[0] == PROJECT["project"]["version"]


def test_hooks_for_commits_are_local_and_do_what_lint_does():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"repo: (.*)", hooks) == ["local"]
    assert re.findall(r"entry: (.*)", hooks) == ["./run lint"]


def foreign(*paths: Path) -> Iterator[tuple[str, str]]:
    """Yield each package that is neither Python's nor ours, as imported, and who imports it."""
    known = {*sys.stdlib_module_names, *FOLDERS, "wsgi"}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
            for name in names:
                package = name.split(".")[0]
                if package not in known:
                    yield package, str(path.relative_to(ROOT))


def names_of(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~; ]", requirement)[0] for requirement in requirements}


SITE = [
    *ROOT.glob("stockpile_web/**/*.py"), *ROOT.glob("migrations/**/*.py"),
    ROOT / "wsgi.py", ROOT / "gunicorn.conf.py",
]  # fmt: skip
WORKSHOP = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/**/*.py")]


@pytest.mark.parametrize("workshop", [False, True], ids=["site", "tests and bench"])
def test_every_package_that_is_imported_is_declared(workshop):
    declared = names_of(PROJECT["project"]["dependencies"])
    if workshop:
        declared |= names_of(PROJECT["dependency-groups"]["dev"])
    origins = packages_distributions()
    for package, importer in foreign(*(WORKSHOP if workshop else SITE)):
        there = {name.lower().replace("_", "-") for name in origins.get(package, [package])}
        assert there & declared, f"{importer} imports {package}"


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_declared_package_is_locked_within_its_bounds(lock):
    declared = [*PROJECT["project"]["dependencies"]]
    if "dev" in lock:
        declared += PROJECT["dependency-groups"]["dev"]
    pinned = re.findall(r"^([a-z0-9-]+)==([0-9.]+)", (ROOT / lock).read_text(), re.M)
    for requirement in declared:
        (name,) = names_of([requirement])
        versions = [number(version) for package, version in pinned if package == name]
        assert versions, f"{name} is not in {lock}"
        least, most = re.search(r">=([0-9.]+)", requirement), re.search(r"<([0-9.]+)", requirement)
        for version in versions:
            assert not least or number(least[1]) <= version, requirement
            assert not most or version < number(most[1]), requirement


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.strip(".").split(".")))
