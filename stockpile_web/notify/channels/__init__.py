"""The ways to reach people: one file each, all of one shape (`Way`)."""

from flask import current_app

from stockpile_web.notify.channels import (
    discord,
    mail,
    ntfy,
    push,
    slack,
    telegram,
    webhook,
)
from stockpile_web.notify.channels.way import Way
from stockpile_web.notify.failed import Failed

__all__ = ["WAYS", "Failed", "Way", "ways_here"]

WAYS: dict[str, Way] = {
    "mail": mail,
    "push": push,
    "telegram": telegram,
    "ntfy": ntfy,
    "discord": discord,
    "slack": slack,
    "webhook": webhook,
}


def ways_here() -> dict[str, Way]:
    """Return the ways that the host of this site offers."""
    config = current_app.config
    missing = set() if config["TELEGRAM_TOKEN"] else {"telegram"}
    if config["WEBHOOKS"] == "off":
        missing |= {kind for kind, way in WAYS.items() if way.HINT} | {"push"}
    return {kind: way for kind, way in WAYS.items() if kind not in missing}
