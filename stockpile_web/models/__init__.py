"""The tables."""

from stockpile_web.models.notices import Channel, Choice, Delivery, Notice
from stockpile_web.models.people import Attempt, Device, KeptMail, ResetLink, User, Vacation
from stockpile_web.models.tables import Match, Message, Move, Place

__all__ = [
    "Attempt", "Channel", "Choice", "Delivery", "Device", "KeptMail", "Match", "Message", "Move",
    "Notice", "Place", "ResetLink", "User", "Vacation",
]  # fmt: skip
