"""The people of the site: what they have played, how strong they are, and who may see that."""

import stockpile_web.web.people.leaderboard
import stockpile_web.web.people.profile  # noqa: F401 (they add their pages)
from stockpile_web.web.people.blueprint import bp

__all__ = ["bp"]
