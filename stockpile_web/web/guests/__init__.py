"""Guests: playing before one has an account, and making one of what was played."""

import stockpile_web.web.guests.coming
import stockpile_web.web.guests.keeping  # noqa: F401 (they add their pages)
from stockpile_web.web.guests.blueprint import bp

__all__ = ["bp"]
