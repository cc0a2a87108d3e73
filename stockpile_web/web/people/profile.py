"""Somebody's profile; for whom it is not, it is not there."""

from flask import abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.match.options import rules_in_words
from stockpile_web.storage.models import User
from stockpile_web.web.people import standings
from stockpile_web.web.people.blueprint import bp
from stockpile_web.web.people.recent import LOOKED_AT, MOST_LISTED, recent
from stockpile_web.web.people.record import Played, figures, read_played
from stockpile_web.web.people.rivals import rival_called, rivals
from stockpile_web.web.people.visibility import find_person, viewer_id
from stockpile_web.web.spreadsheets import Cell, spreadsheet
from stockpile_web.words.moments import iso

HEADINGS = ("table", "name", "game", "players", "rules", "ended", "place", "score", "address")


@bp.get("/<name>")
def profile(name: str) -> ResponseReturnValue:
    """Show what somebody has played, and how they did; also against one other person."""
    person, viewer = _person(name), viewer_id()
    against = request.args.get("against", "").strip()
    rival = rival_called(person.id, against, viewer) if against else None
    added_up = figures(person.id)
    shown = recent(person.id, viewer, rival.user_id if rival else None)
    wanted = min(rival.met if rival else added_up.played, MOST_LISTED)
    is_cut = added_up.played > LOOKED_AT and len(shown) < wanted
    return render_template(
        "people/profile.html",
        person=person,
        is_mine=person.id == viewer,
        member_since=f"{person.created_at:%B %Y}",
        figures=added_up,
        curves=standings.curves(person.id),
        rivals=rivals(person.id, viewer),
        against=against,
        rival=rival,
        recent=shown,
        looked_at=f"{LOOKED_AT:,}" if is_cut else None,
    )


@bp.get("/<name>/results.csv")
def results(name: str) -> ResponseReturnValue:
    """Give people their own results to keep; others are told that there is nothing."""
    person = _person(name)
    if person.id != viewer_id():
        abort(404)
    lines = map(_line, read_played(person.id))
    return spreadsheet("results.csv", HEADINGS, lines)


def _line(played: Played) -> tuple[Cell, ...]:
    rules = ", ".join(rules_in_words(played.game, played.options, played.size))
    address = url_for("table.show", match_id=played.match_id, _external=True)
    name = played.name or played.title
    table = (played.match_id, name, played.game_title, played.size, rules)
    return (*table, iso(played.ended_at), played.place, played.score, address)


def _person(name: str) -> User:
    person = find_person(name)
    if person is None:
        abort(404)
    return person
