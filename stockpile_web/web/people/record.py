"""What somebody has played: their finished matches, and the figures that follow from them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from statistics import fmean
from typing import NamedTuple

from sqlalchemy import or_, select

from stockpile_web.engine.options import applying, read, titles
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.storage.models.matches import title_of
from stockpile_web.web.people.visibility import counted, sat_there

# So many of somebody's latest matches are looked at: more than anybody plays in years.
MOST = 10_000
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
    """Return the matches of somebody that count, the latest first, as `viewer` may see them."""
    rows = db.session.execute(
        select(
            Match.id, Match.name, Match.game, Match.size, Match.options, Match.ended_at,
            or_(Match.listed, sat_there(viewer)), Seat.place, Seat.score,
            Seat.thinking_seconds, Seat.turns_timed,
        )
        .join(Seat)
        .where(Seat.user_id == user_id, Seat.place.is_not(None), counted())
        .order_by(Seat.match_id.desc())
        .limit(MOST)
    )  # fmt: skip
    played = (Played._make(row) for row in rows if row.game in GAMES)
    return sorted(played, key=lambda each: (each.ended_at, each.match_id), reverse=True)


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
