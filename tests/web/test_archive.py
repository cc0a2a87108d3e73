"""The archive: matches that have ended, found by those who may see them, in the order asked for."""

import csv
import html
import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from sqlalchemy import select, update
from werkzeug.datastructures import MultiDict

from stockpile_web.games import GAMES
from stockpile_web.match import archive
from stockpile_web.match.archive import NotThere, Search, find
from stockpile_web.storage.models import Match, Seat, User
from stockpile_web.storage.models.archive import list_of
from stockpile_web.storage.names import columns
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web.archive.address import read, rule_choices
from stockpile_web.web.archive.spreadsheet import SPREADSHEETS
from stockpile_web.web.spreadsheets import safe
from tests.support import finished, toy
from tests.support.people import close, seated

FIRST_DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def put(app, *rows):
    """Write matches that have ended, a day apart; each is (name, people, scores, changes)."""
    ids = []
    with app.app_context(), writing() as tx:
        names = {name for _, people, _, _ in rows for name in people}
        shown = {"created_at": FIRST_DAY, "profile_for": "all"}
        known = {name: User(**columns(name), **shown) for name in sorted(names)}
        tx.add_all(known.values())
        tx.flush()
        for number, (name, people, scores, changes) in enumerate(rows):
            ended = FIRST_DAY + timedelta(days=number)
            match = Match(
                **{
                    "name": name, "game": "stockpile", "options": "", "size": len(people),
                    "status": "over", "host": known[people[0]], "listed": True, "pace": "day",
                    "open_chat": False, "invitation": name, "created_at": ended,
                    "started_at": ended, "ended_at": ended, "version": 50,
                    "top_score": scores and max(scores),
                    "margin": scores and sorted(scores)[-1] - sorted(scores)[-2],
                }
                | changes
            )  # fmt: skip
            for seat, person in enumerate(people):
                place = scores and 1 + sum(other > scores[seat] for other in scores)
                score = scores and scores[seat]
                tx.add(Seat(match=match, number=seat, user=known[person], place=place, score=score))
            tx.flush()
            ids.append(match.id)
        over = tx.scalars(select(Match.id).where(Match.ended_at.is_not(None))).all()
    for number in over:
        finished.archive(app, number)
    return ids


def found(answer):
    """Return the names of the tables on a page, in their order."""
    assert answer.status_code == 200, answer.text
    return re.findall(r'<div class="row-main"><a href="[^"]*">([^<]*)</a>', answer.text)


def list_of_ann():
    ann = reading().scalar(select(User.id).where(User.name == "ann"))
    assert ann
    return list_of(ann)


BONDS = {"options": "bonds"}
ROWS: tuple[Any, ...] = (
    ("Alpha", ("ann", "bob"), (30, 20), BONDS),
    ("Beta", ("ann", "carol", "bob"), (10, 50, 49), {"version": 90}),
    ("Gamma", ("carol", "dave"), (12, 12), {"game": "illimat"}),
    ("Hidden", ("ann", "bob"), (99, 1), {"listed": False, **BONDS}),
    ("Trial", ("ann", "bob"), (98, 1), {"practice": True}),
    ("Shut", ("ann", "bob"), None, {"status": "closed"}),
    ("Unbegun", ("ann", "bob"), None, {"status": "closed", "version": 0}),
    ("Running", ("ann", "bob"), None, {"status": "playing", "ended_at": None}),
)


