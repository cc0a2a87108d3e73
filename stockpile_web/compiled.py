"""Compiled templates, kept in the instance folder.

Compiling them takes a second, and memory that is never given back.
"""

from contextlib import suppress
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(FileSystemBytecodeCache):
    """Jinja's own, but a file cut short by a full disk or a lost power supply harms nobody."""

    def __init__(self, instance: Path) -> None:
        folder = instance / "templates"
        folder.mkdir(mode=0o700, exist_ok=True)
        super().__init__(str(folder))

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
