"""The ways to reach people: one file each, all of one shape (`Way`)."""

from stockpile_web.notify.channels import discord, mail, ntfy, slack, webhook
from stockpile_web.notify.channels.way import Failed, Way

__all__ = ["WAYS", "Failed", "Way"]

WAYS: dict[str, Way] = {
    "mail": mail,
    "ntfy": ntfy,
    "discord": discord,
    "slack": slack,
    "webhook": webhook,
}
