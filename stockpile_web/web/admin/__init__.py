"""Pages for administrators: how the site is, its people, its tables, and what waits to be sent."""

import stockpile_web.web.admin.people
import stockpile_web.web.admin.person
import stockpile_web.web.admin.queues
import stockpile_web.web.admin.reports
import stockpile_web.web.admin.rules
import stockpile_web.web.admin.site
import stockpile_web.web.admin.start
import stockpile_web.web.admin.tables  # noqa: F401 (they add their pages)
from stockpile_web.web.admin.blueprint import bp

__all__ = ["bp"]
