"""The tables."""

from stockpile_web.storage.models.matches import Match, Message, Move, Place
from stockpile_web.storage.models.notices import (
    Channel,
    ChatLink,
    Choice,
    Delivery,
    Notice,
    PushDevice,
    SendJob,
)
from stockpile_web.storage.models.people import (
    AccountMail,
    Attempt,
    Device,
    KeptMail,
    ResetLink,
    User,
    Vacation,
)

__all__ = [
    "AccountMail", "Attempt", "Channel", "ChatLink", "Choice", "Delivery", "Device", "KeptMail",
    "Match", "Message", "Move", "Notice", "Place", "PushDevice", "ResetLink", "SendJob",
    "User", "Vacation",
]  # fmt: skip
