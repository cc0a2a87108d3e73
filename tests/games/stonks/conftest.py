"""What tests of $TONKS$ on the site share."""

import pytest

from tests.support.people import choose_the_deal


@pytest.fixture
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every match that is started be dealt alike, to the same seats."""
    choose_the_deal(monkeypatch, 1)
