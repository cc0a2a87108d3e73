"""Who may see whose profile: the one place that decides it."""

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import aliased

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Block, Rival, User
from stockpile_web.storage.models.people import ALL, MEMBERS, NOBODY, PLAYED
from stockpile_web.storage.names import key_of
from stockpile_web.web.auth import someone

# In words, for the form in which a person decides it.
CHOICES = {
    ALL: "Everybody, without an account too",
    MEMBERS: "Everybody who is signed in",
    PLAYED: "Those with whom I have finished a match",
    NOBODY: "Nobody but me",
}

# Made once: an alias copies every column of its table, which took half the time of a short profile.
_ASKER, _MET = aliased(User), aliased(Rival)


def may_see(viewer: int | None) -> ColumnElement[bool]:
    """Say of a user that `viewer` may see their profile; None is a stranger."""
    if viewer is None:
        return User.profile_for == ALL
    asker, met = _ASKER, _MET
    together = select(met.met).where(met.user_id == viewer, met.rival_id == User.id).exists()
    played = and_(User.profile_for == PLAYED, together)
    apart = select(Block.user_id).where(Block.blocked_id == viewer)
    # Anybody is a guest by one press: they see no more than strangers and those they play with.
    is_member = select(asker.id).where(asker.id == viewer, asker.guest_until.is_(None)).exists()
    to_members = and_(User.profile_for == MEMBERS, is_member)
    shown = or_(User.profile_for == ALL, to_members, User.id == viewer, played)
    return and_(shown, User.id.not_in(apart))


def viewer_id() -> int | None:
    """Return who asks; None for a stranger."""
    visitor = someone()
    return None if visitor is None else visitor.id


def find_person(name: str) -> User | None:
    """Return the person of this name, if whoever asks may see their profile.

    That somebody hides it and that there is nobody of that name is the same answer.
    """
    named = select(User).where(User.name_key == key_of(name), may_see(viewer_id()))
    return db.session.scalar(named)
