"""What an administrator may see of people, and do to their accounts."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from stockpile_web.notify import recipients
from stockpile_web.people import administrators
from stockpile_web.storage.database import db
from stockpile_web.storage.models import AccountMail, Audit, Match, User
from stockpile_web.storage.models.people import CHANGED, LINK
from stockpile_web.storage.names import key_of
from stockpile_web.storage.transactions import writing
from stockpile_web.web.admin.people import PEOPLE_ON_A_PAGE
from stockpile_web.worker.account_mails import send_next
from tests.conftest import PASSWORD, is_signed_in, sign_in
from tests.support.hourglass import asked, run_out, seats
from tests.support.people import seated

SignUp = Callable[..., int]
LAST_ONE = str(administrators.LastOne())


@pytest.fixture
def ann(app: Flask, sign_up: SignUp) -> FlaskClient:
    """The browser of the administrator."""
    client = app.test_client()
    sign_up(client, "Ann")
    client.get("/tables")  # Her welcome is said there, once.
    return client


def act(client: FlaskClient, user_id: int, what: str, **form: str) -> str:
    """Do something to an account, and return the page that says so."""
    path = f"/admin/people/{user_id}/{what}"
    assert client.get(path).status_code == 200
    answer = client.post(path, data=form)
    assert answer.status_code == 303, answer.text
    return client.get(answer.location).text


def the_user(app: Flask, user_id: int) -> User:
    with app.app_context():
        return db.session.get_one(User, user_id)


def events(app: Flask, about: int) -> list[str]:
    with app.app_context():
        lines = select(Audit.event).where(Audit.about_id == about).order_by(Audit.id)
        return list(db.session.scalars(lines))


def test_the_first_account_is_told_once_that_it_administers(app: Flask, sign_up: SignUp) -> None:
    first, second = app.test_client(), app.test_client()
    sign_up(first, "Ann")
    assert "you administer this site" in first.get("/tables").text
    assert "you administer this site" not in first.get("/tables").text
    assert 'href="/admin"' in first.get("/account").text
    sign_up(second, "Bob")
    assert "administer" not in second.get("/tables").text
    assert "/admin" not in second.get("/account").text


def test_every_page_and_form_of_administrators_is_for_nobody_else(
    app: Flask, ann: FlaskClient, client: FlaskClient, sign_up: SignUp
) -> None:
    bob = app.test_client()
    bob_id = sign_up(bob, "Bob")
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("admin.")]
    assert len(rules) > 15
    words = {"act": "retry", "kind": "job", "user_id": bob_id}
    for rule in rules:
        values: dict[str, Any] = {name: words.get(name, 1) for name in rule.arguments}
        if rule.endpoint in ("admin.do_to_person", "admin.halt_table"):
            values["act"] = {"admin.halt_table": "end"}.get(rule.endpoint, "suspend")
        with app.test_request_context():
            path = app.url_for(rule.endpoint, **values)
        for method in rule.methods or ():
            if method != "OPTIONS":
                for other in (client, bob):
                    assert other.open(path, method=method).status_code == 404, (method, path)
    assert is_signed_in(bob)
    assert not the_user(app, bob_id).suspended_at


def test_people_are_listed_newest_first_and_in_pages(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    sign_up(app.test_client(), "Bob")
    page = ann.get("/admin/people").text
    assert page.index(">Bob</a>") < page.index(">Ann</a>")
    assert "Earlier ones" not in page
    with app.app_context(), writing() as tx:
        first = tx.scalars(select(User).order_by(User.id)).first()
        assert first is not None
        for number in range(PEOPLE_ON_A_PAGE):
            tx.add(User(name=f"N{number}", name_key=f"n{number}", created_at=first.created_at))
    found: list[str] = []
    path: str | None = "/admin/people"
    while path:
        page = ann.get(path).text
        found += re.findall(r'href="/admin/people/\d+">(\w+)</a>', page)
        more = re.search(r'href="(/admin/people\?before=\d+)"', page)
        path = more[1] if more else None
    assert found[0] == "Bob" and len(found) == len(set(found)) == PEOPLE_ON_A_PAGE + 2


def test_somebody_is_found_by_name_or_address(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob = sign_up(app.test_client(), "Bob", email="bob@example.org")
    for typed in ("bob", "BOB@example.org"):
        page = ann.get("/admin/people", query_string={"name": typed}).text
        assert f'href="/admin/people/{bob}"' in page and ">Ann<" not in page
    assert "Nobody has this name" in ann.get("/admin/people?name=zoe").text


def test_a_guest_is_listed_as_one_and_can_only_be_deleted(app: Flask, ann: FlaskClient) -> None:
    guest = app.test_client()
    guest.post("/try/stockpile")
    with app.app_context():
        user = db.session.scalars(select(User).where(User.guest_until.is_not(None))).one()
    assert f"/admin/people/{user.id}" in ann.get("/admin/people/guests").text
    assert f"/admin/people/{user.id}" not in ann.get("/admin/people").text
    assert "A guest, without an account" in ann.get(f"/admin/people/{user.id}").text
    assert ann.get(f"/admin/people/{user.id}/suspend").status_code == 404
    assert ann.post(f"/admin/people/{user.id}/rename", data={"name": "Zoe"}).status_code == 404
    act(ann, user.id, "delete", name=user.name or "")
    assert guest.get("/tables").status_code == 302


def test_a_persons_page_tells_what_is_known_and_no_secret(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob = app.test_client()
    bob_id = sign_up(bob, "Bob", email="bob@example.org")
    table = bob.post("/tables/new", data={"game": "stockpile", "size": "2", "pace": "day"})
    bob.post(f"{table.location}/seating", data={"do": "fill", "bot": "casual"})
    bob.post(f"{table.location}/notes", data={"notes": "Ann bluffs about steel"})
    page = ann.get(f"/admin/people/{bob_id}").text
    assert "Last seen" in page and "The e-mail address is confirmed." in page
    number = table.location.rsplit("/", 1)[1]
    assert f"/admin/tables/{number}" in page
    user = the_user(app, bob_id)
    with app.app_context():
        match = db.session.get_one(Match, int(number))
        secrets = [user.password_hash, "bluffs", match.seed, match.invitation, "bob@example.org"]
    for secret in secrets:
        assert secret and secret not in page
        assert secret not in ann.get(f"/admin/tables/{number}").text


def test_a_suspended_person_is_signed_out_and_cannot_sign_in_until_it_is_lifted(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob, phone = app.test_client(), app.test_client()
    bob_id = sign_up(bob, "Bob")
    sign_in(phone, "Bob")
    page = act(ann, bob_id, "suspend")
    assert "Suspended since" in page and "signed out everywhere" in page
    assert not is_signed_in(bob) and not is_signed_in(phone)
    answer = sign_in(bob, "Bob")
    assert answer.status_code == 403
    assert "This account is suspended" in answer.text and "Ask them" in answer.text
    assert sign_in(bob, "Bob", "wrong horse").status_code == 422  # Only the owner is told.
    assert not is_signed_in(bob)
    assert ann.get(f"/admin/people/{bob_id}/suspend").status_code == 404
    act(ann, bob_id, "lift")
    assert sign_in(bob, "Bob").status_code == 303
    assert is_signed_in(bob)
    assert events(app, bob_id) == ["suspended", "lifted"]


def test_a_new_password_lets_no_suspended_person_in(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob = app.test_client()
    bob_id = sign_up(bob, "Bob", email="bob@example.org")
    act(ann, bob_id, "suspend")
    bob.post("/reset", data={"name": "Bob"})
    while send_next(app):
        pass
    (link,) = re.findall(r"/reset/[\w-]+", ann.get("/admin/mail").text)
    answer = bob.post(link, data={"new_password": "battery staple"})
    assert answer.status_code == 403 and "suspended" in answer.text
    assert not is_signed_in(bob)


def test_the_seat_of_a_suspended_person_goes_on_as_that_of_somebody_absent(
    app: Flask, sign_up: SignUp
) -> None:
    match_id, (ann, bob) = seated(app, sign_up, 2)
    (late,) = asked(app, match_id)
    other = {"ann": "bob", "bob": "ann"}[late]
    with app.app_context(), writing() as tx:
        tx.execute(update(User).values(is_admin=True))
        late_id = tx.scalars(select(User.id).where(User.name == late)).one()
    act(bob if late == "ann" else ann, late_id, "suspend")
    assert seats(app, match_id)[late].deadline_at
    run_out(app, match_id, late)
    assert asked(app, match_id) == [other]
    with app.app_context():
        assert recipients.find(db.session(), [late_id]) == {}


def test_a_link_for_a_new_password_is_sent_where_there_is_an_address(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob_id = sign_up(app.test_client(), "Bob", email="bob@example.org")
    assert ann.post(f"/admin/people/{bob_id}/make-link").status_code == 404
    page = act(ann, bob_id, "send-link")
    assert "reset/" not in page
    with app.app_context():
        mails = db.session.execute(select(AccountMail.kind, AccountMail.user_id)).all()
        assert mails == [(LINK, bob_id)]
    assert events(app, bob_id) == ["link sent"]


def test_without_an_address_an_administrator_is_shown_a_link_once_to_pass_on(
    app: Flask, ann: FlaskClient, sign_up: SignUp, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    bob, phone = app.test_client(), app.test_client()
    bob_id = sign_up(phone, "Bob")
    path = f"/admin/people/{bob_id}"
    assert "make-link" in ann.get(path).text and "send-link" not in ann.get(path).text
    assert ann.post(f"{path}/send-link").status_code == 404
    assert "reset/" not in ann.get(f"{path}/make-link").text
    assert events(app, bob_id) == []
    answer = ann.post(f"{path}/make-link")
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    (link,) = re.findall(r'value="http://localhost(/reset/[^"]+)"', answer.text)
    assert link not in ann.get(path).text and link not in ann.get("/admin/audit").text
    assert events(app, bob_id) == ["link made"]
    assert link.rpartition("/")[2] not in caplog.text
    assert bob.post(link, data={"new_password": "battery staple"}).status_code == 303
    assert is_signed_in(bob) and not is_signed_in(phone)
    assert bob.get(link).status_code == 410
    assert the_user(app, bob_id).email_confirmed_at is None


def test_a_link_to_pass_on_begins_with_the_address_of_the_site(
    make_app: Callable[..., Flask], sign_up: SignUp
) -> None:
    app = make_app(SITE_URL="https://games.example.org", SECURE_COOKIES="off")
    ann = app.test_client()
    sign_up(ann, "Ann")
    bob_id = sign_up(app.test_client(), "Bob")
    page = ann.post(f"/admin/people/{bob_id}/make-link").text
    assert 'value="https://games.example.org/reset/' in page


def test_a_name_is_changed_by_the_rules_of_signing_up(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob = app.test_client()
    bob_id = sign_up(bob, "Bob", email="bob@example.org")
    path = f"/admin/people/{bob_id}/rename"
    for wrong in ("", "a b", "ann", "former-player", "x" * 21):
        assert ann.post(path, data={"name": wrong}).status_code == 422, wrong
    assert the_user(app, bob_id).name == "Bob"
    assert ann.post(path, data={"name": "BOB"}).status_code == 303  # It is their own.
    assert ann.post(path, data={"name": "Robert"}).status_code == 303
    assert is_signed_in(bob)
    assert the_user(app, bob_id).name_key == key_of("Robert")
    assert sign_in(app.test_client(), "Bob").status_code == 422
    assert sign_in(app.test_client(), "Robert").status_code == 303
    assert events(app, bob_id) == ["renamed", "renamed"]
    with app.app_context():
        kinds = set(db.session.scalars(select(AccountMail.kind)))
        assert kinds == {CHANGED}


def test_an_account_is_deleted_only_when_its_name_is_typed(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob = app.test_client()
    bob_id = sign_up(bob, "Bob")
    refused = ann.post(f"/admin/people/{bob_id}/delete", data={"name": "Rob"})
    assert refused.status_code == 422 and "Nothing was done" in refused.text
    assert is_signed_in(bob)
    assert "The account is deleted." in act(ann, bob_id, "delete", name="bob")
    assert not is_signed_in(bob)
    user = the_user(app, bob_id)
    assert user.deleted_at and user.name is None and user.password_hash is None
    assert ann.get(f"/admin/people/{bob_id}").status_code == 404
    log = ann.get("/admin/audit").text
    assert "deleted the account: former player" in log and "Bob" not in log


def test_rights_are_given_and_taken_but_never_the_last_ones(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob = app.test_client()
    bob_id = sign_up(bob, "Bob")
    with app.app_context():
        ann_id = db.session.scalars(select(User.id).where(User.name == "Ann")).one()
    alone = ann.post(f"/admin/people/{ann_id}/unmake-administrator")
    assert alone.status_code == 422 and LAST_ONE in alone.text
    assert ann.get(f"/admin/people/{ann_id}/suspend").status_code == 404
    assert ann.get(f"/admin/people/{ann_id}/delete").status_code == 404
    act(ann, bob_id, "make-administrator")
    assert bob.get("/admin").status_code == 200
    act(bob, ann_id, "unmake-administrator")
    assert ann.get("/admin").status_code == 404
    assert the_user(app, bob_id).is_admin and not the_user(app, ann_id).is_admin
    assert events(app, ann_id) == ["administers no more"]


def test_a_suspended_administrator_does_not_count_as_one(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob_id = sign_up(app.test_client(), "Bob")
    act(ann, bob_id, "make-administrator")
    act(ann, bob_id, "suspend")
    with app.app_context(), writing() as tx:
        ann_id = tx.scalars(select(User.id).where(User.name == "Ann")).one()
        with pytest.raises(administrators.LastOne):
            administrators.must_not_be_last(tx, ann_id)


def test_the_last_administrator_cannot_leave_while_others_are_here(
    app: Flask, ann: FlaskClient, sign_up: SignUp
) -> None:
    bob_id = sign_up(app.test_client(), "Bob")
    refused = ann.post("/account/delete", data={"password": PASSWORD})
    assert refused.status_code == 422 and LAST_ONE in refused.text
    assert is_signed_in(ann)
    act(ann, bob_id, "make-administrator")
    assert ann.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    assert not is_signed_in(ann)


@pytest.mark.parametrize(
    ("setting", "title", "words"),
    [
        ("open", "open to all", "Anybody may make an account"),
        ("code", "by invitation code", "knows the invitation code"),
        ("closed", "closed", "Nobody may"),
    ],
)
def test_the_page_of_sign_ups_says_who_may_come_and_who_came(
    app: Flask, ann: FlaskClient, sign_up: SignUp, setting: str, title: str, words: str
) -> None:
    sign_up(app.test_client(), "Bob")
    app.config["SIGN_UP"] = setting
    app.config["SIGN_UP_CODE"] = "swordfish"
    page = ann.get("/admin/sign-ups").text
    assert f">{title}</p>" in ann.get("/admin").text
    assert words in page and "SIGN_UP" in page and "swordfish" not in page
    assert page.index(">Bob</a>") < page.index(">Ann</a>")
    assert "2 people have come in the last 7 days" in page
