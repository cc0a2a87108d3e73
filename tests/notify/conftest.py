"""What tests of webhooks share."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.support.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A web server of somebody else's."""
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def may_post_here(app: Flask) -> None:
    """Allow the application to post to this machine."""
    app.config["WEBHOOKS"] = "any"
