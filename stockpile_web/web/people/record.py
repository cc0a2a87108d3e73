"""What somebody has played: the sums that are kept of it, and the matches themselves."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from stockpile_web.games import GAMES
from stockpile_web.storage.models import Match, Seat, Tally
from stockpile_web.storage.models.matches import OVER, title_of
from stockpile_web.storage.models.tallies import ANY_GAME, ANY_RULE
from stockpile_web.storage.transactions import reading

# So many of somebody's latest matches are given to them to keep: more than anybody plays in years.
MOST = 10_000
AT_ONCE = 1000  # Of which one statement asks.
FAVOURITES = 5


class Played(NamedTuple):
    """One finished match of a person, and how it ended for them."""

    match_id: int
    name: str
    game: str
    size: int
    options: str
    ended_at: datetime
    place: int
    score: int

    @property
    def title(self) -> str:
        """What the table is called."""
        return title_of(self.name, self.match_id)

    @property
    def game_title(self) -> str:
        """Which game it was."""
        return GAMES[self.game].TITLE

    @property
    def ending(self) -> str:
        """How it ended for them: place 2 of 4, with $34K."""
        score = GAMES[self.game].score_in_words(self.score)
        return f"place {self.place} of {self.size}, with {score}"


class Line(NamedTuple):
    """The results at one game with so many players."""

    game: str
    size: int
    played: int
    won: int
    place: str
    score: str
    best: str


class Figures(NamedTuple):
    """What a profile says of all matches of a person."""

    played: int
    won: int
    seconds_to_move: int | None
    streak: int
    longest_streak: int
    lines: list[Line]
    favourites: list[tuple[str, int]]  # Rules, and in how many matches.


def figures(user_id: int) -> Figures:
    """Return what all matches of somebody that count add up to, listed or not."""
    rows = reading().execute(select(*Tally.__table__.c).where(Tally.user_id == user_id)).all()
    whole = next((row for row in rows if row.game == ANY_GAME), None)
    if whole is None:
        return Figures(0, 0, None, 0, 0, [], [])
    seconds, turns = whole.thinking_seconds, whole.turns_timed
    return Figures(
        played=whole.played,
        won=whole.won,
        seconds_to_move=round(seconds / turns) if turns else None,
        streak=whole.streak,
        longest_streak=whole.longest_streak,
        lines=_lines([row for row in rows if row.rule == ANY_RULE]),
        favourites=_favourites([row for row in rows if row.rule != ANY_RULE]),
    )


def _lines(rows: Sequence[Row[Any]]) -> list[Line]:
    order = list(GAMES)
    known = [row for row in rows if row.game in GAMES]
    return [_line(row) for row in sorted(known, key=lambda row: (order.index(row.game), row.size))]


def _line(row: Row[Any]) -> Line:
    game = GAMES[row.game]
    return Line(
        game=game.TITLE,
        size=row.size,
        played=row.played,
        won=row.won,
        place=f"{row.places / row.played:.1f}",
        score=game.score_in_words(round(row.scores / row.played)),
        best=game.score_in_words(row.best),
    )


def _favourites(rows: Sequence[Row[Any]]) -> list[tuple[str, int]]:
    """Return the rules that were switched on most often, each with its game."""
    times: Counter[tuple[str, str]] = Counter()
    for row in rows:
        times[row.game, row.rule] += row.played
    rules = {
        f"{game.TITLE}: {option.title}": times[slug, option.key]
        for slug, game in GAMES.items()
        for option in game.OPTIONS
        if (slug, option.key) in times
    }
    return Counter(rules).most_common(FAVOURITES)


def read_played(user_id: int) -> list[Played]:
    """Return the matches of somebody that count, the latest first.

    First the seats, then their matches by number: so it costs the same, however many matches
    others have played.
    """
    mine = select(Seat.match_id).where(Seat.user_id == user_id, Seat.place.is_not(None))
    numbers = reading().scalars(mine.order_by(Seat.match_id.desc()).limit(MOST)).all()
    played = [each for part in _in_parts(numbers) for each in read_some(user_id, part)]
    return sorted(played, key=lambda each: (each.ended_at, each.match_id), reverse=True)


def read_some(user_id: int, numbers: Sequence[int]) -> list[Played]:
    """Return those of some matches of somebody that count, the latest first."""
    rows = reading().execute(
        select(
            Match.id, Match.name, Match.game, Match.size, Match.options, Match.ended_at,
            Seat.place, Seat.score,
        )
        .join(Seat, (Seat.match_id == Match.id) & (Seat.user_id == user_id))
        .where(
            Match.id.in_(numbers),
            Match.game.in_(GAMES),
            Match.status == OVER,
            Match.practice.is_(False),
            Seat.place.is_not(None),
        )
        .order_by(Match.ended_at.desc(), Match.id.desc())
    )  # fmt: skip
    return [Played._make(row) for row in rows]


def _in_parts(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Return a few numbers after the other: a statement has room for so many."""
    for first in range(0, len(numbers), AT_ONCE):
        yield numbers[first : first + AT_ONCE]
