"""A site whose cookies travel by http, as those of the servers that are tried here."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.support.faults import BY_HTTP
from tests.support.postbox import Postbox


@pytest.fixture
def site(make_app: Callable[..., Flask], postbox: Postbox) -> Flask:
    """An application that sends its mails to `postbox`."""
    return make_app(**postbox.settings() | BY_HTTP)
