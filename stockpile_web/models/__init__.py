"""The tables."""

from stockpile_web.models.people import Attempt, Device, KeptMail, ResetLink, User
from stockpile_web.models.tables import Match, Message, Move, Place

__all__ = [
    "Attempt", "Device", "KeptMail", "Match", "Message", "Move", "Place", "ResetLink", "User",
]  # fmt: skip
