"""A pytest plugin: notes which lines of `stockpile_web` the tests reach (`./run test --coverage`).

Only the processes of pytest itself are measured. Servers and workers that tests start run as fast
as ever; what is in them is measured where tests call it directly.
"""

import coverage

MEASURED = coverage.Coverage()  # As pyproject.toml says.
MEASURED.start()


def pytest_unconfigure() -> None:
    """Keep what was found beside what the other processes have found."""
    MEASURED.stop()
    MEASURED.save()
