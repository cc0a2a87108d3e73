"""What somebody has played: their finished matches, and the figures that follow from them."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from datetime import datetime
from itertools import groupby
from statistics import fmean
from typing import Any, NamedTuple

from sqlalchemy import select

from stockpile_web.engine.options import applying, read, titles
from stockpile_web.games import GAMES
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.models.matches import OVER, title_of
from stockpile_web.storage.transactions import reading

# So many of somebody's latest matches are looked at: more than anybody plays in years.
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
    is_open: bool  # Whoever asks may know which table it was, and who sat there.
    place: int
    score: int
    thinking_seconds: int
    turns_timed: int

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
    lines: list[Line]
    seconds_to_move: int | None
    favourites: list[tuple[str, int]]  # Rules, and in how many matches.
    streak: int
    longest_streak: int
    is_cut: bool  # There are more matches than were looked at.


def read_played(user_id: int, viewer: int | None) -> list[Played]:
    """Return the matches of somebody that count, the latest first, as `viewer` may see them.

    First the seats, then their matches by number: so it costs the same, however many matches
    others have played.
    """
    seats = reading().execute(
        select(Seat.match_id, Seat.place, Seat.score, Seat.thinking_seconds, Seat.turns_timed)
        .where(Seat.user_id == user_id, Seat.place.is_not(None))
        .order_by(Seat.match_id.desc())
        .limit(MOST)
    )
    ended = {row.match_id: row[1:] for row in seats}
    mine = ended.keys() if viewer == user_id else _tables_of(viewer)
    played = [
        Played._make((number, *match, listed or number in mine, *ended[number]))
        for number, *match, listed in _matches(list(ended))
    ]
    return sorted(played, key=lambda each: (each.ended_at, each.match_id), reverse=True)


def _tables_of(viewer: int | None) -> Set[int]:
    """Return the tables at which somebody has sat; a stranger has sat at none."""
    if viewer is None:
        return set()
    return set(reading().scalars(select(Seat.match_id).where(Seat.user_id == viewer)))


def _matches(numbers: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Return those of some matches that count, and whether they are listed."""
    for part in in_parts(numbers):
        rows = reading().execute(
            select(
                Match.id, Match.name, Match.game, Match.size, Match.options, Match.ended_at,
                Match.listed,
            ).where(
                Match.id.in_(part),
                Match.game.in_(GAMES),
                Match.status == OVER,
                Match.practice.is_(False),
            )
        )  # fmt: skip
        yield from map(tuple, rows)


def in_parts(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Return a few numbers after the other: a statement has room for so many."""
    for first in range(0, len(numbers), AT_ONCE):
        yield numbers[first : first + AT_ONCE]


def figures(played: Sequence[Played]) -> Figures:
    """Add up matches, the latest first."""
    wins = [each.place == 1 for each in played]
    streaks = [len(list(row)) for won, row in groupby(wins) if won]
    turns = sum(each.turns_timed for each in played)
    seconds = sum(each.thinking_seconds for each in played)
    return Figures(
        played=len(played),
        won=sum(wins),
        lines=_lines(played),
        seconds_to_move=round(seconds / turns) if turns else None,
        favourites=_favourites(played),
        streak=streaks[0] if wins[:1] == [True] else 0,
        longest_streak=max(streaks, default=0),
        is_cut=len(played) == MOST,
    )


def _lines(played: Sequence[Played]) -> list[Line]:
    order = list(GAMES)
    groups: dict[tuple[int, int], list[Played]] = {}
    for each in played:
        groups.setdefault((order.index(each.game), each.size), []).append(each)
    return [_line(group) for _, group in sorted(groups.items())]


def _line(group: Sequence[Played]) -> Line:
    game = GAMES[group[0].game]
    scores = [each.score for each in group]
    return Line(
        game=game.TITLE,
        size=group[0].size,
        played=len(group),
        won=sum(each.place == 1 for each in group),
        place=f"{fmean(each.place for each in group):.1f}",
        score=game.score_in_words(round(fmean(scores))),
        best=game.score_in_words(max(scores)),
    )


def _favourites(played: Sequence[Played]) -> list[tuple[str, int]]:
    """Return the rules that were switched on most often, each with its game."""
    rules: Counter[str] = Counter()
    for chosen, times in Counter((each.game, each.options, each.size) for each in played).items():
        slug, options, size = chosen
        game = GAMES[slug]
        switches = {option.key for option in game.OPTIONS if option.numbers is None}
        on = applying(game, read(options.split()), size)
        for title in titles(game, {key: number for key, number in on.items() if key in switches}):
            rules[f"{game.TITLE}: {title}"] += times
    return rules.most_common(FAVOURITES)
