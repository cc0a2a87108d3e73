"""Markup that checkers of HTML ask for: moments, icons and dates they can read, descriptions."""

import html
import re

import pytest

from stockpile_web.games import GAMES
from tests.support.people import seated

OPEN = ("/", "/tables/listed", *(f"/rules/{game}" for game in GAMES), "/sign-in", "/nowhere")
OF_MEMBERS = ("/tables", "/tables/new", "/notices", "/notices/choices", "/account/hours")
# As HTML has it; a fraction of a second has three digits at most, so there is none.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def table(app, sign_up):
    """A live table at which somebody has spoken: its number, and its players."""
    match_id, players = seated(app, sign_up, 3, pace="live", open_chat="on")
    players[0].post(f"/table/{match_id}/chat", data={"text": "Hello"})
    return match_id, players


def description_of(page):
    (found,) = re.findall(r'<meta name="description" content="([^"]+)">', page.text)
    return html.unescape(found)


def test_every_moment_on_a_table_is_one_that_html_knows(table, client):
    match_id, players = table
    for viewer in (*players, client):
        found = re.findall(r'datetime="([^"]*)"', viewer.get(f"/table/{match_id}").text)
        assert len(found) >= 2
        assert all(MOMENT.fullmatch(moment) for moment in found)


def test_the_icon_is_an_address_without_spaces_and_says_what_it_is(table, client):
    match_id, players = table
    for page in (*(player.get(f"/table/{match_id}") for player in players), client.get("/")):
        (icon,) = re.findall(r"<link [^>]*rel=\"icon\"[^>]*>", page.text)
        assert 'type="image/svg+xml"' in icon and 'sizes="any"' in icon
        (address,) = re.findall(r'href="([^"]*)"', icon)
        assert not re.search(r"[\s<>#{}|\\^`]", address.removeprefix("data:image/svg+xml,"))


def test_a_field_for_a_date_has_nothing_that_only_text_may_have(client, sign_up):
    sign_up(client, "ann")
    dates = re.findall(r'<input[^>]*type="date"[^>]*>', client.get("/account/hours").text)
    assert len(dates) == 2
    assert not any(re.search("maxlength|spellcheck|autocapitalize", field) for field in dates)


def test_every_page_has_a_description(client, sign_up):
    pages = [client.get(address) for address in OPEN]
    sign_up(client, "ann")
    pages += [client.get(address) for address in OF_MEMBERS]
    assert all(len(description_of(page)) >= 40 for page in pages)
    of_their_own = [description_of(page) for page in pages[:4]]
    assert len(set(of_their_own)) == 4


def test_a_listed_table_is_described_by_who_plays_there_and_no_other_is(app, sign_up, table):
    match_id, (ann, *_) = table
    described = description_of(app.test_client().get(f"/table/{match_id}"))
    assert all(name in described for name in ("ann", "bob", "carol", "Stockpile"))
    form = {"game": "stockpile", "size": "2", "pace": "day"}
    private = ann.post("/tables/new", data=form).location
    ann.post(f"{private}/seating", data={"do": "fill"})
    assert "ann" not in description_of(ann.get(private)).replace("among", "").split()


def test_whatever_is_labelled_by_something_is_so_by_what_stands_on_the_page(table, client):
    match_id, players = table
    for viewer in (*players, client):
        page = viewer.get(f"/table/{match_id}").text
        labels = set(re.findall(r'aria-(?:labelledby|describedby)="([^"]+)"', page))
        assert labels and labels <= set(re.findall(r' id="([^"]+)"', page))
