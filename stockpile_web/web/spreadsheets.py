"""Tables to take away as CSV, which no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence

from flask import Response

# A spreadsheet would take what begins with one of these for a formula, and carry it out.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Cell = str | int | None


def spreadsheet(name: str, headings: Sequence[str], lines: Iterable[Sequence[Cell]]) -> Response:
    """Return a file with a line of headings and these lines."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(headings)
    table.writerows([safe(cell) for cell in line] for line in lines)
    answer = Response(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def safe(cell: Cell) -> Cell:
    """Return a text that spreadsheets take for a text, even if a table is called `=1+1`."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
