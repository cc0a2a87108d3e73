"""The guide at a first table: it explains a round by what its player sees, and can be left."""

import re
from html import unescape
from random import Random

import pytest

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat
from stockpile_web.web import board_cache
from tests.support.clicking import make_any_move
from tests.support.stored import put
from tests.support.toy.site import SLUG, add_toy
from tests.support.worlds import worlds_of

GUIDE, LOOK = 'id="guide"', "data-look="
ASKS = "What would a steady player do?"
LEAVES, WAITS, EXPLAINS = (
    "Leave the guide",
    "the guide waits to be asked",
    "Explain the decisions of this round",
)
FRAGMENT = {"HX-Request": "true"}
CSRF = re.compile(r'(name="csrf_token" value=|X-CSRFToken": )"[^"]*"')
STEP = re.compile(r'href="(/table/\d+\?moves_made=[^"#]*step=[^"#]*)')


def begin(client, slug):
    """Let a stranger try a game; return the number of their table."""
    return int(client.post(f"/try/{slug}").location.rsplit("/", 1)[1])


def kept(app, match_id):
    """Return the match as it is stored, its player's seat and its round."""
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        mine = next(seat for seat in match.seats if seat.user_id is not None)
        game = GAMES[match.game]
        return match, mine, game.view(codec.load(game.State, match.state), None).round


def sent(client, match_id):
    """Return every byte of a guided table: page, fragment, a turn half built, and headers."""
    board_cache.clear()
    address = f"/table/{match_id}"
    answers = [client.get(address, headers=head) for head in ({}, FRAGMENT)]
    if way := STEP.search(answers[0].text):
        answers.append(client.get(unescape(way[1])))
    lines = [line for answer in answers for line in str(answer.headers).splitlines()]
    pages = [CSRF.sub("", answer.text) for answer in answers]
    assert all(GUIDE in page for page in pages)
    return [*pages, *(line for line in lines if "Set-Cookie" not in line)]


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_a_round_is_explained_by_what_the_seat_sees_and_then_the_guide_waits(
    app, client, monkeypatch, slug
):
    add_toy(app, monkeypatch)
    match_id, chooser, compared = begin(client, slug), Random(3), 0
    for number in range(40):
        match, mine, this_round = kept(app, match_id)
        if this_round > 1 or match.status != "playing":
            break
        if number % 3 == 0:
            here = sent(client, match_id)
            assert LOOK in here[0] and LEAVES in here[0] and "practice.css" in here[0]
            assert ASKS not in here[0]
            state = codec.load(GAMES[slug].State, match.state)
            other = codec.dump(worlds_of(slug).another_world(state, mine.number, chooser))
            compared += other != match.state
            put(app, match_id, other)
            assert sent(client, match_id) == here
            put(app, match_id, match.state)
            board_cache.clear()
        make_any_move(client, match_id, chooser)
    assert compared
    if this_round == 2:
        page = client.get(f"/table/{match_id}").text
        assert WAITS in page and LOOK not in page and ASKS in page
        client.post(f"/table/{match_id}/guide", data={"do": "again"})
        page = client.get(f"/table/{match_id}").text
        assert WAITS not in page and LOOK in page
        assert kept(app, match_id)[1].guided == 2
    else:
        assert match.status != "playing" and slug == SLUG


def test_the_guide_is_left_and_taken_up_again_and_nobody_else_is_told(app, client, sign_up):
    match_id = begin(client, next(iter(GAMES)))
    address = f"/table/{match_id}"
    before = kept(app, match_id)[0]
    left = client.post(f"{address}/guide", data={"do": "leave"}, headers=FRAGMENT)
    assert left.text.lstrip().startswith("<title>")
    assert GUIDE not in left.text and ASKS in left.text
    page = client.get(address)
    assert GUIDE not in page.text and EXPLAINS in page.text and "practice.css" in page.text
    assert client.post(f"{address}/guide", data={"do": "again"}).status_code == 303
    again = client.get(address, headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 200 and LOOK in again.text
    after = kept(app, match_id)[0]
    assert (after.version, after.table_version) == (before.version, before.table_version)

    # It is for whoever is alone at a practice table: no stranger's, and silent when others belong.
    ann = app.test_client()
    anns = sign_up(ann, "ann")
    assert ann.post(f"{address}/guide", data={"do": "again"}).status_code == 404
    with app.app_context(), changing(match_id) as turn:
        next(seat for seat in turn.seats if seat.user_id is None).user_id = anns
    assert client.post(f"{address}/guide", data={"do": "again"}).status_code == 403
    for person in (client, ann):
        page = person.get(address).text
        assert GUIDE not in page and EXPLAINS not in page and "practice.css" not in page
    with app.app_context():
        assert {seat.guided for seat in db.session.query(Seat).filter_by(match_id=match_id)} == {
            0,
            1,
        }
