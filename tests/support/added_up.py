"""Sums of results, added up anew from the matches themselves: what is kept must be the same."""

from collections import Counter, defaultdict
from typing import Any

from sqlalchemy import Connection, select

from stockpile_web.games import GAMES
from stockpile_web.match.options import rules_in_words
from stockpile_web.storage.models import Match, Rival, Seat, Tally, User

Sums = dict[Any, tuple[int, ...]]


def kept(connection: Connection) -> tuple[Sums, Sums]:
    """Return the sums that are kept: of people, and of each two."""
    tallies = connection.execute(select(*Tally.__table__.c))
    rivals = connection.execute(select(*Rival.__table__.c))
    return (
        {tuple(row[:4]): tuple(map(int, row[4:])) for row in tallies},
        {tuple(row[:2]): tuple(row[2:]) for row in rivals},
    )


def added_up(connection: Connection) -> tuple[Sums, Sums]:
    """Return what they must be."""
    seats: dict[Any, list[Any]] = defaultdict(list)
    meetings: dict[Any, Counter[str]] = defaultdict(Counter)
    for match, players in _matches(connection):
        for seat in players:
            for kind in (("", 0, ""), *((match.game, match.size, rule) for rule in _rules(match))):
                seats[seat.user_id, *kind].append(seat)
            for other in players:
                if other is not seat:
                    meetings[seat.user_id, other.user_id].update(_meeting(match, seat, other))
    order = [f"{kind}{name}" for kind in ("", "listed ") for name in ("met", "ahead", "behind")]
    return (
        {key: _sums(theirs) for key, theirs in seats.items()},
        {key: tuple(counts[name] for name in order) for key, counts in meetings.items()},
    )


def _matches(connection: Connection) -> list[tuple[Any, list[Any]]]:
    """Return the matches that count, in the order in which they ended, and who sat there."""
    over = select(*Match.__table__.c).where(Match.status == "over", Match.practice.is_(False))
    here = select(*Seat.__table__.c).join(User, User.id == Seat.user_id)
    seats = here.where(User.deleted_at.is_(None), Seat.place.is_not(None))
    by_match: dict[int, list[Any]] = defaultdict(list)
    for seat in connection.execute(seats):
        by_match[seat.match_id].append(seat)
    found = sorted(connection.execute(over), key=lambda match: (match.ended_at, match.id))
    return [(match, by_match[match.id]) for match in found]


def _rules(match: Any) -> list[str]:
    """Return no rule, and each that was switched on, as its page shows them."""
    shown = rules_in_words(match.game, match.options, match.size)
    return ["", *(o.key for o in GAMES[match.game].OPTIONS if not o.numbers and o.title in shown)]


def _sums(seats: list[Any]) -> tuple[int, ...]:
    streak = longest = 0
    for seat in seats:
        streak = streak + 1 if seat.place == 1 else 0
        longest = max(longest, streak)
    return (
        len(seats),
        sum(seat.place == 1 for seat in seats),
        sum(seat.place for seat in seats),
        sum(seat.score for seat in seats),
        max(seat.score for seat in seats),
        sum(seat.thinking_seconds for seat in seats),
        sum(seat.turns_timed for seat in seats),
        streak,
        longest,
    )


def _meeting(match: Any, mine: Any, theirs: Any) -> list[str]:
    words = ["met"]
    words += ["ahead"] * (mine.place < theirs.place) + ["behind"] * (mine.place > theirs.place)
    return [*words, *(f"listed {word}" for word in words if match.listed)]
