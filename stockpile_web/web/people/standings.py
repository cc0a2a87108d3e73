"""Ratings as they are shown: of one person with their curves, and of all in a list."""

from typing import NamedTuple

from sqlalchemy import or_, select

from stockpile_web.engine import Game
from stockpile_web.games import GAMES
from stockpile_web.match.ratings import SURE_AFTER, Belief
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Rating, RatingChange, User
from stockpile_web.storage.names import isolated
from stockpile_web.web.people.visibility import may_see

MOST_LISTED = 100
# Of a curve: so many of the latest matches, in a box of this size.
MOST_DRAWN, WIDTH, HEIGHT = 60, 300, 60


class Standing(NamedTuple):
    """A rating, and whose it is; a bot has no profile."""

    name: str | None
    shown_name: str
    points: int
    margin: int
    matches: int


class Curve(NamedTuple):
    """A rating of one person with how it came about; `line` is for an SVG of 300 by 60."""

    game: str
    points: int
    margin: int
    matches: int
    is_sure: bool
    lowest: int
    highest: int
    line: str


def listed(game: str, viewer: int | None, *, sure: bool) -> list[Standing]:
    """Return the strongest at a game first: those of whom enough is known, or the others."""
    enough = Rating.matches >= SURE_AFTER if sure else Rating.matches.between(1, SURE_AFTER - 1)
    rows = db.session.execute(
        select(Rating.bot, User.name, Rating.strength, Rating.doubt, Rating.matches)
        .outerjoin(User, User.id == Rating.user_id)
        .where(Rating.game == game, enough)
        .where(or_(Rating.user_id.is_(None), Rating.on_since.is_not(None) & may_see(viewer)))
        .order_by(Rating.at_least.desc(), Rating.id)
        .limit(MOST_LISTED)
    )
    return [_standing(GAMES[game], *row) for row in rows]


def _standing(
    game: Game, bot: str | None, name: str | None, strength: float, doubt: float, matches: int
) -> Standing:
    belief = Belief(strength, doubt)
    known = game.BOTS.get(bot or "")
    shown = isolated(name) if name else f"{known.title if known else bot} (bot)"
    return Standing(name, shown, belief.points, belief.margin, matches)


def curves(user_id: int) -> list[Curve]:
    """Return the ratings that a person wants to have, game by game."""
    wanted = select(Rating).where(Rating.user_id == user_id, Rating.on_since.is_not(None))
    found = {rating.game: rating for rating in db.session.scalars(wanted)}
    return [_curve(found[game]) for game in GAMES if game in found]


def _curve(rating: Rating) -> Curve:
    rows = db.session.execute(
        select(RatingChange.strength, RatingChange.doubt)
        .where(RatingChange.rating_id == rating.id)
        .order_by(RatingChange.number.desc())
        .limit(MOST_DRAWN)
    )
    points = [Belief(*row).points for row in rows][::-1]
    now = Belief(rating.strength, rating.doubt)
    return Curve(
        game=GAMES[rating.game].TITLE,
        points=now.points,
        margin=now.margin,
        matches=rating.matches,
        is_sure=rating.matches >= SURE_AFTER,
        lowest=min(points, default=now.points),
        highest=max(points, default=now.points),
        line=_line(points),
    )


def _line(points: list[int]) -> str:
    """Return the corners of a curve; nothing where there is none to draw."""
    if len(points) < 2:
        return ""
    low, high = min(points), max(points)
    step, unit = WIDTH / (len(points) - 1), (HEIGHT - 4) / max(1, high - low)
    corners = (
        f"{number * step:.0f},{2 + (high - each) * unit:.0f}" for number, each in enumerate(points)
    )
    return " ".join(corners)
