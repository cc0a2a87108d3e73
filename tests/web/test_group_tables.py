"""Tables of a group: there for its members as if they were listed, and for nobody else."""

from random import Random

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.web import board_cache
from tests.support.clicking import make_any_move
from tests.support.known import FIRST
from tests.support.people import NAMES, on_turn
from tests.support.stored import put
from tests.support.worlds import worlds_of
from tests.web.test_bytes import CSRF


def sent(client, *addresses):
    """Return all that a browser gets to see at some addresses."""
    board_cache.clear()
    return [CSRF.sub("", client.get(address).text) for address in addresses]


def test_a_table_of_a_group_is_there_for_its_members_alone(app, sign_up):
    ann, bob, carol = (app.test_client() for _ in range(3))
    for name, client in zip(NAMES, (ann, bob, carol), strict=False):
        sign_up(client, name)
    # Whoever has no group is told what to do.
    assert "You are in none yet" in ann.get("/groups").text
    assert "Table of a group" not in ann.get("/tables/new").text
    assert ann.post("/groups/new", data={"name": " ", "entry": "open"}).status_code == 422
    group = ann.post("/groups/new", data={"name": "Club", "entry": "open"}).location
    number = group.rsplit("/", 1)[1]
    assert f'<option value="{number}" selected>Club' in ann.get(f"/tables/new?group={number}").text
    form = {"game": FIRST, "size": "2", "pace": "day", "name": "Secret cellar", "group": number}
    assert carol.post("/tables/new", data=form).status_code == 422
    table = ann.post("/tables/new", data=form).location
    match_id = int(table.rsplit("/", 1)[1])
    # An open group says of itself what it is, and no more.
    for other in (bob, app.test_client()):
        page = other.get(group).text
        assert "Join" in page or "Sign up to join" in page
        assert "Secret cellar" not in page and "ann" not in page
        assert other.get(table).status_code == 404
    assert bob.post(f"{table}/seating", data={"do": "join"}).status_code == 404
    assert bob.post(group, data={"do": "join"}).status_code == 303
    assert "Secret cellar" in bob.get(group).text
    assert "Secret cellar" not in bob.get("/tables/listed").text
    assert "Club" in bob.get(table).text and "Invite bob" in ann.get(table).text
    assert bob.post(f"{table}/seating", data={"do": "join"}).status_code == 303
    # Members may watch; whoever leaves sees it no more, unless they sit there.
    carol.post(group, data={"do": "join"})
    assert carol.get(table).status_code == carol.get(f"{table}/log").status_code == 200
    with app.app_context():
        text = db.session.get_one(Match, match_id).state
    state = codec.load(GAMES[FIRST].State, text)
    other = codec.dump(worlds_of(FIRST).another_world(state, None, Random(1)))
    here = sent(carol, group, table)
    put(app, match_id, other)
    assert other != text and sent(carol, group, table) == here
    put(app, match_id, text)
    carol.post(group, data={"do": "leave"})
    for address in (table, f"{table}/log", f"{table}/events", f"{table}/turn/0"):
        assert carol.get(address).status_code == 404
    bob.post(group, data={"do": "leave"})
    assert bob.get(table).status_code == 200
    bob.post(group, data={"do": "join"})
    rng = Random(3)
    while movers := on_turn(app, match_id, [ann, bob]):
        make_any_move(movers[0], match_id, rng)
    page = ann.get(f"{group}?lately").text
    assert "Average place" in page and "Played last" in page
    # The next match of the same people is the group's, too.
    again = ann.post(f"{table}/seating", data={"do": "rematch"}).location
    with app.app_context():
        played_again = db.session.get_one(Match, int(again.rsplit("/", 1)[1]))
        assert played_again.group_id == int(number)
    # Without members a group goes; its tables stay with those who sit there.
    for member in (ann, bob):
        left = member.post(group, data={"do": "leave"}, follow_redirects=True).text
        assert "You have left Club." in left
    assert ann.get(group).status_code == 404 and ann.get(again).status_code == 200
