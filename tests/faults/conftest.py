"""A site whose cookies travel by http, as those of the servers that are tried here.

FAULT_RUNS=20 has each test run so many times in a row: what fails once in a while is found.
"""

import os
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from tests.support import pgtest
from tests.support.faults import BY_HTTP
from tests.support.postbox import Postbox


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test as often as was asked for."""
    runs = int(os.environ.get("FAULT_RUNS", "1"))
    if runs > 1:
        metafunc.fixturenames.append("fault_run")
        metafunc.parametrize("fault_run", range(1, runs + 1))


@pytest.fixture
def mortal(postgres: pgtest.Server) -> Iterator[pgtest.Server]:
    """A Postgres that a test may stop or change: not the one of all others."""
    with pgtest.server() as server:
        yield server


@pytest.fixture
def site(make_app: Callable[..., Flask], postbox: Postbox) -> Flask:
    """An application that sends its mails to `postbox`."""
    return make_app(**postbox.settings() | BY_HTTP)
