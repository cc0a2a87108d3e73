"""Many people who are all to be told something: copies of one match, with people of its own."""

from typing import Any

from flask import Flask
from sqlalchemy import insert, select

from stockpile_web.storage.database import now
from stockpile_web.storage.models import Match, Move, Notice, Seat, User
from stockpile_web.storage.transactions import writing


def gather(app: Flask, match_id: int, count: int) -> None:
    """Copy a match until `count` people sit at the copies, and leave a notice for each."""
    moment = now()
    with app.app_context(), writing() as tx:
        match = tx.execute(select(Match.__table__).where(Match.id == match_id)).mappings().one()
        of_match = {"match_id": match_id}
        moves = tx.execute(select(Move.__table__).filter_by(**of_match)).mappings().all()
        seats = tx.execute(select(Seat.__table__).filter_by(**of_match)).mappings().all()
        last_user = max(tx.scalars(select(User.id)))
        last_seat = max(tx.scalars(select(Seat.id)))
        people: list[dict[str, Any]] = [
            {
                "id": last_user + number, "name": f"person {number}", "created_at": moment,
                "name_key": f"person {number}", "email": f"{last_user + number}@example.org",
                "email_confirmed_at": moment,
            }
            for number in range(1, count + 1)
        ]  # fmt: skip
        tx.execute(insert(User), people)
        for first in range(0, count, len(seats)):
            number = match_id + 1 + first
            tx.execute(insert(Match), {**match, "id": number, "invitation": f"copy {first}"})
            tx.execute(insert(Move), [{**move, "match_id": number} for move in moves])
            group = people[first : first + len(seats)]
            copies = [
                {**seat, "id": last_seat + person["id"], **of(number, person["id"])}
                for seat, person in zip(seats, group, strict=True)
            ]
            tx.execute(insert(Seat), copies)
            told = {"event": "started", "version": 1, "made_at": moment, "due_at": moment}
            notices = [{**of(number, person["id"]), **told} for person in group]
            tx.execute(insert(Notice), notices)


def of(match_id: int, user_id: int) -> dict[str, int]:
    """Return the columns that say whose something is."""
    return {"match_id": match_id, "user_id": user_id}
