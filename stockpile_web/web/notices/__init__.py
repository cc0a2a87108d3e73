"""Pages of notices: the list, how and when to be told, pushes, Telegram, the calendar."""

import stockpile_web.web.notices.calendar
import stockpile_web.web.notices.choices
import stockpile_web.web.notices.inbox
import stockpile_web.web.notices.offer
import stockpile_web.web.notices.push_devices
import stockpile_web.web.notices.telegram  # noqa: F401 (they add their pages)
from stockpile_web.web.notices.blueprint import init_app

__all__ = ["init_app"]
