"""A pytest plugin: notes which lines of `stockpile_web` the tests reach (`./run test --coverage`).

To note every line makes Python much slower, and a line need be reached but once. So not measured
are tests on Postgres, which are run on SQLite as well, and random games by the thousand, whose
rules have tests of their own. Nor are servers and workers that tests start as processes.
"""

from collections.abc import Generator

import coverage
import pytest

REPEATING = ("tests/games/test_games.py", "tests/games/test_option_mixes.py", "tests/browser/")
MEASURED = coverage.Coverage()  # As pyproject.toml says.
MEASURED.start()


def is_measured(test: str) -> bool:
    """Tell whether a test reaches lines that no cheaper one reaches."""
    path, _, parameters = test.partition("[")
    return not path.startswith(REPEATING) and "postgres" not in parameters


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Stand back while a test runs that is not measured."""
    if is_measured(item.nodeid):
        return (yield)
    MEASURED.stop()
    try:
        return (yield)
    finally:
        MEASURED.start()


def pytest_unconfigure() -> None:
    """Keep what was found beside what the other processes have found."""
    MEASURED.stop()
    MEASURED.save()
