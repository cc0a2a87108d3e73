"""A person as the worker needs to know them: how to reach them, when, and of what."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, exists, or_, select
from sqlalchemy.orm import Session

from stockpile_web.storage.models.notices import (
    ALWAYS,
    EVENTS,
    NEAR,
    SPARE,
    Channel,
    Choice,
    PushDevice,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.outbox import Job

# So many failures in a row, and the next channel is used as well.
TOO_MANY_FAILURES = 3

_PERSON = (
    select(User, Choice)
    .outerjoin(Choice, Choice.user_id == User.id)
    .where(User.id == bindparam("person"), User.deleted_at.is_(None))
)
# Pushes are a way to reach somebody as long as a device takes them.
_CAN_BE_PUSHED = exists().where(PushDevice.user_id == bindparam("person"))
_CHANNELS = (
    select(Channel)
    .where(Channel.user_id == bindparam("person"), or_(Channel.kind != "push", _CAN_BE_PUSHED))
    .order_by(Channel.id)
)


@dataclass(frozen=True)
class Person:
    """Somebody to be told."""

    user: User
    choice: Choice
    channels: list[Channel]

    def wants(self, event: str) -> bool:
        """Tell whether they want to hear of such events."""
        return event in self.choice.events.split()

    def when(self, job: Job, moment: datetime) -> datetime:
        """Return when to tell them of something: `moment`, or a later one."""
        wanted = moment
        if job.event != NEAR and not job.daily:
            wanted = max(moment, job.made_at + timedelta(minutes=self.choice.delay))
        return end_of_quiet(self.choice, wanted, self.user.time_zone)

    def ways(self, told: Collection[str]) -> list[Channel]:
        """Return the channels to use for what `told` have taken already.

        A spare one is used while no other works.
        """
        always = [channel for channel in self.channels if channel.use == ALWAYS]
        spare = [channel for channel in self.channels if channel.use == SPARE]
        needed = all(is_failing(channel) for channel in always)
        used = [*always, *(spare if needed else [])]
        return [channel for channel in used if channel.kind not in told]


def is_failing(channel: Channel) -> bool:
    """Tell whether a channel has kept failing."""
    return channel.failures >= TOO_MANY_FAILURES


def find(session: Session, user_id: int) -> Person | None:
    """Load a person; None if their account is gone."""
    found = session.execute(_PERSON, {"person": user_id}).one_or_none()
    if found is None:
        return None
    user, choice = found
    return Person(user, choice or _default(user), channels_of(session, user))


def choice_of(session: Session, user: User) -> Choice:
    """Return what a person has chosen, or what holds for those who have not."""
    return session.get(Choice, user.id) or _default(user)


def channels_of(session: Session, user: User) -> list[Channel]:
    """Return a person's channels in the order in which they were set up, mail first."""
    rows = session.scalars(_CHANNELS, {"person": user.id})
    channels = [channel for channel in rows if channel.kind != "mail" or user.email]
    if user.email and not any(channel.kind == "mail" for channel in channels):
        mail = Channel(user_id=user.id, kind="mail", use=ALWAYS, address="", secret="", failures=0)
        channels.insert(0, mail)
    return sorted(channels, key=lambda channel: channel.kind != "mail")


def end_of_quiet(choice: Choice, moment: datetime, zone: str) -> datetime:
    """Return `moment`, or the end of the quiet hours in which it lies."""
    begin, end = choice.quiet_from, choice.quiet_to
    if begin is None or end is None or begin == end:
        return moment
    local = moment.astimezone(ZoneInfo(zone))
    hours = (local.hour - begin) % 24
    if hours >= (end - begin) % 24:
        return moment
    awake = local.replace(hour=end, minute=0, second=0, microsecond=0, fold=0)
    if awake <= local:
        awake += timedelta(days=1)  # By the calendar: the same hour tomorrow.
    return awake.astimezone(moment.tzinfo)


def _default(user: User) -> Choice:
    return Choice(user_id=user.id, events=" ".join(EVENTS), delay=0, calendar="")
