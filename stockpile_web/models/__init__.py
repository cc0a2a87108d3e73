"""The tables."""

from stockpile_web.models.notices import (
    Channel,
    ChatLink,
    Choice,
    Delivery,
    Notice,
    PushDevice,
)
from stockpile_web.models.people import Attempt, Device, KeptMail, ResetLink, User, Vacation
from stockpile_web.models.tables import Match, Message, Move, Place

__all__ = [
    "Attempt", "Channel", "ChatLink", "Choice", "Delivery", "Device", "KeptMail", "Match",
    "Message", "Move", "Notice", "Place", "PushDevice", "ResetLink", "User",
    "Vacation",
]  # fmt: skip
