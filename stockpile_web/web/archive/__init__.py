"""The archive: matches that have ended, to be searched, subscribed to and taken along."""

import stockpile_web.web.archive.feeds
import stockpile_web.web.archive.pages
import stockpile_web.web.archive.spreadsheet  # noqa: F401 (they add their pages)
from stockpile_web.web.archive.blueprint import bp

__all__ = ["bp"]
