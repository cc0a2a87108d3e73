"""What becomes of friends, blocks, groups and invitations when somebody deletes their account."""

from sqlalchemy import delete, or_
from sqlalchemy.orm import Session

from stockpile_web.people import groups
from stockpile_web.storage.models.acquaintances import Block, Friend, Invitation


def forget(session: Session, user_id: int) -> None:
    """Take a person out of all groups, and off everybody's lists."""
    groups.leave_all(session, user_id)
    friends = or_(Friend.user_id == user_id, Friend.friend_id == user_id)
    blocks = or_(Block.user_id == user_id, Block.blocked_id == user_id)
    invitations = or_(Invitation.user_id == user_id, Invitation.by_id == user_id)
    for kind, theirs in ((Friend, friends), (Block, blocks), (Invitation, invitations)):
        session.execute(delete(kind).where(theirs))
