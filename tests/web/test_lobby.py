"""Tables before and after a match: making, inviting, joining, leaving, starting, closing."""

import re
from random import Random

import pytest
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.match import seating as seating_rules
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Notice, User
from stockpile_web.storage.transactions import writing
from tests.support.clicking import make_any_move
from tests.support.people import close, let_anybody_leave, on_turn, seated, table


def seating(client, match_id, do, **data):
    return client.post(f"/table/{match_id}/seating", data={"do": do, **data}, follow_redirects=True)


def invitation(page: str) -> str:
    found = re.search(r'value="http://localhost(/join/[^"]+)"', page)
    assert found
    return found[1]


@pytest.fixture
def bob(app, sign_up):
    client = app.test_client()
    sign_up(client, "bob")
    return client


def test_a_stranger_sees_what_this_is_and_how_to_begin(client):
    page = client.get("/")
    assert page.status_code == 200
    assert "/sign-up" in page.text and "/sign-in" in page.text


def test_a_new_table_asks_for_seats_options_and_pace_and_explains_each_option(app, sign_up, client):
    sign_up(client, "ann")
    page = client.get("/tables/new").text
    assert 'name="size"' in page and 'name="pace"' in page
    assert 'value="advanced_board"' in page and "a track of its own" in page


def test_rules_to_add_are_folded_until_one_is_chosen(sign_up, client):
    sign_up(client, "ann")
    assert '<details class="more">' in client.get("/tables/new").text
    wrong = {"game": "stockpile", "size": "9", "pace": "day", "options": "advanced_board"}
    assert '<details class="more" open>' in client.post("/tables/new", data=wrong).text


@pytest.mark.parametrize(
    "wrong",
    [{"game": "chess"}, {"size": "1"}, {"size": "6"}, {"size": "x"}, {"size": "²"}, {"pace": "x"}],
)
def test_a_table_that_cannot_be_is_refused_with_the_form_again(client, sign_up, wrong):
    sign_up(client, "ann")
    good = {"game": "stockpile", "size": "3", "pace": "day"}
    answer = client.post("/tables/new", data={**good, **wrong})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_an_unknown_option_is_left_out(app, sign_up):
    match_id, _ = table(app, sign_up, 3, options=["advanced_board", "flying_pigs"])
    with app.app_context():
        assert db.session.get_one(Match, match_id).options == "advanced_board"


def test_a_private_table_is_not_there_for_others(app, sign_up, bob):
    match_id, _ = table(app, sign_up, 3)
    assert bob.get(f"/table/{match_id}").status_code == 404
    assert bob.get(f"/table/{match_id}/events").status_code == 404
    assert bob.post(f"/table/{match_id}/seating", data={"do": "join"}).status_code == 404
    assert f"/table/{match_id}" not in bob.get("/tables/listed").text


def test_a_table_that_is_not_there_for_a_stranger_may_be_so_after_signing_in(app, sign_up, client):
    match_id, ann = table(app, sign_up, 3)
    assert f"/sign-in?next=/table/{match_id}" in client.get(f"/table/{match_id}").text
    assert "/sign-in?next" not in ann.get("/table/999").text


def test_an_invitation_brings_a_friend_to_a_private_table(app, sign_up, bob):
    match_id, ann = table(app, sign_up, 3)
    link = invitation(ann.get(f"/table/{match_id}").text)
    assert "ann" in bob.get(link).text
    assert bob.post(link).location == f"/table/{match_id}"
    assert "bob" in ann.get(f"/table/{match_id}").text
    assert bob.get(link).status_code == 302


def test_an_invitation_sends_a_stranger_to_sign_up_and_back(app, sign_up, client):
    match_id, ann = table(app, sign_up, 3)
    link = invitation(ann.get(f"/table/{match_id}").text)
    page = client.get(link).text
    assert f"/sign-up?next={link}" in page
    assert client.post(link).status_code == 302


@pytest.mark.parametrize("is_closed", [False, True])
def test_whoever_comes_too_late_is_told_whom_to_ask(app, sign_up, client, is_closed):
    match_id, players = seated(app, sign_up, 2)
    if is_closed:
        close(match_id, *players)
    with app.app_context():
        link = f"/join/{db.session.get_one(Match, match_id).invitation}"
    page = client.get(link)
    assert page.status_code == 200
    words = "“ann’s table” was closed." if is_closed else "at “ann’s table” has begun already."
    assert words in page.text
    assert "Ask ann for another invitation" in page.text


