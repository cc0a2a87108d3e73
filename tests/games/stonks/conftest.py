"""What tests of $TONKS$ on the site share."""

from random import Random
from types import SimpleNamespace

import pytest

from stockpile_web.match import moves


@pytest.fixture
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every match that is started be dealt alike, to the same seats."""
    fixed = SimpleNamespace(token_hex=lambda _: "1", SystemRandom=lambda: Random(1))
    monkeypatch.setattr(moves, "secrets", fixed)
