"""Jinja as this site uses it: templates are kept compiled, and what runs for every word is lean."""

from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import flask.templating
from jinja2 import FileSystemBytecodeCache, StrictUndefined, Undefined
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape
from markupsafe import _escape_inner as escaped  # type: ignore[attr-defined]

# Templates that were compiled in another way are not used.
KIND = "lean-1"


def shown(value: Any) -> str:
    """Return a value as HTML, as `escape` does for it, a hundred times for every board.

    The outcome is part of a page, where nothing asks any more whether it is Markup.
    """
    kind = type(value)
    if kind is str:
        return escaped(value)
    if kind is int:
        return str(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is Undefined:  # Of an `if` without an `else`; a name that is missing is an error.
        return ""
    return escape(value)


class Writer(CodeGenerator):
    """Compiles templates; expressions are shown by `shown`."""

    def _output_child_pre(self, node: Any, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and not finalize.src:
            self.write("environment.shown(")
        else:
            super()._output_child_pre(node, frame, finalize)


class Environment(flask.templating.Environment):
    """Flask's own. All that templates may use is known before the first of them is loaded."""

    code_generator_class = Writer
    shown = staticmethod(shown)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return one dictionary; every included template goes through it several times."""
        return {**self.globals, **(d or {})}


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates, kept in the instance folder.

    Compiling takes a second, and memory that is never given back. It is Jinja's own, but a file
    cut short by a full disk or a lost power supply harms nobody.
    """

    def __init__(self, instance: Path) -> None:
        folder = instance / "templates"
        folder.mkdir(mode=0o700, exist_ok=True)
        super().__init__(str(folder), f"{KIND}-%s")

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
