"""Groups: finding and founding one, joining by a link, and the page of each."""

import stockpile_web.web.groups.finding
import stockpile_web.web.groups.group  # noqa: F401 (they add their pages)
from stockpile_web.web.groups.blueprint import bp

__all__ = ["bp"]
