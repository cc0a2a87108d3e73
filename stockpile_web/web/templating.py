"""Jinja as this site uses it: missing names are errors, and templates are stored compiled."""

from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import flask.templating
from jinja2 import FileSystemBytecodeCache, StrictUndefined
from jinja2.bccache import Bucket


class Environment(flask.templating.Environment):
    """Flask's own, with one plain dictionary of globals for each template.

    Jinja looks them up in a chain of two, which it copies whenever a template is included: dozens
    of times for a board. All globals are set before the first template is loaded.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template can use besides what it is given."""
        return {**self.globals, **(d or {})}


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates, kept in the instance folder.

    Compiling takes a second, and memory that is never given back. It is Jinja's own, but a file
    cut short by a full disk or a lost power supply harms nobody.
    """

    def __init__(self, instance: Path) -> None:
        folder = instance / "templates"
        folder.mkdir(mode=0o700, exist_ok=True)
        super().__init__(str(folder), "%s")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template, if it can be read."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # Whatever pickle makes of it.
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a template, if there is room."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def options(instance: Path) -> Mapping[str, Any]:
    """Return how Jinja is set up."""
    return {
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "bytecode_cache": CompiledTemplates(instance),
        "cache_size": -1,  # All: with a limit, each use of a template would move it in a list.
    }
