"""The channels by which people can be reached: one file each, all of one shape (`ChannelType`)."""

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
from stockpile_web.notify.channels.channel_type import ChannelType
from stockpile_web.notify.failed import Failed

__all__ = ["CHANNELS", "ChannelType", "Failed", "channels_here"]

CHANNELS: dict[str, ChannelType] = {
    "mail": mail,
    "push": push,
    "telegram": telegram,
    "ntfy": ntfy,
    "discord": discord,
    "slack": slack,
    "webhook": webhook,
}


def channels_here() -> dict[str, ChannelType]:
    """Return the channels that the host of this site offers."""
    config = current_app.config
    missing = set() if config["TELEGRAM_TOKEN"] else {"telegram"}
    if config["WEBHOOKS"] == "off":
        missing |= {kind for kind, channel in CHANNELS.items() if channel.HINT} | {"push"}
    return {kind: channel for kind, channel in CHANNELS.items() if kind not in missing}
