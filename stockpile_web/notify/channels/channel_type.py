"""The shape of a channel: what each module of this package has."""

from typing import Protocol

from stockpile_web.notify.composing import Message
from stockpile_web.notify.lanes import Lane
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User


class ChannelType(Protocol):
    """What the module of a channel has: mypy checks each against it."""

    LABEL: str
    # What to type as its address, and where to find it; empty if nothing is to be typed.
    HINT: str

    def check(self, address: str) -> str:
        """Say what is wrong with an address; empty if nothing is."""

    def destination(self, user: User, channel: Channel) -> str:
        """Say where messages go, for the log: enough to know it again, no secret in it."""

    def send(self, user: User, channel: Channel, message: Message, lane: Lane) -> str:
        """Send a message and return what the other side answered; raise Failed if it refuses.

        It takes no longer than the lane has time.
        """
