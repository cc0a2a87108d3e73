"""Matches whose state the rules of today may not be able to carry on.

A state of an older version is carried on by the game's own upgrades (`UPGRADES`). Where there is
none the match is held: nothing is played or shown that the rules of today might misread. What can
be done about one that is held, or cannot be read at all, is in `broken.py`.
"""

from typing import Any

from stockpile_web.engine import Game, codec


class Unplayable(Exception):
    """A match can be neither played nor shown."""

    title: str  # Of its game.


class Broken(Unplayable):
    """The state of a match cannot be read. Why is told by its kind alone: words may hold cards."""

    def __init__(self, title: str, error: Exception) -> None:
        self.title = title
        super().__init__(f"a state of {title} that cannot be read ({type(error).__name__})")


class Held(Unplayable):
    """This match cannot be carried on by the rules that this server has."""

    def __init__(self, title: str, version: int, ours: int) -> None:
        self.title = title
        words = f"begun under version {version} of the rules of {title}; this server has {ours}"
        super().__init__(words)


def load_state(game: Game, text: str, version: int) -> Any:
    """Read a state that was written by `version` of a game, as one of today's."""
    if version != game.VERSION and not can_be_carried_on(game, version):
        raise Held(game.TITLE, version, game.VERSION)
    try:
        if version != game.VERSION:
            text = _upgraded(game, text, version)
        return codec.load(game.State, text)
    except Exception as error:  # noqa: BLE001 (an upgrade may stumble over anything)
        raise Broken(game.TITLE, error) from None


def can_be_carried_on(game: Game, version: int) -> bool:
    """Tell whether today's rules can go on from a state of this version."""
    return version <= game.VERSION and all(
        step in game.UPGRADES for step in range(version, game.VERSION)
    )


def _upgraded(game: Game, text: str, version: int) -> str:
    plain: dict[str, Any] = codec.load(dict[str, Any], text)
    for step in range(version, game.VERSION):
        plain = game.UPGRADES[step](plain)
    return codec.dump(plain)
