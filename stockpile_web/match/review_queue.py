"""Reviews that people ask for: made by the worker, kept, and the same for all who see a match."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from stockpile_web.engine import Seat, codec
from stockpile_web.match import review
from stockpile_web.match.perspective import StillSecret, is_open
from stockpile_web.match.review import Findings
from stockpile_web.match.rows import MatchRow
from stockpile_web.storage.database import now
from stockpile_web.storage.models.history import Review
from stockpile_web.storage.transactions import advisory_lock, writing

MOST_WAITING = 200  # Less than a minute of one core, unless somebody means harm.


class QueueFull(Exception):
    """Too many reviews wait already."""


@dataclass(frozen=True)
class Progress:
    """How far a review is."""

    is_done: bool
    was_given_up: bool
    ahead: int  # So many others come first.
    judged: int
    total: int  # 0: it has not begun.
    findings: Findings


def read(connection: Connection, match: MatchRow, seat: Seat) -> Progress | None:
    """Return how far the review of a seat is; None if there is none, or a stale one."""
    mine = (Review.match_id == match.id) & (Review.seat == seat)
    row = connection.execute(select(*Review.__table__.c).where(mine)).one_or_none()
    if row is None or row.edition != review.edition(match):
        return None
    ahead = 0
    if row.due_at is not None:
        others = select(func.count()).select_from(Review).where(Review.due_at.is_not(None))
        ahead = connection.scalar(others.where(Review.asked_at < row.asked_at)) or 0
    return Progress(
        is_done=row.done_at is not None,
        was_given_up=row.done_at is None and row.due_at is None,
        ahead=ahead,
        judged=row.judged,
        total=row.total,
        findings=codec.load(Findings, row.found),
    )


def ask(match: MatchRow, seat: Seat) -> None:
    """Let the worker look at a seat, unless it has done so or is about to."""
    if not is_open(match):
        raise StillSecret
    with writing() as tx:
        advisory_lock(tx, "reviews")
        known = tx.get(Review, (match.id, seat))
        edition = review.edition(match)
        if known is not None:
            if known.edition == edition and (known.due_at or known.done_at):
                return
            tx.delete(known)
            tx.flush()
        waiting = select(func.count()).select_from(Review).where(Review.due_at.is_not(None))
        if (tx.scalar(waiting) or 0) >= MOST_WAITING:
            raise QueueFull
        tx.add(Review(match_id=match.id, seat=seat, edition=edition, asked_at=now(), due_at=now()))
