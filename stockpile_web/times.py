"""Moments in words, in the zone of the person who reads them."""

from datetime import datetime
from zoneinfo import ZoneInfo

from flask import Flask


def init_app(app: Flask) -> None:
    """Give templates the filter `day`."""
    app.jinja_env.filters["day"] = day


def day(moment: datetime, zone: str) -> str:
    """Say a moment as a calendar and a clock in `zone` show it: 7 Nov 2026, 14:02."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %Y, %H:%M}"
