"""Source files read as text: which there are, and what they import."""

import ast
from collections.abc import Iterator
from pathlib import Path

from stockpile_web.settings import ROOT


def sources(*folders: str) -> list[Path]:
    """Return the Python files in some folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Return the full names of all that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
