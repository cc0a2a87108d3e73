"""The tables."""

from stockpile_web.storage.models.history import Chapter, Report
from stockpile_web.storage.models.matches import Match, Message, Move, Seat
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
    "AccountMail", "Attempt", "Channel", "Chapter", "ChatLink", "Choice", "Delivery", "Device",
    "KeptMail", "Match", "Message", "Move", "Notice", "PushDevice", "Report", "ResetLink", "Seat",
    "SendJob",
    "User", "Vacation",
]  # fmt: skip
