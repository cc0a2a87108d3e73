"""The tables."""

from stockpile_web.storage.models.acquaintances import Block, Friend, Group, Invitation, Member
from stockpile_web.storage.models.archive import Archived, Facet
from stockpile_web.storage.models.audit import Audit
from stockpile_web.storage.models.fairness import ImportedFile, Seal
from stockpile_web.storage.models.history import Chapter, Report, Review
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
from stockpile_web.storage.models.passkeys import Passkey
from stockpile_web.storage.models.people import (
    AccountMail,
    Attempt,
    Device,
    KeptMail,
    ResetLink,
    User,
    Vacation,
)
from stockpile_web.storage.models.ratings import Rating, RatingChange, Reckoning
from stockpile_web.storage.models.tallies import Rival, Tally
from stockpile_web.storage.models.tokens import ApiToken
from stockpile_web.storage.models.upkeep import ScheduledBackup

__all__ = [
    "AccountMail", "ApiToken", "Archived", "Attempt", "Audit", "Block", "Channel", "Chapter",
    "ChatLink", "Choice", "Delivery", "Device", "Facet", "Friend", "Group", "ImportedFile",
    "Invitation", "KeptMail", "Match", "Member", "Message", "Move", "Notice", "Passkey",
    "PushDevice", "Rating", "RatingChange", "Reckoning", "Report", "ResetLink", "Review", "Rival",
    "ScheduledBackup", "Seal", "Seat", "SendJob", "Tally", "User", "Vacation",
]  # fmt: skip
