"""Events besides turns, beginnings and ends: time that runs out, and calls in a chat."""

import pytest
from sqlalchemy import select

from stockpile_web.database import db, now, writing
from stockpile_web.models import Notice, Place, User
from stockpile_web.notify import outbox
from tests.people import seated
from tests.postbox import serving, work


@pytest.fixture
def postbox():
    with serving() as box:
        yield box


@pytest.fixture
def site(make_app, postbox):
    """An application that sends its mails to `postbox`."""
    return make_app(**postbox.settings())


@pytest.fixture
def sign_up_with_mail(sign_up):
    def make(client, name, **fields):
        return sign_up(client, name, email=f"{name}@example.org", **fields)

    return make


def tell_that_time_runs_out(app, match_id):
    """Leave the notice that clocks leave; return the name of whoever is on turn."""
    with app.app_context(), writing() as tx:
        asked = select(User).join(Place).where(Place.match_id == match_id, Place.on_turn)
        user = tx.scalars(asked).one()
        outbox.write(tx.connection(), match_id, 1, now(), [], [("near", user.id)])
        return user.name


def to(postbox, name):
    return [mail for mail in postbox.mails if mail["To"] == f"{name}@example.org"]


def test_whose_time_runs_out_is_told_so_instead_of_that_it_is_their_turn(
    site, postbox, sign_up_with_mail
):
    match_id, _ = seated(site, sign_up_with_mail, 2)
    name = tell_that_time_runs_out(site, match_id)
    work(site)
    (mail,) = to(postbox, name)
    text = mail.get_body(("plain",)).get_content()
    assert mail["Subject"] == f"Your time runs out at table {match_id} (Stockpile)"
    assert f"Your time for your turn at table {match_id} (Stockpile) runs out soon." in text
    assert "Lay one of your two cards face-up" in text


def test_time_that_ran_out_for_a_turn_taken_meanwhile_is_not_told(site, postbox, sign_up_with_mail):
    match_id, _ = seated(site, sign_up_with_mail, 2)
    tell_that_time_runs_out(site, match_id)
    with site.app_context(), writing() as tx:
        for place in tx.scalars(select(Place)):
            place.on_turn = False
    work(site)
    assert not any("time" in mail["Subject"] for mail in postbox.mails)
    with site.app_context():
        near = select(Notice.outcome).where(Notice.event == "near")
        assert db.session.scalars(near).all() == ["passed"]


def test_who_does_not_want_to_hear_that_time_runs_out_does_not(site, postbox, sign_up_with_mail):
    match_id, players = seated(site, sign_up_with_mail, 2)
    for player in players:
        assert 'value="near" checked' in player.get("/notices/choices").text
        player.post("/notices/choices", data={"events": ["turn"]})
        assert 'value="near" checked' not in player.get("/notices/choices").text
    name = tell_that_time_runs_out(site, match_id)
    work(site)
    (mail,) = to(postbox, name)
    assert mail["Subject"] == f"Your turn at table {match_id} (Stockpile)"
