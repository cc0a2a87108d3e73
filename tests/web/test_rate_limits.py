"""How often a password may be tried."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Attempt
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from tests.conftest import PASSWORD, sign_in

pytestmark = pytest.mark.usefixtures("steady_minute")


def test_after_ten_wrong_passwords_the_account_waits(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    for _ in range(10):
        assert sign_in(client, "ann", "wrong horse").status_code == 422
    answer = sign_in(client, "Ann", PASSWORD)
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 15 * 60
    assert "try again in" in answer.text
    assert sign_in(client, "nobody", PASSWORD).status_code == 422


def test_no_answer_tells_that_a_name_and_an_address_belong_together(app, client, sign_up):
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    for typed in (" ANN ", "ａｎｎ") * 5:
        assert sign_in(client, typed, "wrong horse").status_code == 422
    assert sign_in(client, "Ann").status_code == 429
    assert sign_in(client, "ann@example.org", "wrong horse").status_code == 422
    assert sign_in(client, "else@example.org", "wrong horse").status_code == 422


def test_wrong_tries_of_strangers_keep_nobody_from_changing_the_password(app, client, sign_up):
    sign_up(client, "Ann")
    for _ in range(11):
        answer = sign_in(app.test_client(), "Ann", "wrong horse")
    assert answer.status_code == 429
    form = {"password": PASSWORD, "new_password": "battery staple"}
    assert client.post("/account/password", data=form).status_code == 303
    wrong = {"password": "wrong horse", "new_password": "battery staple"}
    answers = [client.post("/account/password", data=wrong).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_an_unknown_name_is_limited_like_a_known_one(client):
    answers = [sign_in(client, "nobody").status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_a_right_password_clears_the_count(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    for _ in range(3):
        for _ in range(9):
            sign_in(client, "Ann", "wrong horse")
        assert sign_in(client, "Ann").status_code == 303
        client.post("/sign-out")


def test_an_address_that_tries_many_names_waits_and_others_do_not(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    for number in range(30):
        assert sign_in(client, f"name{number}").status_code == 422
    assert sign_in(client, "Ann").status_code == 429
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    form = {"name": "Ann", "password": PASSWORD}
    answer = client.post("/sign-in", data=form, environ_overrides=elsewhere)
    assert answer.status_code == 303


def test_tries_at_the_same_moment_are_all_counted(app):
    def guess(_number):
        return sign_in(app.test_client(), "nobody").status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(guess, range(16)))
    assert answers == [422] * 10 + [429] * 6


def test_the_count_starts_anew_in_the_next_window(app, client):
    for _ in range(11):
        answer = sign_in(client, "nobody")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) in range(60, 15 * 60 + 1, 60)
    minutes_pass(app, 15)
    assert sign_in(client, "nobody").status_code == 422


def test_counters_of_days_ago_are_cleared_away(app, client):
    sign_in(client, "nobody")
    assert len(windows(app)) == 1
    minutes_pass(app, 24 * 60)
    sign_in(client, "nobody")
    assert len(windows(app)) == 2
    minutes_pass(app, 2 * 24 * 60 + 15)
    sign_in(client, "nobody")
    assert len(windows(app)) == 1


def minutes_pass(app, minutes):
    """Let all that was counted have been counted so long ago."""
    with app.app_context(), writing() as tx:
        tx.execute(update(Attempt).values(window=Attempt.window - minutes))


def windows(app):
    with app.app_context():
        return set(db.session.scalars(select(Attempt.window)))


@pytest.mark.parametrize(
    ("came_from", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", "unknown"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(app, came_from, counted_as):
    with app.test_request_context(environ_base={"REMOTE_ADDR": came_from}):
        assert rate_limits.address() == counted_as


def test_guessing_the_password_in_the_settings_is_limited_too(client, sign_up):
    sign_up(client, "Ann")
    answers = [
        client.post("/account/delete", data={"password": "wrong horse"}).status_code
        for _ in range(11)
    ]
    assert answers == [422] * 10 + [429]