@pytest.mark.parametrize("end", ["", "abc", "abc.", "A" * 16, "A" * 16 + ").", "ä"])
def test_an_invitation_that_leads_nowhere_says_what_to_do(client, end):
    page = client.get(f"/join/{end}")
    assert page.status_code == 404
    assert "This invitation leads to no table" in page.text
    assert ("A part of the link is missing" in page.text) == (len(end) < 16)
    assert "ask whoever invited you" in page.text


@pytest.mark.parametrize("end", [".", ")", ">.", "%20", "”"])
def test_what_a_mail_program_adds_to_an_invitation_does_no_harm(app, sign_up, client, end):
    match_id, ann = table(app, sign_up, 3)
    link = invitation(ann.get(f"/table/{match_id}").text)
    assert client.get(link + end).location == link


@pytest.mark.parametrize("way", ["sign-up", "sign-in"])
def test_whoever_signs_up_or_in_by_an_invitation_sits_down_without_another_press(
    app, sign_up, client, way
):
    match_id, ann = table(app, sign_up, 3, name="Friday")
    link = invitation(ann.get(f"/table/{match_id}").text)
    if way == "sign-in":
        sign_up(client, "bob")
        client.post("/sign-out")
    page = client.get(f"/{way}?next={link}").text
    assert "sit at Friday" in page and "and sit down</button>" in page
    form = {"name": "bob", "password": "correct horse", "next": link}
    answer = client.post(f"/{way}", data=form)
    assert answer.location == f"/table/{match_id}"
    assert "bob" in ann.get(f"/table/{match_id}").text


def test_whoever_signs_up_for_a_table_that_is_full_by_then_is_told_so(app, sign_up, client):
    match_id, _ = seated(app, sign_up, 2)
    with app.app_context():
        link = f"/join/{db.session.get_one(Match, match_id).invitation}"
    assert "sit down" not in client.get(f"/sign-up?next={link}").text
    form = {"name": "zoe", "password": "correct horse", "next": link}
    page = client.post("/sign-up", data=form, follow_redirects=True).text
    assert "has begun already" in page


def test_whoever_was_too_slow_at_a_private_table_is_told_so_by_the_invitation(app, sign_up, bob):
    match_id, ann = table(app, sign_up, 2)
    link = invitation(ann.get(f"/table/{match_id}").text)
    seating(ann, match_id, "fill")
    page = bob.post(link, follow_redirects=True)
    assert page.status_code == 200
    assert "has begun already" in page.text


