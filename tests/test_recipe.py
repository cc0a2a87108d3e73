"""The recipe for a game is complete: what is made by it is tested, played and looked at."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stockpile_web.settings import ROOT

SLUG = "decimo"  # The toy by another name: "tens" is in many a word.
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "instance", "__pycache__", ".*_cache")
TOY = ROOT / "tests" / "support" / "toy"
RULES = ("__init__", "board", "bots", "data", "moves", "odds", "orders", "state", "story")
# All that comes free for a game.
FREE = (
    "tests/games", "tests/test_house_laws_shared.py", "tests/test_demo.py",
    "tests/web/test_look.py", "tests/web/test_bytes.py", "tests/browser/test_axe.py",
    "tests/browser/test_phone.py", "tests/browser/test_one_screen.py",
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of everything, with one game more: in its folders, and a line in the list of games."""
    site = tmp_path / "site"
    shutil.copytree(ROOT, site, ignore=NOT_COPIED)
    for folder in ("stockpile_web", "templates", "tests"):
        (site / folder / "games" / SLUG).mkdir(parents=True, exist_ok=True)
    for name in RULES:
        _copy(TOY / f"{name}.py", site / "stockpile_web" / "games" / SLUG)
    for path in (TOY / "templates" / "games" / "tens").iterdir():
        _copy(path, site / "templates" / "games" / SLUG)
    for path in (ROOT / "tests" / "games" / "tens").glob("*.py"):
        _copy(path, site / "tests" / "games" / SLUG)
    listed = site / "stockpile_web" / "games" / "__init__.py"
    text = listed.read_text()
    text = text.replace("games import ", f"games import {SLUG}, ")
    text = text.replace("\nGAMES = Games(", f"\nTOY: Game = {SLUG}\n\nGAMES = Games(")
    listed.write_text(text.replace("\n)\n", f"\n    {SLUG}=TOY,\n)\n"))
    return site


def _copy(path: Path, folder: Path) -> None:
    text = path.read_text().replace("tests.support.toy", f"stockpile_web.games.{SLUG}")
    text = text.replace("games/tens/", f"games/{SLUG}/").replace(
        'WORDS = "tens"', f'WORDS = "{SLUG}"'
    )
    (folder / path.name).write_text(text.replace('TITLE = "Tens"', 'TITLE = "Decimo"'))


@pytest.mark.long
def test_a_game_made_by_the_recipe_has_all_that_comes_free(site: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", SLUG, *FREE]
    env = {**os.environ, "PYTHONPATH": str(site)}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "COVERAGE_PROCESS_START"):
        env.pop(name, None)
    done = subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-20000:] + done.stderr[-2000:]
    passed = int(done.stdout.rsplit(" passed", 1)[0].rsplit(maxsplit=1)[-1])
    assert passed > 50
