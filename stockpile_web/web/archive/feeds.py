"""Atom feeds of matches that have ended: of the site, of a person, and of a group.

They come from a template: of what a library for feeds could do besides, nothing is needed here, and
Jinja escapes as it does for every page.
"""

from datetime import UTC, datetime
from urllib.parse import urlsplit

from flask import Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match.archive import Search, find
from stockpile_web.match.ended import Ended, Player
from stockpile_web.notify.smtp import site_url
from stockpile_web.storage.database import db
from stockpile_web.storage.models.acquaintances import OPEN_TO_ALL, Group
from stockpile_web.storage.models.archive import list_of, list_of_group
from stockpile_web.storage.names import isolated
from stockpile_web.storage.transactions import reading
from stockpile_web.web.archive.blueprint import bp
from stockpile_web.web.archive.people import find_person
from stockpile_web.web.people.visibility import viewer_id

NEWEST = 25
BEFORE_ALL = datetime(2026, 1, 1, tzinfo=UTC)  # What an empty feed says of itself.
SINCE = "2026"  # From when on the ids are ours, as RFC 4151 asks.


@bp.get("/feed.atom")
def site_feed() -> ResponseReturnValue:
    """Tell which matches ended last."""
    return feed(Search(), "Finished matches", url_for("archive.show"))


@bp.get("/people/<name>/feed.atom")
def person_feed(name: str) -> ResponseReturnValue:
    """Tell which matches of a person ended last."""
    person = find_person(reading(), name, viewer_id())
    if person is None:
        abort(404)
    page = url_for("archive.show", player=person.name)
    return feed(Search(list_of(person.id)), f"Finished matches of {person.shown_name}", page)


@bp.get("/groups/<int:group_id>/feed.atom")
def group_feed(group_id: int) -> ResponseReturnValue:
    """Tell which listed matches of a group that is open to all ended last."""
    group = db.session.get(Group, group_id)
    if group is None or group.entry != OPEN_TO_ALL:
        abort(404)
    page = url_for("archive.show", group=group_id)
    title = f"Finished matches of {isolated(group.name)}"
    return feed(Search(list_of_group(group_id)), title, page)


def feed(search: Search, title: str, page: str) -> Response:
    """Return the newest matches of a search as a feed; `page` is where people read the same."""
    matches = find(reading(), search, NEWEST).matches
    root = site_url()
    host = urlsplit(root).hostname or "localhost"
    text = render_template(
        "archive/feed.xml",
        title=title,
        id=f"tag:{host},{SINCE}:{request.path}",
        root=root,
        page=page,
        updated=matches[0].ended_at if matches else BEFORE_ALL,
        entries=[(match, f"tag:{host},{SINCE}:/table/{match.id}") for match in matches],
        games=GAMES,
        told=in_words,
    )
    answer = Response(text, content_type="application/atom+xml; charset=utf-8")
    if matches:
        answer.last_modified = matches[0].ended_at
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def in_words(match: Ended) -> str:
    """Tell how a match ended: who won with what, and how the others did."""
    if not match.winners:
        return f"Played by {_all(match.players)}."
    rest = [player for player in match.players if not player.has_won]
    names = _listed([player.shown_name for player in match.winners])
    won = f"{names} won with {match.winners[0].score_in_words}"
    return f"{won}, ahead of {_all(rest)}." if rest else f"{won}."


def _all(players: list[Player]) -> str:
    told = ((player.shown_name, player.score_in_words) for player in players)
    return _listed([f"{name} with {score}" if score else name for name, score in told])


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