def test_a_full_table_begins_by_itself(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    assert len(on_turn(app, match_id, players)) == 1


def test_nobody_joins_a_full_table_or_one_that_has_begun(app, sign_up):
    match_id, _ = seated(app, sign_up, 2)
    eve = app.test_client()
    sign_up(eve, "eve")
    assert "has begun already" in seating(eve, match_id, "join").text


def test_the_host_begins_early_with_those_who_are_here(app, sign_up, bob):
    match_id, ann = table(app, sign_up, 5, listed="on")
    assert "At least 2" in seating(ann, match_id, "start").text
    seating(bob, match_id, "join")
    seating(ann, match_id, "start")
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        assert (match.status, match.size) == ("playing", 2)


def test_empty_seats_are_filled_with_bots_who_play_at_once(app, sign_up):
    match_id, ann = table(app, sign_up, 5)
    seating(ann, match_id, "fill")
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        assert match.status == "playing"
        assert sorted(seat.bot is None for seat in match.seats) == [False] * 4 + [True]
        assert [seat.user_id is not None for seat in match.seats if seat.on_turn] == [True]


def test_the_host_removes_a_player_before_the_start(app, sign_up, bob):
    match_id, ann = table(app, sign_up, 3, listed="on")
    seating(bob, match_id, "join")
    with app.app_context():
        seat = next(p.number for p in db.session.get_one(Match, match_id).seats if p.name == "bob")
    assert "bob" not in seating(ann, match_id, "remove", seat=seat).text
    assert seating(bob, match_id, "join").status_code == 200


def test_a_player_leaves_before_the_start_and_the_host_cannot(app, sign_up, bob):
    match_id, ann = table(app, sign_up, 3, listed="on")
    seating(bob, match_id, "join")
    seating(bob, match_id, "leave")
    assert "bob" not in ann.get(f"/table/{match_id}").text
    assert "close it instead" in seating(ann, match_id, "leave").text
    with app.app_context():
        assert len(db.session.get_one(Match, match_id).seats) == 1


@pytest.mark.parametrize("what", ["start", "fill", "bot", "close", "remove"])
def test_only_the_host_runs_the_table(app, sign_up, bob, what):
    match_id, _ = table(app, sign_up, 3, listed="on")
    bob.post(f"/table/{match_id}/seating", data={"do": "join"})
    assert bob.post(f"/table/{match_id}/seating", data={"do": what}).status_code == 403


def test_the_host_closes_a_table_even_when_its_rules_are_broken(app, sign_up, monkeypatch):
    match_id, players = seated(app, sign_up, 3)
    with app.app_context():
        db.session.execute(db.update(Match).values(state="not a state any more"))
        db.session.commit()
    close(match_id, *players)
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        assert match.status == "closed"
        assert not any(seat.on_turn for seat in match.seats)


def test_a_rematch_asks_the_same_people_and_begins_when_all_have_come(app, sign_up):
    match_id, (ann, bob, carol) = seated(app, sign_up, 3, options=["advanced_board"])
    assert "not over yet" in seating(ann, match_id, "rematch").text
    close(match_id, ann, bob, carol)
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).listed = False

    def again(player):
        return player.post(f"/table/{match_id}/seating", data={"do": "rematch"}).location

    first = again(ann)
    assert first != f"/table/{match_id}"
    page = ann.get(first).text
    assert "2 seats are free" in page and "Advanced board" in page
    assert carol.get(first).status_code == 404  # Nobody sits there who has not come.
    assert "Join the rematch" in carol.get(f"/table/{match_id}").text
    assert "You are invited" in carol.get("/tables").text
    assert again(bob) == again(bob) == again(ann) == first
    assert "1 seat is free" in bob.get(first).text
    assert again(carol) == first
    assert "#room" not in carol.get(first).text
    with app.app_context():
        match = db.session.get_one(Match, int(first.rsplit("/", 1)[1]))
        assert match.started_at and len(match.seats) == 3


def test_nobody_can_be_pestered_with_rematches(app, sign_up):
    match_id, (ann, bob, carol) = seated(app, sign_up, 3)
    close(match_id, ann, bob, carol)
    for player in (bob, carol):
        player.post("/notices/seen")
    shown = f"/table/{match_id}"
    for _ in range(5):
        shown = ann.post(f"{shown}/seating", data={"do": "rematch"}).location
        ann.post(f"{shown}/seating", data={"do": "close"})
    for _ in range(5):
        shown = ann.post(f"/table/{match_id}/seating", data={"do": "rematch"}).location
        with app.app_context():
            code = db.session.get_one(Match, int(shown.rsplit("/", 1)[1])).invitation
        bob.post(f"/join/{code}/decline")
        bob.post("/notices/seen")
        ann.post(f"{shown}/seating", data={"do": "close"})
    with app.app_context():
        told = select(User.name_key).join(Notice).where(Notice.event == "rematch")
        # Once each; Bob, who has read it and then declined, is asked no more.
        assert db.session.scalars(told.order_by(User.name_key)).all() == ["bob", "carol"]


def test_my_tables_show_those_that_wait_for_me_first_and_next_goes_to_the_oldest(app, sign_up):
    first, (ann, bob) = seated(app, sign_up, 2)
    chooser = Random(1)
    while ann not in on_turn(app, first, [ann, bob]):
        make_any_move(bob, first, chooser)
    more = [
        ann.post("/tables/new", data={"game": "stockpile", "size": "2", "pace": "day"}).location
        for _ in range(2)
    ]
    for location in more:
        seating(ann, int(location.rsplit("/", 1)[1]), "fill")
    assert ann.get("/next").location == f"/table/{first}"
    while ann in on_turn(app, first, [ann, bob]):
        make_any_move(ann, first, chooser)
    assert ann.get("/next").location == more[0]
    page = ann.get("/tables").text
    places = [page.index(f'"{location}"') for location in (*more, f"/table/{first}")]
    assert page.index("Your turn") < min(places[:2])
    assert max(places[:2]) < page.index("Waiting for others") < places[2]
    while ann not in on_turn(app, first, [ann, bob]):
        make_any_move(bob, first, chooser)
    assert ann.get("/next").location == more[0]  # The first one waits since this moment alone.


