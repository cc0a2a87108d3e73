"""The tables."""

from stockpile_web.storage.models.matches import Match, Message, Move, Seat
from stockpile_web.storage.models.notices import (
    Channel,
    ChatLink,
    Choice,
    Delivery,
    Notice,
    PushDevice,
)
from stockpile_web.storage.models.people import Attempt, Device, KeptMail, ResetLink, User, Vacation

__all__ = [
    "Attempt", "Channel", "ChatLink", "Choice", "Delivery", "Device", "KeptMail", "Match",
    "Message", "Move", "Notice", "PushDevice", "ResetLink", "Seat", "User",
    "Vacation",
]  # fmt: skip
