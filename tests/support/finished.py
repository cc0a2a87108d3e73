"""Matches that are over, put into the database without playing them."""

from collections.abc import Sequence
from datetime import timedelta

from flask import Flask

from stockpile_web.match import archiving, tallies
from stockpile_web.match.rows import read_match, read_seats
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Match, Reckoning, Seat, User
from stockpile_web.storage.models.matches import OVER
from stockpile_web.storage.names import columns
from stockpile_web.storage.transactions import transaction, writing
from tests.support.known import FIRST

HOUR = timedelta(hours=1)
LONG_AGO = timedelta(days=365)


def person(app: Flask, name: str, **more: str) -> int:
    """Give somebody an account in which nobody can sign in."""
    with app.app_context(), writing() as tx:
        user = User(**columns(name), created_at=now(), **more)
        tx.add(user)
        tx.flush()
        return user.id


def finished(
    app: Flask,
    players: Sequence[int | str],
    *,
    scores: Sequence[int] = (),
    substitutes: Sequence[int] = (),
    state: str = "",
    thinking: int = 0,
    **columns: object,
) -> int:
    """Let a match of these people (their ids) and bots (their keys) be over; the first has won.

    It began a year ago, and is to be reckoned after those before it.
    """
    began = now() - LONG_AGO
    with app.app_context(), writing() as tx:
        before = tx.query(Match).count()
        ended = began + HOUR * (before + 1)
        match = Match(
            **{
                "game": FIRST, "options": "", "size": len(players), "status": "over",
                "host_id": next(each for each in players if isinstance(each, int)),
                "listed": True, "pace": "none", "open_chat": False,
                "invitation": f"finished {before}", "created_at": began, "started_at": began,
                "moved_at": ended, "ended_at": ended, "state": state, "rules_version": 1,
                "top_score": scores[0] if scores else len(players), "margin": 1, **columns,
            }
        )  # fmt: skip
        tx.add(match)
        tx.flush()
        for number, player in enumerate(players):
            is_bot = isinstance(player, str)
            tx.add(
                Seat(
                    match_id=match.id, number=number, user_id=None if is_bot else player,
                    bot=player if is_bot else None, bot_name="Abacus" if is_bot else "",
                    place=number + 1, substitute=player in substitutes,
                    score=scores[number] if scores else len(players) - number,
                    thinking_seconds=thinking, turns_timed=1 if thinking else 0,
                )
            )  # fmt: skip
        tx.add(Reckoning(match_id=match.id, due_at=ended))
        match_id = match.id
    archive(app, match_id)
    return match_id


def archive(app: Flask, match_id: int) -> None:
    """Put a match that has ended into its lists and sums, as its last move would have done."""
    with app.app_context(), transaction() as connection:
        match = read_match(connection, match_id)
        assert match
        seats = read_seats(connection, match_id)
        archiving.keep(connection, match, seats)
        if match.status == OVER and match.top_score is not None:
            tallies.add(connection, match, seats)
