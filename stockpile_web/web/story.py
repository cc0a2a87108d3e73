"""The story of a match: lines and tables to argue over, for all who may see the match."""

from dataclasses import dataclass
from functools import partial

from flask import Blueprint, abort, current_app, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from stockpile_web.engine.story import Chart
from stockpile_web.games import GAMES
from stockpile_web.match.story import story_of
from stockpile_web.match.table_view import open_table
from stockpile_web.storage.models.matches import OVER
from stockpile_web.storage.names import tidy
from stockpile_web.storage.transactions import reading
from stockpile_web.web import charts
from stockpile_web.web.table import find
from stockpile_web.words.events import story_in_words

bp = Blueprint("story", __name__)


@dataclass(frozen=True)
class Figure:
    """A chart, the words for its lines, and where they lie."""

    chart: Chart
    labels: list[Markup]
    drawing: charts.Drawing


@bp.get("/table/<int:match_id>/story")
def show(match_id: int) -> ResponseReturnValue:
    """Tell the story of a match: while it runs as far as this viewer may know it, then all."""
    seen = find(match_id)
    if seen.match.started_at is None:
        abort(404)
    story = story_of(reading(), seen)
    tell = partial(story_in_words, current_app.jinja_env, seen.match.game, names=seen.names)
    figures = []
    for chart in story.charts:
        labels = [tell(line.label) for line in chart.lines]
        drawing = charts.draw(chart, [tidy(str(label.unescape())) for label in labels])
        figures.append(Figure(chart, labels, drawing))
    game = GAMES[seen.match.game]
    return render_template(
        "table/story.html",
        seen=seen,
        game=game,
        data=game.data,
        story=story,
        figures=figures,
        tell=tell,
        table=open_table(reading(), seen) if seen.match.status == OVER else None,
    )
