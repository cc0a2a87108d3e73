"""A person as the worker needs to know them: how to reach them, when, and of what."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from flask import current_app
from sqlalchemy import BindParameter, bindparam, exists, or_, select
from sqlalchemy.orm import Session

from stockpile_web.notify.lanes import is_hook
from stockpile_web.storage.due_notices import Entry
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

# So many failures in a row, and the next channel is used as well.
TOO_MANY_FAILURES = 3

_IDS: BindParameter[int] = bindparam("people", expanding=True)
_PEOPLE = (
    select(User, Choice)
    .outerjoin(Choice, Choice.user_id == User.id)
    .where(User.id.in_(_IDS), User.deleted_at.is_(None), User.suspended_at.is_(None))
)
# Pushes reach somebody as long as a device takes them.
_CAN_BE_PUSHED = exists().where(PushDevice.user_id == Channel.user_id)
_CHANNELS = (
    select(Channel)
    .where(Channel.user_id.in_(_IDS), or_(Channel.kind != "push", _CAN_BE_PUSHED))
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

    def when(self, notice: Entry, moment: datetime) -> datetime:
        """Return when to tell them of something: `moment`, or a later one."""
        wanted = moment
        if notice.event != NEAR and not notice.daily:
            wanted = max(moment, notice.made_at + timedelta(minutes=self.choice.delay))
        return end_of_quiet_hours(self.choice, wanted, self.user.time_zone)

    def channels_to_use(self) -> list[Channel]:
        """Return the channels to use; a spare one is used while no other works."""
        always = [channel for channel in self.channels if channel.use == ALWAYS]
        spare = [channel for channel in self.channels if channel.use == SPARE]
        needed = all(is_failing(channel) for channel in always)
        return [*always, *(spare if needed else [])]

    def has_hooks(self) -> bool:
        """Tell whether a channel of theirs leads to an address that they have chosen."""
        return any(is_hook(channel.kind) for channel in self.channels)

    def channel(self, kind: str) -> Channel | None:
        """Return their channel of a kind, if they have one."""
        return next((channel for channel in self.channels if channel.kind == kind), None)


def is_failing(channel: Channel) -> bool:
    """Tell whether a channel has kept failing."""
    return channel.failures >= TOO_MANY_FAILURES


def find(session: Session, users: Iterable[int]) -> dict[int, Person]:
    """Load people; those whose accounts are gone or suspended are left out."""
    ids = {"people": list(users)}
    rows: dict[int, list[Channel]] = {}
    for channel in session.scalars(_CHANNELS, ids):
        rows.setdefault(channel.user_id, []).append(channel)
    return {
        user.id: Person(user, choice or _default(user), _usable(user, rows.get(user.id, [])))
        for user, choice in session.execute(_PEOPLE, ids)
    }


def choice_of(session: Session, user: User) -> Choice:
    """Return what a person has chosen, or what holds for those who have not."""
    return session.get(Choice, user.id) or _default(user)


def stored_choice(session: Session, user_id: int) -> Choice:
    """Return the row of what a person has chosen, to be changed; a new one if there is none."""
    choice = session.get(Choice, user_id)
    if choice is None:
        choice = Choice(user_id=user_id)
        session.add(choice)
    return choice


def channels_of(session: Session, user: User) -> list[Channel]:
    """Return a person's channels in the order in which they were set up, mail first."""
    return _usable(user, session.scalars(_CHANNELS, {"people": [user.id]}))


def can_be_mailed(user: User) -> bool:
    """Tell whether mails go to somebody: they have an address, and have confirmed it.

    Without a mail server nothing is sent to anybody; what is kept for the administrator is no harm.
    """
    is_confirmed = user.email_confirmed_at is not None or not current_app.config["SMTP_HOST"]
    return bool(user.email) and is_confirmed


def _usable(user: User, rows: Iterable[Channel]) -> list[Channel]:
    has_mail = can_be_mailed(user)
    channels = [channel for channel in rows if channel.kind != "mail" or has_mail]
    if has_mail and not any(channel.kind == "mail" for channel in channels):
        mail = Channel(user_id=user.id, kind="mail", use=ALWAYS, address="", secret="", failures=0)
        channels.insert(0, mail)
    return sorted(channels, key=lambda channel: channel.kind != "mail")


def end_of_quiet_hours(choice: Choice, moment: datetime, zone: str) -> datetime:
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
    return Choice(user_id=user.id, events=" ".join(EVENTS), delay=0, calendar="", no_offer=False)
