"""Matches that were begun under an older version of their rules.

A state of an older version is carried on by the game's own upgrades (`UPGRADES`). Where there is
none the match is held: nothing is played or shown that the rules of today might misread.
"""

from typing import Any

from stockpile_web.engine import Game, codec


class Held(Exception):
    """This match cannot be carried on by the rules that this server has."""

    def __init__(self, title: str, version: int, ours: int) -> None:
        self.title = title
        words = f"begun under version {version} of the rules of {title}; this server has {ours}"
        super().__init__(words)


def load_state(game: Game, text: str, version: int) -> Any:
    """Read a state that was written by `version` of a game, as one of today's."""
    if version != game.VERSION:
        text = _upgraded(game, text, version)
    return codec.load(game.State, text)


def can_be_carried_on(game: Game, version: int) -> bool:
    """Tell whether today's rules can go on from a state of this version."""
    return version <= game.VERSION and all(
        step in game.UPGRADES for step in range(version, game.VERSION)
    )


def _upgraded(game: Game, text: str, version: int) -> str:
    if not can_be_carried_on(game, version):
        raise Held(game.TITLE, version, game.VERSION)
    plain: dict[str, Any] = codec.load(dict[str, Any], text)
    for step in range(version, game.VERSION):
        plain = game.UPGRADES[step](plain)
    return codec.dump(plain)
