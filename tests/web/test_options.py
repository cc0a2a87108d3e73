"""Options that are not for every number of players: neither offered, nor played, nor shown."""

import re

from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.storage.transactions import writing
from tests.support.people import seated, table

CHOSEN = {"game": "stonks", "options.1": "small_caps", "options.2": "rounds_5"}
WORDS = re.compile("Small caps|5 rounds|Played with")


def stored(app, match_id):
    with app.app_context():
        return db.session.get_one(Match, match_id).options


def test_a_table_of_two_is_not_played_with_options_for_more(app, sign_up):
    match_id, ann = table(app, sign_up, 2, **CHOSEN)
    assert stored(app, match_id) == ""
    room = ann.get(f"/table/{match_id}").text
    link = re.search(r"/join/[^\"]+", room)
    assert link and not WORDS.search(room)
    bob = app.test_client()
    assert not WORDS.search(bob.get(link[0]).text)
    sign_up(bob, "bob")
    assert bob.post(link[0]).status_code == 303
    page = bob.get(f"/table/{match_id}").text
    assert "Round 1 of 2" in page and not WORDS.search(page)


def test_a_table_of_three_shows_what_it_has_chosen_before_and_after_the_start(app, sign_up):
    match_id, ann = table(app, sign_up, 3, **CHOSEN)
    assert stored(app, match_id) == "small_caps rounds_5"
    room = ann.get(f"/table/{match_id}").text
    link = re.search(r"/join/[^\"]+", room)
    assert link
    for page in (room, app.test_client().get(link[0]).text):
        assert re.findall('badge">(Small caps|5 rounds)', page) == ["Small caps", "5 rounds"]
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    page = ann.get(f"/table/{match_id}").text
    assert "Played with: Small caps &amp; blue chips, 5 rounds" in page and "Round 1 of 5" in page


def test_two_who_begin_at_a_larger_table_play_without_options_for_more(app, sign_up):
    match_id, ann = table(app, sign_up, 4, **CHOSEN)
    for do in ("bot", "start"):
        ann.post(f"/table/{match_id}/seating", data={"do": do})
    page = ann.get(f"/table/{match_id}").text
    assert "Round 1 of 2" in page and not WORDS.search(page)


def test_a_match_that_stored_options_for_more_players_is_shown_without_them(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, game="stonks")
    with app.app_context(), writing() as session:
        session.get_one(Match, match_id).options = "small_caps rounds_5"
    assert not WORDS.search(ann.get(f"/table/{match_id}").text)
    ann.post(f"/table/{match_id}/seating", data={"do": "close"})
    bob.post(f"/table/{match_id}/seating", data={"do": "closing close"})
    again = ann.post(f"/table/{match_id}/seating", data={"do": "rematch"})
    assert stored(app, int(again.location.rsplit("/", 1)[1])) == ""


def test_two_players_are_not_refused_for_options_that_do_not_count_for_them(app, client, sign_up):
    sign_up(client, "ann")
    form = {"game": "stonks", "size": "2", "pace": "day", "options": ["rounds_1", "rounds_5"]}
    assert client.post("/tables/new", data=form).status_code == 303


def test_the_form_says_for_how_many_players_a_choice_is(client, sign_up):
    sign_up(client, "ann")
    page = client.get("/tables/new?game=stonks").text
    asked = re.findall(
        r'<fieldset class="choices" data-seats="3 4 5">\s*<legend>(\w+) (.*?)</', page
    )
    assert [title for title, _ in asked] == ["Market", "Rounds"]
    assert all(hint.endswith(">3 to 5 players") for _, hint in asked)
    assert "data-seats" not in client.get("/tables/new?game=stockpile").text


def test_the_form_leaves_out_what_is_not_for_the_number_chosen_in_every_game() -> None:
    css = (ROOT / "static" / "pages.css").read_text()
    for size in {size for game in GAMES.values() for size in game.SEATS}:
        chosen, others = f'[name=size][value="{size}"]:checked', f'[data-seats~="{size}"]'
        assert f"form:has({chosen}) [data-seats]:not({others})" in css
