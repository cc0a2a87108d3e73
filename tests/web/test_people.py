"""Profiles and the list of ratings: what they add up, and who may see them."""

import csv
import re
from collections.abc import Callable
from html import unescape
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from stockpile_web.games import GAMES
from stockpile_web.match import departure
from stockpile_web.match.ratings import SURE_AFTER
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Rating, RatingChange, User
from stockpile_web.storage.models.people import ALL, MEMBERS, NOBODY, PLAYED
from stockpile_web.storage.names import columns
from stockpile_web.storage.transactions import writing
from stockpile_web.words.moments import about
from stockpile_web.worker.reckoning import reckon_next
from tests.conftest import PASSWORD
from tests.support.clicking import make_any_move
from tests.support.finished import finished, person
from tests.support.known import FIRST
from tests.support.people import let_anybody_leave, on_turn, seated

GAME = GAMES[FIRST]
BOT = next(iter(GAME.BOTS))


def words_of(page: str) -> str:
    """Return what a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def without_token(page: str) -> str:
    """Return a page without the token against forged forms, which tells the second."""
    token = re.search(r'"X-CSRFToken": "([^"]+)"', page)
    return page.replace(token[1], "") if token else page


def test_a_profile_adds_up_what_was_finished(app: Flask, sign_up: Callable[..., int]) -> None:
    ann = app.test_client()
    me, bob, carol = sign_up(ann, "ann"), person(app, "bob"), person(app, "carol")
    ann.get("/tables")
    assert "You have finished no match yet" in ann.get("/people/ann").text
    option = next(o for o in GAME.OPTIONS if o.numbers is None and o.seats is None and not o.needs)
    finished(app, [me, bob], scores=[30, 20], thinking=60, options=option.key)
    finished(app, [bob, me], scores=[40, 10], thinking=180, name="The second")
    for _ in range(2):
        finished(app, [me, bob, carol], scores=[9, 8, 7])
    finished(app, [me, bob], practice=True, name="Only practice")
    finished(app, [me, bob], status="closed", name="Never ended")
    page = words_of(ann.get("/people/ANN").text)  # No capital keeps anybody away.
    assert "3 of 4 matches won. The last 2 in a row. Longest row of wins: 2." in page
    assert "On average a move takes 2 minutes." in page
    two = f"{GAME.TITLE} 2 2 1 1.5 {GAME.score_in_words(20)} {GAME.score_in_words(30)}"
    three = f"{GAME.TITLE} 3 2 2 1.0 {GAME.score_in_words(9)} {GAME.score_in_words(9)}"
    assert two in page and three in page
    assert f"{GAME.TITLE}: {option.title} (1)" in page
    assert "bob 4 against bob 3 1" in page and "carol 2 against carol 2 0" in page
    assert f"The second {GAME.TITLE}: place 2 of 2, with {GAME.score_in_words(10)}" in page
    assert "Only practice" not in page and "Never ended" not in page
    against = words_of(ann.get("/people/ann?against=CAROL").text)
    assert "2 matches: ahead 2 times, behind 0 times." in against
    assert "The second" not in against
    with app.app_context(), writing() as tx:
        tx.get_one(User, carol).profile_for = NOBODY
    page = ann.get("/people/ann").text  # I know with whom I played, but her profile is hers.
    assert "against carol" in words_of(page) and 'href="/people/carol"' not in page
    assert "ahead 2 times" in ann.get("/people/ann?against=carol").text
    for nobody in ("dave", "ann"):
        assert "no match together" in ann.get(f"/people/ann?against={nobody}").text


@pytest.mark.parametrize(
    ("shown_to", "who"),
    [
        (ALL, "ann bob carol stranger"),
        (MEMBERS, "ann bob carol"),
        (PLAYED, "ann bob"),
        (NOBODY, "ann"),
    ],
)
def test_a_person_decides_who_may_see_their_profile(
    app: Flask, sign_up: Callable[..., int], shown_to: str, who: str
) -> None:
    clients = {name: app.test_client() for name in ("ann", "bob", "carol", "stranger")}
    ids = {name: sign_up(clients[name], name) for name in ("ann", "bob", "carol")}
    finished(app, [ids["ann"], ids["bob"], BOT])
    rated = finished(app, [ids["ann"], BOT])
    clients["ann"].post("/account/profile", data={"profile_for": shown_to, "rated": FIRST})
    with app.app_context(), writing() as tx:
        tx.execute(update(Rating).values(on_since=tx.get_one(Match, rated).started_at))
    while reckon_next(app):
        pass
    for name, client in clients.items():
        client.get("/people")  # What is said once after signing up is said.
        answer = client.get("/people/ann")
        may = name in who.split()
        assert answer.status_code == (200 if may else 404), name
        if not may:
            nobody = client.get("/people/eve")
            assert nobody.status_code == 404
            assert without_token(answer.text).replace("/ann", "/eve") == without_token(nobody.text)
            headers = [{**a.headers, "Set-Cookie": ""} for a in (answer, nobody)]
            assert headers[0] == headers[1]
        assert ('href="/people/ann"' in client.get("/people").text) == may


def test_a_table_that_is_not_listed_counts_but_only_those_who_sat_there_see_which_it_was(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    bob, carol = app.test_client(), app.test_client()
    ids = [person(app, "ann"), sign_up(bob, "bob")]
    sign_up(carol, "carol")
    finished(app, ids, listed=False, name="Our secret")
    for client, knows in ((bob, True), (carol, False)):
        page = client.get("/people/ann").text
        assert "1 of 1 match won." in words_of(page)
        assert ("Our secret" in page, "against bob" in page) == (knows, knows)
        against = client.get("/people/ann?against=bob").text
        assert ("no match together" in against) is not knows


def test_a_table_that_is_not_listed_counts_between_those_who_sat_there_alone(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    clients = {name: app.test_client() for name in ("ann", "bob", "carol", "stranger")}
    ids = [sign_up(clients[name], name) for name in ("ann", "bob", "carol")]
    with app.app_context(), writing() as tx:
        tx.execute(update(User).values(profile_for=ALL))
    finished(app, ids, listed=False)
    finished(app, ids, listed=False)
    finished(app, ids)
    # Ann knows all; Bob what he and she did, and of Carol what anybody knows.
    for name, told in {
        "ann": ("bob 3 against bob 3 0", "carol 3 against carol 3 0"),
        "bob": ("bob 3 against bob 3 0", "carol 1 against carol 1 0"),
        "carol": ("carol 3 against carol 3 0", "bob 1 against bob 1 0"),
        "stranger": ("bob 1 against bob 1 0", "carol 1 against carol 1 0"),
    }.items():
        page = words_of(clients[name].get("/people/ann").text)
        assert all(words in page for words in told), (name, page)
        hint = {"ann": "", "stranger": "count for nobody here."}
        assert hint.get(name, "count between the two of you alone.") in page
        against = words_of(clients[name].get("/people/ann?against=carol").text)
        met = 3 if name in ("ann", "carol") else 1
        assert f"{met} match" in against and f"ahead {met} times, behind 0 times." in against
    assert "not listed count" not in clients["ann"].get("/people/ann").text


def test_of_somebody_whose_tables_are_not_listed_the_latest_are_looked_at_and_the_page_says_so(
    app: Flask, client: FlaskClient, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stockpile_web.web.people.recent.LOOKED_AT", 2)
    monkeypatch.setattr("stockpile_web.web.people.profile.LOOKED_AT", 2)
    sign_up(client, "carol")
    ids = [person(app, "ann"), person(app, "bob")]
    finished(app, ids, name="Long ago")
    assert "Long ago" in client.get("/people/ann").text
    for _ in range(2):
        finished(app, ids, listed=False)
    page = words_of(client.get("/people/ann").text)
    assert "3 of 3 matches won." in page and "Long ago" not in page
    assert "Looked for among the latest 2 matches. None of them is listed." in page
    against = words_of(client.get("/people/ann?against=bob").text)
    assert "1 match: ahead 1 times" in against and "among the latest 2 matches" in against


def test_a_profile_tells_of_new_results_at_once_and_knows_people_by_another_name(
    app: Flask, client: FlaskClient, sign_up: Callable[..., int]
) -> None:
    me, bob = sign_up(client, "ann"), person(app, "bob")
    finished(app, [me, bob], scores=[30, 20])
    assert "1 of 1 match won." in words_of(client.get("/people/ann").text)
    finished(app, [bob, me], scores=[50, 40])
    page = words_of(client.get("/people/ann").text)
    assert "1 of 2 matches won." in page and "in a row" not in page
    assert f"{GAME.score_in_words(35)} {GAME.score_in_words(40)}" in page
    with app.app_context(), writing() as tx:
        for column, value in columns("robert").items():
            setattr(tx.get_one(User, bob), column, value)
    page = words_of(client.get("/people/ann").text)
    assert "robert 2 against robert 1 1" in page and "bob" not in page
    with app.app_context():
        departure.forget(db.session.get_one(User, bob))
    page = words_of(client.get("/people/ann").text)
    assert "1 of 2 matches won." in page and "robert" not in page
    assert "No match against people whose profile you may see." in page


def test_a_match_that_still_runs_changes_nothing_in_a_profile(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, players = seated(app, sign_up, 2)
    carol = app.test_client()
    sign_up(carol, "carol")
    carol.get("/tables")
    pages = ("/people/ann", "/people/bob", "/people/ann?against=bob", "/people")
    before = [without_token(carol.get(page).text) for page in pages]
    chooser = Random(3)
    for _ in range(12):
        make_any_move(on_turn(app, match_id, players)[0], match_id, chooser)
    assert [without_token(carol.get(page).text) for page in pages] == before


def test_ratings_are_shown_to_those_who_want_them_and_kept_when_they_do_not(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    ann = app.test_client()
    me = sign_up(ann, "ann")
    bob = person(app, "bob")
    assert ann.post("/account/profile", data={"profile_for": "who"}).status_code == 400
    form = {"profile_for": MEMBERS, "rated": FIRST}
    assert ann.post("/account/profile", data=form).status_code == 303
    matches = [finished(app, [me, BOT]) for _ in range(SURE_AFTER)]
    with app.app_context(), writing() as tx:
        tx.execute(update(Rating).values(on_since=tx.get_one(Match, matches[0]).started_at))
    assert reckon_next(app)
    assert "Still unsure" in ann.get("/people").text
    while reckon_next(app):
        pass
    page = ann.get("/people").text
    assert "Still unsure" not in page
    assert page.index(">ann</a>") < page.index(f"{GAME.BOTS[BOT].title} (bot)")
    profile = ann.get("/people/ann").text
    assert f"after {SURE_AFTER} rated matches" in profile and "<polyline" in profile
    before = _rating(app, me)
    ann.post("/account/profile", data={"profile_for": MEMBERS})
    assert "rated matches" not in ann.get("/people/ann").text
    assert ">ann</a>" not in ann.get("/people").text
    ann.post("/account/profile", data=form)
    assert _rating(app, me) == before
    let_anybody_leave(app)
    ann.post("/account/delete", data={"password": PASSWORD})
    with app.app_context():
        left = db.session.scalars(select(Rating)).all()
        assert [(row.user_id, row.bot) for row in left] == [(None, BOT)]
        changes = db.session.scalars(select(RatingChange.rating_id)).all()
        assert set(changes) == {left[0].id} and len(changes) == SURE_AFTER
    assert app.test_client().get("/people/ann").status_code == 404
    assert bob


def _rating(app: Flask, user_id: int) -> tuple[float, float, int]:
    with app.app_context():
        row = db.session.scalars(select(Rating).filter_by(user_id=user_id)).one()
        return row.strength, row.doubt, row.matches


def test_my_results_are_mine_to_keep_and_no_table_is_a_formula(
    app: Flask, client: FlaskClient, sign_up: Callable[..., int]
) -> None:
    me, bob = sign_up(client, "ann"), person(app, "bob")
    match_id = finished(app, [me, bob], scores=[-5, -7], name="=1+1", listed=False)
    answer = client.get("/people/ann/results.csv")
    assert answer.mimetype == "text/csv"
    (row,) = csv.DictReader(answer.text.splitlines())
    assert (row["table"], row["name"], row["place"], row["score"]) == (
        str(match_id),
        "'=1+1",
        "1",
        "-5",
    )
    assert client.get("/people/bob/results.csv").status_code == 404
    assert app.test_client().get("/people/ann/results.csv").status_code == 404


def test_times_are_told_roughly() -> None:
    told = {0: "1 second", 119: "119 seconds", 150: "2 minutes", 7300: "2 hours", 200_000: "2 days"}
    assert {seconds: about(seconds) for seconds in told} == told


def test_lists_say_who_has_won_and_names_lead_to_profiles(
    app: Flask, client: FlaskClient, sign_up: Callable[..., int]
) -> None:
    me, bob = sign_up(client, "ann"), person(app, "bob")
    finished(app, [bob, me], scores=[30, 20])
    page = client.get("/tables").text.replace("&nbsp;", " ")
    assert f"<b>1. bob</b>, {GAME.score_in_words(30)}; 2. ann" in page
    made = client.post("/tables/new", data={"game": FIRST, "size": "3", "pace": "day"})
    assert 'href="/people/ann"' in client.get(made.location).text
    client.post(f"{made.location}/seating", data={"do": "fill"})
    assert 'href="/people/ann"' in client.get(made.location).text
    found = client.get("/people?name=bob ")
    assert (found.status_code, found.location) == (302, "/people/bob")
