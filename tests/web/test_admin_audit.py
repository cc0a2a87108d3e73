"""What an administrator does and what the audit log says of it: never one without the other."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from stockpile_web.match import administration, broken, tallies
from stockpile_web.notify import smtp
from stockpile_web.storage import audit
from stockpile_web.storage.database import Busy, db
from stockpile_web.storage.models import Audit, KeptMail, Match, Notice, User
from stockpile_web.storage.models.notices import ENDED
from stockpile_web.storage.transactions import writing
from stockpile_web.web import board_cache
from stockpile_web.web.admin.person_acts import ACTS
from stockpile_web.web.breaker import Breaker
from tests.conftest import PASSWORD, is_signed_in
from tests.support.hourglass import change_seat, seats
from tests.support.people import seated
from tests.web.test_admin_site import queue_for_bob, queue_mail

SignUp = Callable[..., int]
WHY = {"why": "The server moves house"}


@pytest.fixture
def zoe(app: Flask, sign_up: SignUp) -> FlaskClient:
    """The browser of an administrator, who does not play."""
    client = app.test_client()
    sign_up(client, "zoe")
    return client


@pytest.fixture
def match_id(app: Flask, zoe: FlaskClient, sign_up: SignUp) -> int:
    """A match of Ann, who hosts it, and Bob."""
    return seated(app, sign_up, 2)[0]


def log(app: Flask) -> list[tuple[int, str]]:
    """Return who did what, as far as Zoe did it."""
    with app.app_context():
        lines = select(Audit.id, Audit.event).where(Audit.user_id == 1, Audit.event != "signed in")
        return [(number, event) for number, event in db.session.execute(lines.order_by(Audit.id))]


def events(app: Flask) -> list[str]:
    return [event for _, event in log(app)][1:]  # She has signed up.


def store(app: Flask, **values: object) -> None:
    """Write into the rows of all matches by hand."""
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).values(values))
    board_cache.clear()


def send(client: FlaskClient, path: str, **form: object) -> int:
    """Send a form as if nothing had met a lock before; return the status of the answer."""
    client.application.extensions["breaker"] = Breaker()
    return client.post(path, data=form).status_code


def every_act(app: Flask, zoe: FlaskClient, sign_up: SignUp) -> Iterator[tuple[str, str, object]]:
    """Yield the endpoint of each act, its address, and its form, when it can be done."""
    table, people = "/admin/tables/1", "/admin/people"
    bob = seats(app, 1)["bob"].number
    yield "admin.halt_table", f"{table}/pause", WHY
    yield "admin.change_table", f"{table}/change", {"do": "go on"}
    yield "admin.change_table", f"{table}/change", {"do": "bot", "seat": bob}
    change_seat(app, 1, "bob", missed=9)
    yield "admin.change_table", f"{table}/change", {"do": "opened", "seat": bob}
    good = the_match(app).state
    store(app, state="{}")
    yield "broken.mend", "/table/1/mend", {"number": "0"}
    store(app, state="{}")
    yield "broken.mend", "/table/1/mend", {"do": "close"}
    store(app, state=good, status="playing", ended_at=None)
    yield "admin.halt_table", f"{table}/end", {**WHY, "number": "1"}
    for act in ("retry", "drop"):
        job, _ = queue_for_bob(app, user_id=3)
        yield "admin.change_queue", f"/admin/queues/job/{job}/{act}", {}
        yield "admin.change_queue", f"/admin/queues/mail/{queue_mail(app)}/{act}", {}
        with app.app_context(), writing() as tx:
            for name in ("send_job", "notice", "account_mail"):
                tx.execute(db.metadata.tables[name].delete())
    with app.app_context():
        smtp.send_mail("bob@example.org", "Hello", "text")
        kept = db.session.scalars(select(KeptMail.id)).one()
    yield "admin.remove_mail", f"/admin/mail/{kept}/remove", {}
    zoe.post("/table/1/turn/0/report", data={"note": "Odd"})
    yield "admin.done", "/admin/reports/1/done", {}
    dan = sign_up(app.test_client(), "dan", email="dan@example.org")
    yield "admin.rename", f"{people}/{dan}/rename", {"name": "dave"}
    order = ("make-administrator", "unmake-administrator", "send-link", "suspend", "lift", "delete")
    assert {*order, "make-link"} == set(ACTS)
    for act in order:
        yield "admin.do_to_person", f"{people}/{dan}/{act}", {"name": "dave"}
    yield "admin.do_to_person", f"{people}/2/make-link", {}  # Ann has no address.


def the_match(app: Flask) -> Match:
    with app.app_context():
        return db.session.get_one(Match, 1)


def test_every_act_of_an_administrator_leaves_a_line_in_the_audit_log(
    app: Flask, zoe: FlaskClient, match_id: int, sign_up: SignUp
) -> None:
    done = set()
    for endpoint, path, form in every_act(app, zoe, sign_up):
        before = log(app)
        answer = zoe.post(path, data=form)
        assert answer.status_code in (200, 303), (path, answer.text)
        assert len(log(app)) == len(before) + 1, path
        done.add(endpoint)
    forms = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("admin.") and "POST" in (rule.methods or ())
    }
    assert done == forms | {"broken.mend"}
    assert set(administration.DEEDS) < {event for _, event in log(app)}


def test_what_an_administrator_does_at_a_broken_table_is_noted_and_its_players_read_who_closed_it(
    app: Flask, zoe: FlaskClient, sign_up: SignUp
) -> None:
    match_id, (ann, bob) = seated(app, sign_up, 2)
    with app.app_context():
        good = db.session.get_one(Match, match_id).state
    store(app, state="{}")
    zoe.post(f"/table/{match_id}/mend", data={"number": "0"})
    assert events(app) == ["set back"]
    store(app, state="{}")
    zoe.post(f"/table/{match_id}/mend", data={"do": "close"})
    assert events(app) == ["set back", "ended"]
    assert "set a broken table back: table 1" in zoe.get("/admin/audit").text
    said = f"An administrator has ended this match: <bdi>{broken.CLOSED_UNSEEN}</bdi>"
    for state in ("{}", good):  # While it cannot be shown, and when it can again.
        store(app, state=state)
        for player in (ann, bob):
            page = player.get(f"/table/{match_id}").text
            assert said in page and "The host has closed" not in page
    with app.app_context():
        told = select(Notice.user_id).where(Notice.event == ENDED)
        assert set(db.session.scalars(told)) == {2, 3}


def test_what_its_host_does_at_a_broken_table_is_no_act_of_an_administrator(
    app: Flask, sign_up: SignUp
) -> None:
    match_id, (ann, bob) = seated(app, sign_up, 2)  # Ann administers the site, too.
    store(app, state="{}")
    ann.post(f"/table/{match_id}/mend", data={"do": "close"})
    assert events(app) == []
    page = bob.get(f"/table/{match_id}").text
    assert "The host has closed this table" in page and "An administrator" not in page


def test_what_cannot_be_noted_is_not_done_to_a_table(
    app: Flask, zoe: FlaskClient, match_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object, **__: object) -> None:
        raise Busy

    monkeypatch.setattr(audit, "note", locked)
    assert send(zoe, f"/admin/tables/{match_id}/pause", **WHY) == 503
    assert the_match(app).halted_for == ""
    bob = seats(app, match_id)["bob"].number
    assert send(zoe, f"/admin/tables/{match_id}/change", do="bot", seat=bob) == 503
    assert not seats(app, match_id)["bob"].bot


def test_an_account_that_could_not_be_deleted_is_as_it_was_and_the_log_tells_of_nothing(
    app: Flask, zoe: FlaskClient, sign_up: SignUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise Busy

    dan = app.test_client()
    dan_id = sign_up(dan, "dan")
    with app.app_context(), writing() as tx:
        tx.execute(update(User).values(is_admin=True))
    monkeypatch.setattr(tallies, "forget", locked)
    assert send(zoe, f"/admin/people/{dan_id}/delete", name="dan") == 503
    assert send(dan, "/account/delete", password=PASSWORD) == 503
    assert is_signed_in(dan) and dan.get("/admin").status_code == 200
    with app.app_context():
        told = select(Audit.event).where(Audit.event.in_(("removed", "deleted")))
        assert list(db.session.scalars(told)) == []
    monkeypatch.undo()
    assert send(zoe, f"/admin/people/{dan_id}/delete", name="dan") == 303
    assert events(app) == ["removed"]
    assert not is_signed_in(dan)


def test_whoever_cannot_go_loses_no_seat(app: Flask, sign_up: SignUp) -> None:
    match_id, (ann, _bob) = seated(app, sign_up, 2)
    assert ann.post("/account/delete", data={"password": PASSWORD}).status_code == 422
    assert not seats(app, match_id)["ann"].bot