def test_anybody_finds_what_has_ended_and_is_listed_and_nothing_else(app, client):
    put(app, *ROWS)
    page = client.get("/archive")
    assert found(page) == ["Gamma", "Beta", "Alpha"]
    for secret in ("Hidden", "Trial", "Shut", "Unbegun", "Running", ";99", ";98"):
        assert secret not in page.text
    row = page.text.replace("&nbsp;", " ")
    assert "<b>1. carol</b>, $50K; 2. bob, $49K; 3. ann, $10K" in row
    for words in ("$1K ahead", "a shared win", "89 moves", "Mon 2 Mar 2026"):
        assert words in page.text
    for words, names in {
        "closed=1": ["Shut", "Gamma", "Beta", "Alpha"],
        "order=longest": ["Beta", "Gamma", "Alpha"],
        "order=closest": ["Gamma", "Beta", "Alpha"],
        "order=highest": ["Beta", "Alpha", "Gamma"],
        "order=highest&closed=1": ["Beta", "Alpha", "Gamma"],
        "game=illimat": ["Gamma"],
        "player=ANN": ["Beta", "Alpha"],
        "player=ann&closed=1": ["Shut", "Beta", "Alpha"],
        "players=3": ["Beta"],
        "game=stockpile&rule=bonds": ["Alpha"],
        "game=stockpile&rule=-bonds": ["Beta"],
        "from=2026-03-02": ["Gamma", "Beta"],
        "to=2026-03-02": ["Beta", "Alpha"],
        "from=2026-03-02&to=2026-03-02": ["Beta"],
        "player=dave&players=3": [],
    }.items():
        assert found(client.get(f"/archive?{words}")) == names, words


def test_my_own_matches_are_there_for_me_alone(app, client, sign_up):
    put(app, *ROWS)
    assert client.get("/archive?mine=1").status_code == 302
    assert client.get("/archive.csv?mine=1").status_code == 302
    with app.app_context():  # Nor would they be without the way to sign in.
        asked = read(reading(), MultiDict({"mine": "1", "player": "ann"}), None)
        names = [match.name for match in find(reading(), asked.search, 25).matches]
    assert names == ["Beta", "Alpha"]
    eve = app.test_client()
    sign_up(eve, "eve")
    assert found(eve.get("/archive?mine=1")) == []
    assert "No match of yours has ended yet" in eve.get("/archive?mine=1").text
    assert found(eve.get("/archive?player=ann")) == ["Beta", "Alpha"]
    with app.app_context():
        search = Search(list_of_ann(), unlisted=True, closed=True)
        names = [match.name for match in find(reading(), search, 25).matches]
    assert names == ["Shut", "Trial", "Hidden", "Beta", "Alpha"]


def test_a_page_goes_on_where_the_last_one_ended_in_every_order(app):
    scores = ((5, 5), (9, 5), (9, 5), (7, 1), (9, 5), (5, 5), (7, 3))
    put(app, *((f"T{n}", ("ann", "bob"), pair, {}) for n, pair in enumerate(scores)))
    with app.app_context():
        for order in archive.ORDERS:
            search = Search(order=order)
            whole = [match.id for match in find(reading(), search, 25).matches]
            assert len(set(whole)) == len(scores)
            pages = [find(reading(), search, 3)]
            while pages[-1].after:
                pages.append(find(reading(), search, 3, after=pages[-1].after))
            assert [[match.id for match in page.matches] for page in pages] == [
                whole[:3], whole[3:6], whole[6:]
            ]  # fmt: skip
            back = find(reading(), search, 3, before=pages[2].before)
            assert back == pages[1]
            assert find(reading(), search, 3, before=back.before) == pages[0]
            assert (pages[0].before, pages[2].after) == (None, None)
            with pytest.raises(NotThere):
                find(reading(), search, 3, after=whole[-1])


def test_where_a_hidden_match_stands_is_not_told(app, client):
    ids = put(app, *ROWS)
    hidden = ids[[name for name, *_ in ROWS].index("Hidden")]
    with app.app_context(), pytest.raises(NotThere):
        find(reading(), Search(list_of_ann()), 25, after=hidden)
    for place in (f"after={hidden}", "after=x", "before=99999999999", "after=4711"):
        page = client.get(f"/archive?player=ann&{place}")
        assert found(page) == ["Beta", "Alpha"]
        assert "this is its beginning" in page.text


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("game=chess", "no game called “chess”"),
        ("rule=bonds", "choose it first"),
        ("game=stockpile&rule=pigs", "has no rule “pigs”"),
        ("player=nobody", "Nobody of this name"),
        ("players=1", "A number from 2 to"),
        ("players=²", "A number from 2 to"),
        ("from=yesterday", "A day is written like"),
        ("to=9999-12-31", "A day is written like"),
        ("from=2026-03-02&to=2026-03-01", "before the first"),
        ("order=sideways", "one of these orders"),
    ],
)
def test_what_cannot_be_searched_for_is_said_and_the_rest_of_the_form_stays(client, words, error):
    answer = client.get(f"/archive?closed=1&{words}")
    assert answer.status_code == 422
    assert error in answer.text
    assert 'name="closed" value="1" checked' in answer.text
    assert client.get(f"/archive.csv?{words}").status_code == 422


