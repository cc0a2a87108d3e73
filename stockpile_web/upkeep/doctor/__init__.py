"""What is wrong with a site and what to do about it, a line for each; nothing is changed.

files      the instance folder: who may read it, its keys, room on the disk
database   whether it answers, can be written to, and is of this version
around     the mail server, the clock, the proxy, backups
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

Settings = Mapping[str, Any]


class Finding(NamedTuple):
    """One line for the host. `note` is something to know, and no fault."""

    level: Literal["ok", "note", "WRONG"]
    about: str
    text: str


Check = Callable[[Settings], Iterator[Finding]]


def examine(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at everything; what cannot be looked at is wrong, too."""
    from stockpile_web.settings import BadSetting, read_settings
    from stockpile_web.upkeep.doctor import around, database, files

    try:
        settings = read_settings(environ)
    except BadSetting as problem:
        yield Finding("WRONG", "settings", str(problem))
        return
    yield Finding("ok", "settings", "all of them can be read.")
    checks: tuple[Check, ...] = (*files.CHECKS, *database.CHECKS, *around.CHECKS)
    for check in checks:
        try:
            yield from check(settings)
        except Exception as error:  # noqa: BLE001 (whatever it is, the other checks go on)
            about = check.__name__.replace("_", " ")
            said = str(error).partition("\n")[0]
            yield Finding("WRONG", about, f"it cannot be looked at: {type(error).__name__}: {said}")
