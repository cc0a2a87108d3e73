"""The page of waking hours and vacations: what it takes, what it refuses, and whose it is."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User, Vacation
from stockpile_web.web.accounts.hours import days_left, what_is_wrong

TODAY = date(2026, 11, 16)


@pytest.fixture
def ann(client, sign_up):
    sign_up(client, "ann")
    return client


def announce(client, first, last):
    form = {"first_day": str(first), "last_day": str(last)}
    return client.post("/account/vacations", data=form)


def hours_of_ann(app):
    with app.app_context():
        user = db.session.scalars(select(User).where(User.name == "ann")).one()
        return user.awake_from, user.awake_to, user.awake_days


def vacations(app):
    with app.app_context():
        return db.session.scalars(select(Vacation).order_by(Vacation.first_day)).all()


def test_waking_hours_are_set_and_shown(app, ann):
    assert hours_of_ann(app) == (8, 23, "1234567")
    form = {"begin": "18", "end": "2", "days": ["6", "5", "nonsense"]}
    assert ann.post("/account/hours", data=form).status_code == 303
    assert hours_of_ann(app) == (18, 2, "56")
    page = ann.get("/account/hours").text
    assert '<option value="18" selected>18:00' in page


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"begin": "8", "end": "22"}, "Choose one day at least"),
        ({"begin": "8", "end": "22", "days": "9"}, "Choose one day at least"),
        ({"begin": "24", "end": "22", "days": "1"}, "Choose an hour"),
        ({"begin": "-1", "end": "22", "days": "1"}, "Choose an hour"),
        ({"end": "22", "days": "1"}, "Choose an hour"),
        ({}, "Choose an hour"),
    ],
)
def test_hours_that_make_no_sense_are_refused_in_words(app, ann, form, words):
    answer = ann.post("/account/hours", data=form)
    assert answer.status_code == 422 and words in answer.text
    assert hours_of_ann(app) == (8, 23, "1234567")


def test_a_vacation_is_announced_and_taken_back(app, ann):
    first, last = now().date() + timedelta(days=2), now().date() + timedelta(days=5)
    assert announce(ann, first, last).status_code == 303
    (vacation,) = vacations(app)
    assert (vacation.first_day, vacation.last_day) == (first, last)
    assert f"Remove {first:%a}" in ann.get("/account/hours").text
    assert ann.post(f"/account/vacations/{vacation.id}/end").status_code == 303
    assert vacations(app) == []


@pytest.mark.parametrize("days", [("", ""), ("2026-13-40", "x"), ("soon", "later")])
def test_a_vacation_without_days_is_refused(app, ann, days):
    answer = announce(ann, *days)
    assert answer.status_code == 422 and "the first and the last day" in answer.text
    assert vacations(app) == []


def test_nobody_ends_the_vacation_of_another(app, ann, sign_up):
    first = now().date() + timedelta(days=2)
    announce(ann, first, first)
    bob = app.test_client()
    sign_up(bob, "bob")
    bob.post(f"/account/vacations/{vacations(app)[0].id}/end")
    assert len(vacations(app)) == 1


def test_an_account_that_is_deleted_leaves_no_vacation(app, ann):
    first = now().date() + timedelta(days=2)
    announce(ann, first, first)
    assert ann.post("/account/delete", data={"password": "correct horse"}).status_code == 303
    assert vacations(app) == []


def day(month, number, year=2026):
    return date(year, month, number)


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (day(12, 5), day(12, 4), "before the first"),
        (TODAY, day(11, 20), "tomorrow at the earliest"),
        (day(1, 1, 2029), day(1, 2, 2029), "too far away"),
        (day(12, 3), day(12, 6), "already"),
        (day(11, 17), day(11, 30), "you have 13 left; these are 14"),
    ],
)
def test_what_cannot_be_a_vacation_is_refused(first, last, words):
    others = [(day(3, 1), day(3, 15)), (day(12, 5), day(12, 6))]
    assert words in str(what_is_wrong(first, last, TODAY, others))


def test_a_vacation_over_the_new_year_counts_for_both_years():
    over = (day(12, 21), day(1, 10, 2027))
    assert what_is_wrong(*over, TODAY, []) is None
    assert (days_left(2026, [over]), days_left(2027, [over])) == (30 - 11, 30 - 10)
