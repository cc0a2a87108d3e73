"""The lobby: finding tables, setting them up, invitations, and who sits where."""

import stockpile_web.web.lobby.finding
import stockpile_web.web.lobby.invitations
import stockpile_web.web.lobby.new_table
import stockpile_web.web.lobby.seats  # noqa: F401 (they add their pages)
from stockpile_web.web.lobby.blueprint import bp

__all__ = ["bp"]
