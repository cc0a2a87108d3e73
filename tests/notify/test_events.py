"""Events besides turns, beginnings and ends: time that runs out, and calls in a chat."""

import pytest
from sqlalchemy import select

from stockpile_web.storage import outbox
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Notice, Seat, User
from stockpile_web.storage.transactions import writing
from tests.support.people import seated, table
from tests.support.postbox import work


def tell_that_time_runs_out(app, match_id):
    """Leave the notice that clocks leave; return the name of whoever is on turn."""
    with app.app_context(), writing() as tx:
        asked = select(User).join(Seat).where(Seat.match_id == match_id, Seat.on_turn)
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
    assert mail["Subject"] == "Your time runs out at “ann’s table” (Stockpile)"
    assert "Your time for your turn at “ann’s table” (Stockpile) runs out soon." in text
    assert "Lay one of your two cards face-up" in text


def test_time_that_ran_out_for_a_turn_taken_meanwhile_is_not_told(site, postbox, sign_up_with_mail):
    match_id, _ = seated(site, sign_up_with_mail, 2)
    tell_that_time_runs_out(site, match_id)
    with site.app_context(), writing() as tx:
        for seat in tx.scalars(select(Seat)):
            seat.on_turn = False
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
    assert mail["Subject"] == "Your turn at “ann’s table” (Stockpile)"


def calls(app, name):
    """Return the calls that somebody has not seen."""
    with app.app_context():
        theirs = select(Notice.id).join(User).where(User.name == name, Notice.event == "mention")
        return db.session.scalars(theirs.where(Notice.seen_at.is_(None))).all()


def see(client, match_id):
    assert client.post(f"/table/{match_id}/seen", data={"version": "1"}).status_code == 204


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("@bob your turn", ["bob"]),
        ("hurry, @BOB!", ["bob"]),
        ("(@bob, @carol) please", ["bob", "carol"]),
        ("@bobby and @bo and bob", []),
        ("write to carol@bob.example", []),
        ("@ann talks to herself, @zoe looks on", []),
        ("@@bob", ["bob"]),
        ("@bobさん、どうぞ", ["bob"]),
        ("@bobе in Cyrillic", []),
        ("@", []),
    ],
)
def test_who_is_named_after_an_at_and_sits_at_the_table_is_called(app, sign_up, text, called):
    sign_up(app.test_client(), "zoe")
    match_id, (ann, *_) = seated(app, sign_up, 3)
    assert ann.post(f"/table/{match_id}/chat", data={"text": text}).status_code == 303
    names = ("ann", "bob", "carol", "zoe")
    assert [name for name in names if calls(app, name)] == called


def test_a_call_is_told_by_mail_without_what_was_said(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    work(site)
    postbox.mails.clear()
    ann.post(f"/table/{match_id}/chat", data={"text": "@bob a word among us"})
    for _ in range(2):
        work(site)
    (mail,) = postbox.mails
    assert mail["To"] == "bob@example.org"
    assert mail["Subject"] == "You are called at “ann’s table” (Stockpile)"
    assert "a word among us" not in mail.as_string()
    assert "Somebody calls you in the chat of “ann’s table” (Stockpile)." in (
        bob.get("/notices").text
    )


def test_a_call_and_a_turn_at_one_table_come_in_one_mail(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    for one, name in ((ann, "bob"), (bob, "ann")):
        one.post(f"/table/{match_id}/chat", data={"text": f"@{name}"})
    work(site)
    for name in ("ann", "bob"):
        (mail,) = to(postbox, name)
        assert "calls you" in mail.get_body(("plain",)).get_content()
        assert "ann’s table” (Stockpile)" in mail["Subject"]


def test_whoever_has_not_seen_a_call_is_not_called_again(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    work(site)
    postbox.mails.clear()
    for _ in range(3):
        ann.post(f"/table/{match_id}/chat", data={"text": "@bob @bob @bob"})
        work(site)
    assert len(postbox.mails) == 1
    see(bob, match_id)
    ann.post(f"/table/{match_id}/chat", data={"text": "@bob once more"})
    work(site)
    assert len({mail["Message-ID"] for mail in postbox.mails}) == 2


def test_nobody_calls_more_than_ten_times_an_hour_but_what_they_say_is_kept(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2)
    called = 0
    for number in range(12):
        ann.post(f"/table/{match_id}/chat", data={"text": f"@bob {number}"})
        called += len(calls(app, "bob"))
        see(bob, match_id)
    assert called == 10
    assert "@bob 11" in bob.get(f"/table/{match_id}").text


def test_nobody_is_called_at_a_table_that_has_not_begun(app, sign_up):
    match_id, ann = table(app, sign_up, 3, listed="on")
    bob = app.test_client()
    sign_up(bob, "bob")
    bob.post(f"/table/{match_id}/seating", data={"do": "join"})
    bob.post(f"/table/{match_id}/chat", data={"text": "@ann"})
    assert calls(app, "ann") == []