def test_what_finds_nothing_offers_to_ask_for_less(app, client):
    put(app, *ROWS[:2])
    words = "game=stockpile&player=carol&to=2026-03-01&rule=-bonds"
    page = client.get(f"/archive?{words}")
    assert "No match is like that" in page.text
    ways = re.findall(r'href="([^"]*)"><span class="vh">Drop </span>([^<]*) <', page.text)
    said = ["without “Bonds”", "to Sun 1 Mar 2026", "player carol"]
    assert [words for _, words in ways] == said
    assert found(client.get(html.unescape(ways[1][0]))) == ["Beta"]
    assert 'href="/archive?player=carol&amp;to=2026-03-01"' in page.text  # In all games.


@pytest.mark.parametrize("game", [*GAMES.values(), toy])
def test_every_rule_that_is_played_or_not_can_be_asked_for_once(game):
    keys = [option.key for option in game.OPTIONS if option.numbers is None]
    choices = rule_choices(game, [f"-{key}" for key in keys if key == keys[-1]])
    offered = [key for choice in choices for key, _ in choice.choices if key]
    assert [key for key in offered if not key.startswith("-")] == keys
    assert len({choice.title for choice in choices}) == len(choices)
    grouped = [option.group for option in game.OPTIONS if option.key == keys[-1]] != [""]
    assert choices[-1].chosen == ("" if grouped else f"-{keys[-1]}")


def test_an_address_says_only_what_is_asked(client):
    answer = client.get("/archive?player=&game=stockpile&from=&endpoint=x&_external=1")
    assert answer.status_code == 302
    assert answer.location == "/archive?game=stockpile&endpoint=x&_external=1"
    assert client.get(answer.location).status_code == 200


def test_a_spreadsheet_has_a_line_for_each_player_and_no_formula(app, client):
    ids = put(app, ("=1+1", ("ann", "-bob"), (-3, -5), BONDS), *ROWS[1:4])
    answer = client.get("/archive.csv?players=2&game=stockpile")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = list(csv.DictReader(StringIO(answer.text)))
    assert [(line["table"], line["name"], line["player"], line["score"]) for line in lines] == [
        (str(ids[0]), "'=1+1", "ann", "-3"),
        (str(ids[0]), "'=1+1", "'-bob", "-5"),
    ]
    assert lines[0]["ended"] == "2026-03-01T12:00:00Z"
    answers = [client.get("/archive.csv").status_code for _ in range(SPREADSHEETS.most)]
    assert answers[-2:] == [200, 429]
    assert [safe(text) for text in ("@x", "+x", "\tx", "x=")] == ["'@x", "'+x", "'\tx", "x="]


def test_my_tables_shows_the_newest_that_are_over_and_the_way_to_all(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, name="Ours")
    close(match_id, ann, bob)
    page = ann.get("/tables").text
    assert page.count("Ours") == 1 and "Closed" in page
    assert "Search my finished matches" in page
    with app.app_context(), writing() as tx:
        over = {"status": "over", "margin": 3, "top_score": 9, "version": 20, "listed": False}
        tx.execute(update(Match).values(**over))
        tx.execute(update(Seat).values(place=1, score=9))
    finished.archive(app, match_id)
    assert found(ann.get("/archive?mine=1")) == ["Ours"]
    assert found(bob.get("/archive")) == []
