"""A game is a folder: what all games share names none of them, so a new one changes none of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT
from tests.support.known import known

FOLDERS = ("stockpile_web", "templates", "static", "tests", "bench")
KINDS = {".py", ".html", ".txt", ".css", ".js", ".svg"}

# The product is called like its first game; these are its own names, and what hosts have stored by
# them. Whatever else says the word means the game.
PRODUCT = re.compile(
    r"stockpile[-_ ]web|stockpile <span>web|stockpile_bot|stockpile_instance"
    r"|stockpile\.(db|hand_over)|stockpile[-_](live|response-cache|silence)|\"stockpile (?={what})"
    r"|short_name=\"stockpile\"|password = \"stockpile\"",
    re.IGNORECASE,
)

LIST_OF_GAMES = "stockpile_web/games/__init__.py"


def is_own(path: str) -> bool:
    """Tell whether a file lies in a folder of one game: games/<game>/, wherever that is."""
    return any(f"games/{slug}/" in path for slug in GAMES)


def is_test_of_the_site(path: str) -> bool:
    """Tell whether it is a test that is played at a table of some game, and may say of which.

    A further game does not change it. What tests share, and the tests of all games, name none.
    """
    return bool(re.match(r"tests/(?!games/).*test_\w+\.py$", path))


def shared() -> Iterator[Path]:
    """Yield every file of ours that no game has for itself."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")):
        name = str(path.relative_to(ROOT))
        is_ours = path.suffix in KINDS and "vendor" not in path.parts
        if is_ours and not (is_own(name) or is_test_of_the_site(name) or name == LIST_OF_GAMES):
            yield path


def named_in(line: str, slug: str) -> set[str]:
    """Return the names of a game in a line, and the words of its pieces.

    Parts of longer names are words: there are two in `KeepInvestors` and in `bid_track`.
    """
    line = PRODUCT.sub(" ", line)
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", line)}
    title = GAMES[slug].TITLE.lower()
    titles = {title} if title in line.lower() else set()
    return titles | words & {slug, *known(slug).WORDS.split()}


@pytest.mark.parametrize("slug", GAMES)
def test_no_shared_file_names_a_game_or_its_pieces(slug: str) -> None:
    files = list(shared())
    assert len(files) > 250
    found = {
        f"{path.relative_to(ROOT)}:{number}": sorted(named)
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (named := named_in(line, slug))
    }
    assert found == {}


@pytest.mark.parametrize("slug", GAMES)
def test_the_law_of_names_can_be_broken(slug: str) -> None:
    piece = known(slug).WORDS.split()[0]
    title = GAMES[slug].TITLE
    for line in (f'game="{slug}"', f"The rules of {title}", f"the_{piece}", f".{piece} {{"):
        assert named_in(line, slug), line
    assert not named_in('"Stockpile Web" STOCKPILE_INSTANCE stockpile.db', slug)


def test_every_game_has_the_folders_that_the_recipe_names() -> None:
    for slug in GAMES:
        for name in (
            f"templates/games/{slug}/board.html",
            f"templates/games/{slug}/log.html",
            f"templates/games/{slug}/ask.txt",
            f"templates/games/{slug}/rules.html",
            f"templates/games/{slug}/summary.html",
            f"tests/games/{slug}/known.py",
            f"tests/games/{slug}/worlds.py",
            f"docs/rulings/{slug}.md",
        ):
            assert (ROOT / name).exists(), name
    assert (ROOT / "templates" / "games" / next(iter(GAMES)) / "front.html").exists()
