"""What an administrator may do to a table: its players are told, and nothing is opened."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from sqlalchemy import select, update

from stockpile_web.games import GAMES
from stockpile_web.match import checking, match_file
from stockpile_web.match.absence import NOT_BY_ADMINISTRATORS
from stockpile_web.match.administration import STILL_HERE
from stockpile_web.match.moves import HALTED
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Audit, Match, Move, Notice, Seat, User
from stockpile_web.storage.models.notices import ENDED
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import timeouts
from stockpile_web.worker.bots import let_a_bot_think
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, bots_are_due, makers, miss_turns, seats, thinker
from tests.support.known import FIRST
from tests.support.people import NAMES, on_turn, seated, table
from tests.support.playing import play

SignUp = Callable[..., int]
WHY = "The server moves house"


class Site:
    """A match of some people, and the browser of an administrator who does not play."""

    def __init__(self, app: Flask, sign_up: SignUp, size: int = 2) -> None:
        self.app, self.admin = app, app.test_client()
        sign_up(self.admin, "zoe")  # Whoever comes first is the administrator.
        self.match_id, self.players = seated(app, sign_up, size)
        self.path = f"/admin/tables/{self.match_id}"

    def do(self, what: str, status: int = 303, **form: object) -> str:
        """Let the administrator do something, and return the page that comes of it."""
        is_page = what in ("pause", "end")
        path = f"{self.path}/{what if is_page else 'change'}"
        data = form if is_page else {"do": what, **form}
        answer = self.admin.post(path, data=data)
        assert answer.status_code == status, answer.text
        return self.admin.get(answer.location).text if status == 303 else answer.text

    def log(self) -> str:
        """Return the log as a player reads it."""
        return self.players[0].get(f"/table/{self.match_id}/log").text

    def events(self) -> list[tuple[str, str]]:
        """Return what the audit log says of tables."""
        with self.app.app_context():
            lines = select(Audit.event, Audit.detail).where(Audit.detail.startswith("table"))
            return [(event, detail) for event, detail in db.session.execute(lines)]


@pytest.fixture
def site(app: Flask, sign_up: SignUp) -> Site:
    """A match of two."""
    return Site(app, sign_up)


def test_tables_are_found_by_number_and_by_a_part_of_their_name(site: Site) -> None:
    with site.app.app_context(), writing() as tx:
        tx.execute(update(Match).values(name="Friday 100%"))
    for typed in (str(site.match_id), f"#{site.match_id}", "friday", "100%"):
        page = site.admin.get("/admin/tables", query_string={"name": typed}).text
        assert f'href="{site.path}"' in page, typed
    assert site.path in site.admin.get("/admin/tables").text
    for typed in ("saturday", "999", "_", "9" * 30):
        page = site.admin.get("/admin/tables", query_string={"name": typed}).text
        assert "There is no such table." in page


@pytest.mark.parametrize(
    ("values", "badge", "words"),
    [
        ({"status": "open"}, "not begun", "it has not begun"),
        ({"status": "playing", "halted_for": WHY}, "paused", "it is played"),
        ({"status": "over"}, "over", "it is over"),
        ({"status": "closed"}, "closed", "it was closed"),
    ],
)
def test_how_a_table_stands_is_said_in_the_list_and_on_its_page(
    site: Site, values: dict[str, str], badge: str, words: str
) -> None:
    with site.app.app_context(), writing() as tx:
        tx.execute(update(Match).values(**values))
    found = site.admin.get("/admin/tables", query_string={"name": f"#{site.match_id}"}).text
    assert f'<span class="badge">{badge}</span>' in found
    assert f": {words}" in site.admin.get(site.path).text


def test_of_a_running_match_an_administrator_sees_who_sits_there_and_no_board(site: Site) -> None:
    with site.app.app_context(), writing() as tx:
        tx.execute(update(Match).values(listed=False))
    page = site.admin.get(site.path).text
    assert "ann" in page and "bob" in page and "on turn" in page
    assert f'href="/table/{site.match_id}"' not in page
    assert site.admin.get(f"/table/{site.match_id}").status_code == 404
    assert site.admin.get(f"/table/{site.match_id}/turn/0?as=all").status_code == 404
    assert site.admin.get("/admin/tables/999").status_code == 404


def test_while_a_table_is_paused_nothing_is_played_and_all_are_told_why(site: Site) -> None:
    app, match_id = site.app, site.match_id
    (mover,) = on_turn(app, match_id, site.players)
    (name,) = asked(app, match_id)
    assert site.do("pause", 422, why=" ")
    page = site.do("pause", why=WHY)
    assert "Let it go on" in page and f"{WHY}." in page
    for player in site.players:
        shown = player.get(f"/table/{match_id}").text
        assert f"An administrator has paused this table: <bdi>{WHY}.</bdi>" in shown
        assert "paused by an administrator" in player.get("/tables").text
    assert f"An administrator pauses this table: {WHY}." in site.log()
    seat = seats(app, match_id)[name]
    assert seat.on_turn and (seat.deadline_at, seat.remind_at, seat.acts_at) == (None,) * 3
    made = len(makers(app, match_id))
    moves_made = {"moves_made": str(seat.moves_made), "move": "{}"}
    refused = mover.post(f"/table/{match_id}/move", data=moves_made)
    assert refused.status_code == 422 and HALTED in refused.text
    assert not timeouts.play_for_the_late(app) and not timeouts.remind_the_late(app)
    assert len(makers(app, match_id)) == made
    assert site.events() == [("paused", f"table {match_id}")]


def test_when_it_goes_on_everybody_has_their_whole_time_again(site: Site) -> None:
    app, match_id = site.app, site.match_id
    site.do("go on", 422)  # It is not paused.
    (name,) = asked(app, match_id)
    before = seats(app, match_id)[name]
    site.do("pause", why=WHY)
    page = site.do("go on")
    assert "Pause it" in page and WHY not in page
    after = seats(app, match_id)[name]
    assert before.deadline_at and after.deadline_at
    assert after.deadline_at >= before.deadline_at and after.deadline_at > now()
    assert after.waiting_since and before.waiting_since
    assert after.waiting_since > before.waiting_since
    assert "An administrator lets this table go on." in site.log()
    (mover,) = on_turn(app, match_id, site.players)
    version = len(makers(app, match_id))
    make_any_move(mover, match_id, Random(1))
    assert len(makers(app, match_id)) > version


def test_a_bot_that_thinks_waits_while_its_table_is_paused(
    app: Flask, sign_up: SignUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES[FIRST].BOTS, "ponder", thinker())
    site = Site(app, sign_up)
    (name,) = asked(app, site.match_id)
    player = site.players[NAMES.index(name)]
    player.post(f"/table/{site.match_id}/seating", data={"do": "away", "bot": "ponder"})
    made = len(makers(app, site.match_id))
    site.do("pause", why=WHY)
    bots_are_due(app)
    assert not let_a_bot_think(app)
    site.do("go on")
    bots_are_due(app)
    assert let_a_bot_think(app)
    assert "bot" in makers(app, site.match_id)[made:]


def test_who_comes_back_to_a_paused_table_sets_nothing_going(site: Site) -> None:
    (name,) = asked(site.app, site.match_id)
    player = site.players[NAMES.index(name)]
    for what in ("away", "back"):
        if what == "back":
            site.do("pause", why=WHY)
        player.post(f"/table/{site.match_id}/seating", data={"do": what})
    assert all(seat.deadline_at is None for seat in seats(site.app, site.match_id).values())


def test_a_table_is_ended_when_its_number_is_typed_and_its_players_are_told(site: Site) -> None:
    refused = site.do("end", 422, why=WHY, number="0")
    assert "Nothing was done" in refused
    site.do("end", why=WHY, number=str(site.match_id))
    with site.app.app_context():
        match = db.session.get_one(Match, site.match_id)
        assert match.status == "closed" and match.ended_at
        told = set(db.session.scalars(select(Notice.user_id).where(Notice.event == ENDED)))
        players = set(db.session.scalars(select(Seat.user_id)))
        assert told == players
    page = site.players[0].get(f"/table/{site.match_id}").text
    assert f"An administrator has ended this match: <bdi>{WHY}.</bdi>" in page
    assert "The host has closed" not in page
    assert f"An administrator ends this match: {WHY}." in site.log()
    assert "ended already" in site.do("end", 422, why=WHY, number=str(site.match_id))


def test_a_table_that_has_not_begun_is_ended_too(app: Flask, sign_up: SignUp) -> None:
    admin = app.test_client()
    sign_up(admin, "zoe")
    match_id, ann = table(app, sign_up, 3)
    path = f"/admin/tables/{match_id}"
    assert admin.post(f"{path}/pause", data={"why": WHY}).status_code == 422
    form = {"why": WHY, "number": str(match_id)}
    assert admin.post(f"{path}/end", data=form).status_code == 303
    page = ann.get(f"/table/{match_id}").text
    assert f"An administrator has closed this table: <bdi>{WHY}.</bdi>" in page


def test_a_match_that_is_held_can_be_ended(site: Site) -> None:
    with site.app.app_context(), writing() as tx:
        tx.execute(update(Match).values(rules_version=99))
        tx.execute(update(Move).values(rules_version=99))
    assert "This match is held" in site.admin.get(site.path).text
    site.do("end", why=WHY, number=str(site.match_id))
    with site.app.app_context():
        assert db.session.get_one(Match, site.match_id).status == "closed"


def test_the_seat_of_somebody_who_is_gone_is_left_to_a_bot_until_they_are_back(site: Site) -> None:
    app, match_id = site.app, site.match_id
    bob = seats(app, match_id)["bob"]
    assert "a bot plays for them" not in site.admin.get(site.path).text
    assert "a bot plays for them" in site.do("bot", seat=bob.number)
    assert seats(app, match_id)["bob"].bot
    assert "An administrator leaves the seat of bob to a bot." in site.log()
    assert "already" in site.do("bot", 422, seat=bob.number)
    site.players[1].post(f"/table/{match_id}/seating", data={"do": "back"})
    assert not seats(app, match_id)["bob"].bot
    for seat in (7, -1):
        site.do("bot", 422, seat=seat)
    assert site.events() == [("bot", f"table {match_id}")]


def test_a_substitute_takes_a_seat_that_an_administrator_has_opened(
    site: Site, sign_up: SignUp
) -> None:
    app, match_id = site.app, site.match_id
    miss_turns(app, match_id, "bob")
    page = site.admin.get(site.path).text
    assert 'value="opened"' in page and "away: turns were played for them" in page
    site.do("opened", seat=seats(app, match_id)["bob"].number)
    assert seats(app, match_id)["bob"].is_free
    assert "An administrator opens the seat of bob to a substitute." in site.log()
    carol = app.test_client()
    sign_up(carol, "carol")
    carol.post(f"/table/{match_id}/seating", data={"do": "join"})
    assert set(seats(app, match_id)) == {"ann", "carol"}
    assert site.events() == [("opened", f"table {match_id}")]


def test_the_seat_of_somebody_who_may_be_back_is_not_opened(site: Site) -> None:
    app, match_id = site.app, site.match_id
    bob = seats(app, match_id)["bob"].number
    assert 'value="opened"' not in site.admin.get(site.path).text
    assert STILL_HERE in site.do("opened", 422, seat=bob)
    site.do("bot", seat=bob)  # This is no way around it.
    assert STILL_HERE in site.do("opened", 422, seat=bob)
    assert not seats(app, match_id)["bob"].is_open
    assert site.events() == [("bot", f"table {match_id}")]


def test_the_seat_of_a_suspended_person_can_be_opened_at_once(site: Site) -> None:
    app, match_id = site.app, site.match_id
    with app.app_context(), writing() as tx:
        tx.execute(update(User).where(User.name == "bob").values(suspended_at=now()))
    site.do("opened", seat=seats(app, match_id)["bob"].number)
    assert seats(app, match_id)["bob"].is_free


def test_no_administrator_sits_down_where_they_could_look_at_what_somebody_holds(
    site: Site,
) -> None:
    app, match_id = site.app, site.match_id
    miss_turns(app, match_id, "bob")
    site.do("opened", seat=seats(app, match_id)["bob"].number)
    sit = {"data": {"do": "join"}, "follow_redirects": True}
    answer = site.admin.post(f"/table/{match_id}/seating", **sit)
    assert NOT_BY_ADMINISTRATORS in answer.text
    assert set(seats(app, match_id)) == {"ann", "bob"}


def test_a_button_that_is_none_does_nothing(site: Site) -> None:
    assert site.admin.post(f"{site.path}/change", data={"do": "peek"}).status_code == 400
    assert site.admin.post("/admin/tables/999/change", data={"do": "bot"}).status_code == 404


def test_nothing_from_before_an_administrator_came_is_taken_back(site: Site) -> None:
    site.do("pause", why=WHY)
    site.do("go on")
    with site.app.app_context():
        assert db.session.get_one(Match, site.match_id).undo == ""


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_in_which_an_administrator_had_a_hand_is_honest_and_has_a_story(
    app: Flask, sign_up: SignUp, slug: str
) -> None:
    admin = app.test_client()
    sign_up(admin, "zoe")
    match_id, ann = table(app, sign_up, GAMES[slug].SEATS[0], game=slug, listed="on")
    ann.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": next(iter(GAMES[slug].BOTS))})
    path = f"/admin/tables/{match_id}"
    admin.post(f"{path}/pause", data={"why": WHY})
    admin.post(f"{path}/change", data={"do": "go on"})
    play(app, match_id)
    file = match_file.read(ann.get(f"/table/{match_id}/export.json").data)
    verdict = checking.check(file)
    assert verdict.is_honest, verdict.lines
    assert sum(move.seat is None for move in file.moves) == 3  # The deal is one.
    assert ann.get(f"/table/{match_id}/story").status_code == 200
    assert ann.get(f"/table/{match_id}/turn/1?as=all").status_code == 200
