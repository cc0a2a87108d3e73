"""Accounts: signing up, in and out, devices, settings, and leaving."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Device, KeptMail, User
from stockpile_web.storage.transactions import writing
from stockpile_web.web.accounts import passwords
from stockpile_web.web.auth import device_in_words, is_local
from tests.conftest import PASSWORD, is_signed_in, sign_in
from tests.support.postbox import send_account_mails

PHONE = {"User-Agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"}


def the_user(app, name="ann"):
    with app.app_context():
        return db.session.scalars(select(User).where(User.name_key == name)).one()


def test_whoever_signs_up_is_signed_in(client, sign_up):
    assert not is_signed_in(client)
    sign_up(client, "Ann")
    assert is_signed_in(client)
    assert "Settings of Ann" in client.get("/account").text


def test_the_first_account_is_the_administrator(app, sign_up):
    for name in ("ann", "bob"):
        sign_up(app.test_client(), name)
    assert the_user(app, "ann").is_admin
    assert not the_user(app, "bob").is_admin


def test_of_many_who_come_at_once_one_is_the_first_and_one_has_the_name(app):
    def come(number):
        name = "ann" if number % 2 else f"somebody{number}"
        form = {"name": name, "password": PASSWORD}
        return app.test_client().post("/sign-up", data=form).status_code

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(come, range(6)))
    assert answers == [303, 303, 303, 303, 422, 422]
    with app.app_context():
        assert db.session.scalar(select(func.count()).where(User.is_admin)) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [("password", "short"), ("email", "not an address"), ("email", "a@b.org,c@d.org"),
     ("email", "ann@example.org\r\nBcc: all@example.org"), ("time_zone", "Mars/Olympus")],
)  # fmt: skip
def test_what_is_wrong_is_said_at_the_field_and_the_rest_stays_typed(client, field, value):
    form = {"name": "Ann", "password": PASSWORD, field: value}
    answer = client.post("/sign-up", data=form)
    assert answer.status_code == 422
    assert f'id="{field}-error"' in answer.text
    assert 'value="Ann"' in answer.text
    assert PASSWORD not in answer.text


def test_signing_up_may_need_a_code(make_app):
    client = make_app(SIGN_UP="code", SIGN_UP_CODE="swordfish").test_client()
    form = {"name": "Ann", "password": PASSWORD}
    assert "Invitation code" in client.get("/sign-up").text
    assert client.post("/sign-up", data=form).status_code == 422
    assert client.post("/sign-up", data={**form, "code": "sword"}).status_code == 422
    assert client.post("/sign-up", data={**form, "code": " swordfish "}).status_code == 303


def test_when_signing_up_is_closed_only_the_administrator_gets_in(make_app):
    app = make_app(SIGN_UP="closed")
    form = {"name": "Ann", "password": PASSWORD}
    assert app.test_client().post("/sign-up", data=form).status_code == 303
    answer = app.test_client().get("/sign-up")
    assert answer.status_code == 403
    assert "no new accounts" in answer.text
    assert app.test_client().post("/sign-up", data={**form, "name": "Bob"}).status_code == 403


@pytest.mark.parametrize("typed", ["Ann", "ANN", " ann ", "Ann@Example.org"])
def test_people_sign_in_by_name_or_address(app, client, sign_up, typed):
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    assert sign_in(client, typed).status_code == 303
    assert is_signed_in(client)


def test_a_shared_address_opens_the_account_of_the_password(app, client, sign_up):
    sign_up(app.test_client(), "Ann", email="us@example.org")
    sign_up(app.test_client(), "Bob", email="us@example.org", password="Bob's own one")
    sign_in(client, "us@example.org", "Bob's own one")
    assert "Settings of Bob" in client.get("/account").text


@pytest.mark.parametrize(("name", "password"), [("Ann", "wrong horse"), ("Nobody", PASSWORD)])
def test_a_wrong_name_and_a_wrong_password_are_answered_alike(app, client, sign_up, name, password):
    sign_up(app.test_client(), "Ann")
    answer = sign_in(client, name, password)
    assert answer.status_code == 422
    assert "Name and password do not belong together." in answer.text
    assert not is_signed_in(client)


def test_somebody_unknown_costs_a_check_like_everybody_else(app, client, monkeypatch):
    checked: list[str | None] = []

    def is_right(kept: str | None, _: str) -> bool:
        checked.append(kept)
        return False

    monkeypatch.setattr(passwords, "is_right", is_right)
    sign_in(client, "nobody")
    assert checked == [None]


def test_no_password_fits_an_account_without_one(app):
    with app.app_context():
        assert not passwords.is_right(None, "")
        assert not passwords.is_right("no hash at all", "")


def test_signing_in_leaves_nothing_of_the_session_before(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    with client.session_transaction() as session:
        session["planted"] = "by somebody else"
        session["csrf_token"] = "known to somebody else"
    sign_in(client, "Ann")
    with client.session_transaction() as session:
        assert "planted" not in session
        assert session.get("csrf_token") != "known to somebody else"


def test_an_old_hash_is_made_anew_at_todays_cost(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    before = the_user(app).password_hash
    app.config["ARGON2_MEMORY"] = 16
    assert sign_in(client, "Ann").status_code == 303
    assert the_user(app).password_hash != before
    assert "m=16," in the_user(app).password_hash


@pytest.mark.parametrize("target", ["/tables/7", "/tables/7?tab=chat"])
def test_after_signing_in_one_comes_to_the_page_one_wanted(app, client, sign_up, target):
    sign_up(app.test_client(), "Ann")
    assert sign_in(client, "Ann", next=target).location == target


@pytest.mark.parametrize(
    "target",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)",
     "/\t/evil.example", "\\\\evil.example", "evil", "/ok\r\nSet-Cookie: x=1"],
)  # fmt: skip
def test_signing_in_never_leads_to_another_site(app, client, sign_up, target):
    sign_up(app.test_client(), "Ann")
    assert not is_local(target)
    assert sign_in(client, "Ann", next=target).location == "/tables"


def test_a_stranger_is_sent_to_sign_in_and_back(client):
    assert client.get("/account").location == "/sign-in?next=/account"
    assert 'name="next" value="/account"' in client.get("/sign-in?next=/account").text


def test_a_fragment_for_a_stranger_leads_the_whole_page_to_sign_in(client):
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/tables/7?x=1"}
    answer = client.get("/account", headers=headers)
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/tables/7"
    assert "Location" not in answer.headers


def test_signing_out_ends_the_session_even_for_a_copied_cookie(app, client, sign_up):
    sign_up(client, "Ann")
    copy = client.get_cookie("session").value
    client.post("/sign-out")
    assert not is_signed_in(client)
    thief = app.test_client()
    thief.set_cookie("session", copy)
    assert not is_signed_in(thief)


def test_looking_at_sign_out_signs_nobody_out(client, sign_up):
    sign_up(client, "Ann")
    assert client.get("/sign-out").status_code == 405
    assert is_signed_in(client)


def test_a_changed_password_signs_out_everywhere_else(app, client, sign_up):
    sign_up(client, "Ann", email="ann@example.org")
    other = app.test_client()
    sign_in(other, "Ann")
    form = {"password": PASSWORD, "new_password": "battery staple"}
    assert client.post("/account/password", data=form).status_code == 303
    assert is_signed_in(client)
    assert not is_signed_in(other)
    assert sign_in(other, "Ann").status_code == 422
    assert sign_in(other, "Ann", "battery staple").status_code == 303
    send_account_mails(app)
    with app.app_context():
        assert "changed" in db.session.scalars(select(KeptMail)).one().subject


def test_changing_the_password_needs_the_one_until_now(client, sign_up):
    sign_up(client, "Ann")
    form = {"password": "wrong horse", "new_password": "battery staple"}
    answer = client.post("/account/password", data=form)
    assert answer.status_code == 422
    assert "This is not your password." in answer.text


def test_the_address_changes_only_with_the_password_and_the_old_one_is_told(app, client, sign_up):
    sign_up(client, "Ann", email="ann@example.org")
    form = {"email": "new@example.org", "email_password": "wrong horse"}
    assert client.post("/account/email", data=form).status_code == 422
    assert the_user(app).email == "ann@example.org"
    form["email_password"] = PASSWORD
    assert client.post("/account/email", data=form).status_code == 303
    assert the_user(app).email == "new@example.org"
    send_account_mails(app)
    with app.app_context():
        assert db.session.scalars(select(KeptMail)).one().to == "ann@example.org"


def test_the_time_zone_can_be_set(app, client, sign_up):
    sign_up(client, "Ann")
    assert client.post("/account/time-zone", data={"time_zone": "Mars"}).status_code == 422
    client.post("/account/time-zone", data={"time_zone": "Asia/Tokyo"})
    assert the_user(app).time_zone == "Asia/Tokyo"
    assert "<option selected>Asia/Tokyo</option>" in client.get("/account").text


def test_devices_are_listed_and_one_can_be_signed_out(app, client, sign_up):
    sign_up(client, "Ann")
    phone = app.test_client()
    phone.post("/sign-in", data={"name": "Ann", "password": PASSWORD}, headers=PHONE)
    page = client.get("/account").text
    assert page.count("this device") == 1
    assert "Firefox on Android" in page
    with app.app_context():
        found = select(Device.id).where(Device.words == "Firefox on Android")
        device_id = db.session.scalar(found)
    assert client.post(f"/account/devices/{device_id}/sign-out").status_code == 303
    assert not is_signed_in(phone)
    assert is_signed_in(client)


def test_nobody_can_sign_out_somebody_elses_device(app, client, sign_up):
    sign_up(client, "Ann")
    bob = app.test_client()
    sign_up(bob, "Bob")
    with app.app_context():
        ids = db.session.scalars(select(Device.id)).all()
    for device_id in ids:
        bob.post(f"/account/devices/{device_id}/sign-out")
    assert is_signed_in(client)


def test_one_can_sign_out_on_all_other_devices(app, client, sign_up):
    sign_up(client, "Ann")
    phone, bob = app.test_client(), app.test_client()
    sign_in(phone, "Ann")
    sign_up(bob, "Bob")
    answer = client.post("/account/devices/sign-out", data={"others": "on"}, follow_redirects=True)
    assert "signed out everywhere else" in answer.text
    assert [is_signed_in(each) for each in (client, phone, bob)] == [True, False, True]


def test_one_can_sign_out_everywhere(app, client, sign_up):
    sign_up(client, "Ann")
    others = [app.test_client() for _ in range(2)]
    for other in others:
        sign_in(other, "Ann")
    client.post("/account/devices/sign-out")
    assert not any(is_signed_in(each) for each in [client, *others])


def test_a_device_is_noted_once_an_hour_and_not_at_each_look(app, client, sign_up):
    sign_up(client, "Ann")
    before = _set_seen(app, now() - timedelta(minutes=59))
    client.get("/account")
    assert _seen(app) == before
    before = _set_seen(app, now() - timedelta(minutes=61))
    answer = client.get("/account")
    assert _seen(app) > before
    assert "session=" in answer.headers["Set-Cookie"]


def test_a_device_not_seen_for_two_months_is_signed_out(app, client, sign_up):
    sign_up(client, "Ann")
    _set_seen(app, now() - timedelta(days=61))
    assert not is_signed_in(client)


def test_a_deleted_account_leaves_a_former_player(app, client, sign_up):
    user_id = sign_up(client, "Ann", email="ann@example.org")
    other = app.test_client()
    sign_in(other, "Ann")
    assert client.get("/account/delete").status_code == 200
    assert client.post("/account/delete", data={"password": "wrong horse"}).status_code == 422
    assert is_signed_in(client)
    assert client.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    assert not is_signed_in(client)
    assert not is_signed_in(other)
    with app.app_context():
        user = db.session.get_one(User, user_id)
        assert user.display_name == "former player"
        left = [user.name, user.name_key, user.email, user.email_key, user.password_hash]
        assert left == [None] * 5
        assert not user.is_admin
    assert sign_in(client, "Ann").status_code == 422
    assert sign_in(client, "").status_code == 422
    assert sign_in(client, "former player", "").status_code == 422


def test_several_accounts_can_be_deleted_and_their_names_are_free_again(app, sign_up):
    for _ in range(2):
        for name in ("Ann", "Bob"):
            client = app.test_client()
            sign_up(client, name)
            client.post("/account/delete", data={"password": PASSWORD})
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(User)) == 4


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (PHONE["User-Agent"], "Firefox on Android"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 "
         "(KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/140.0.0.0 Safari/537.36", "Chrome on Linux"),
        ("curl/8.0", "A browser"),
    ],
)  # fmt: skip
def test_a_device_is_told_in_words(agent, words):
    assert device_in_words(agent) == words


def _seen(app):
    with app.app_context():
        return db.session.scalar(select(Device.seen_at))


def _set_seen(app, moment):
    with app.app_context(), writing() as tx:
        tx.execute(update(Device).values(seen_at=moment))
    return _seen(app)