def test_next_says_so_when_no_table_waits(client, sign_up):
    sign_up(client, "ann")
    assert "No table waits for you" in client.get("/next", follow_redirects=True).text


def test_who_deletes_their_account_is_played_for_by_a_bot(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    let_anybody_leave(app)
    for player in players[:2]:
        answer = player.post("/account/delete", data={"password": "correct horse"})
        assert answer.status_code in (302, 303), answer.text
    carol = players[2]
    page = carol.get(f"/table/{match_id}").text
    assert "former player" in page and "ann" not in page
    with app.app_context():
        seats = db.session.get_one(Match, match_id).seats
        assert [seat.name for seat in seats if seat.on_turn] == ["carol"]


def test_nobody_hosts_more_tables_than_anybody_could_play(app, sign_up, monkeypatch):
    monkeypatch.setattr(seating_rules, "MOST_TABLES", 1)
    match_id, ann = table(app, sign_up, 3)
    form = {"game": "stockpile", "size": "3", "pace": "day"}
    answer = ann.post("/tables/new", data=form)
    assert answer.status_code == 422 and "close one of them" in answer.text
    assert "never began" in seating(ann, match_id, "close").text
    assert ann.get(f"/table/{match_id}/log").status_code == 404
    assert ann.post("/tables/new", data=form).status_code == 303


def test_an_option_without_the_one_it_needs_is_refused_kindly(app, client, sign_up):
    sign_up(client, "ann")
    form = {"game": "stockpile", "size": "3", "pace": "day"}
    lonely = {**form, "options": ["bonds", "promo_investors"]}
    answer = client.post("/tables/new", data=lonely)
    assert answer.status_code == 422
    assert "“More investors: promos” needs “Investors”" in answer.text
    assert re.search(r'value="bonds"[^>]* checked', answer.text)  # What was ticked stays so.
    assert not re.search(r'value="strategies"[^>]* checked', answer.text)
    both = {**form, "options": ["investors", "promo_investors"]}
    assert client.post("/tables/new", data=both).status_code == 303


def test_of_options_that_rule_each_other_out_the_page_offers_one_to_choose(app, client, sign_up):
    sign_up(client, "ann")
    page = client.get("/tables/new?game=stonks").text
    for key, usual in (("standard", True), ("moderate", False), ("rounds_3", True)):
        radio = re.search(rf'<input type="radio" name="options\.\d" value="{key}"[^>]*>', page)
        assert radio and radio[0].endswith(" checked>") == usual
    form = {"game": "stonks", "size": "3", "pace": "day"}
    answer = client.post(
        "/tables/new", data={**form, "options.1": "moderate", "options.2": "rounds_5"}
    )
    assert answer.status_code == 303
    with app.app_context():
        assert db.session.query(Match).one().options == "moderate rounds_5"


def test_the_page_of_a_new_table_asks_for_one_game_and_links_to_the_others(client, sign_up):
    sign_up(client, "ann")
    for address, game in (("", "stockpile"), ("?game=stonks", "stonks"), ("?game=x", "stockpile")):
        page = client.get("/tables/new" + address).text
        assert re.findall(r'name="game" value="(\w+)"', page) == [game]
        links = re.findall(r'href="/tables/new\?game=(\w+)"( aria-current="page")?', page)
        assert [slug for slug, is_here in links if is_here] == [game]
        assert {slug for slug, _ in links} == set(GAMES)


def test_options_that_rule_each_other_out_are_refused_kindly(app, client, sign_up):
    sign_up(client, "ann")
    form = {"game": "stonks", "size": "3", "pace": "day", "options": ["rounds_1", "rounds_5"]}
    answer = client.post("/tables/new", data=form)
    assert answer.status_code == 422
    assert "“1 round” and “5 rounds” do not go together" in answer.text
