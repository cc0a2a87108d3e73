"""The tables."""

from stockpile_web.storage.models.acquaintances import Block, Friend, Group, Invitation, Member
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
    "AccountMail", "Attempt", "Block", "Channel", "ChatLink", "Choice", "Delivery", "Device",
    "Friend", "Group", "Invitation", "KeptMail", "Match", "Member",
    "Message", "Move", "Notice", "PushDevice", "ResetLink", "Seat",
    "SendJob",
    "User", "Vacation",
]  # fmt: skip
