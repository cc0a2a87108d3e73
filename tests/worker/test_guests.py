"""Guests who were not seen for two weeks are removed, with the tables that are theirs alone."""

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import select

from stockpile_web.match import removal
from stockpile_web.people import guests
from stockpile_web.storage.database import Base, db, now
from stockpile_web.storage.models import Match, Seat, User
from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.storage.transactions import writing
from stockpile_web.worker.duties import DUTIES
from stockpile_web.worker.guests import remove_next
from stockpile_web.worker.watch import seconds_until_due
from tests.support.known import FIRST
from tests.support.people import table
from tests.support.playing import play


def test_idle_guests_go_and_what_others_play_stays(app, client, sign_up):
    friends, ann = table(app, sign_up, 2)
    with app.app_context():
        invitation = db.session.get_one(Match, friends).invitation
    assert client.post(f"/join/{invitation}/guest", data={"name": "Bob"}).status_code == 303
    alone, over = (int(client.post(f"/try/{FIRST}").location.rsplit("/", 1)[1]) for _ in range(2))
    client.post(f"/table/{alone}/chat", data={"text": "Nobody hears me"})
    play(app, over)
    assert "/review?seat=" in client.post(f"/table/{over}/review").location
    duty = [each for each in DUTIES if each.name == "guests"]
    assert seconds_until_due(app, duty) != [0.0]
    assert not remove_next(app)
    with app.app_context():  # Whoever is seen after a worker has looked stays.
        guest = db.session.scalars(select(User).where(User.guest_until.is_not(None))).one()
        removal.remove(guest)
    assert client.get(f"/table/{alone}").status_code == 200
    with app.app_context(), writing() as tx:
        tx.scalars(select(User).where(User.guest_until.is_not(None))).one().guest_until = now()
    assert seconds_until_due(app, duty) == [0.0]
    assert remove_next(app)
    assert not remove_next(app)

    assert client.get("/tables").status_code == 302  # Nobody knows this cookie any more.
    assert FORMER_PLAYER in ann.get(f"/table/{friends}").text
    with app.app_context():
        assert db.session.get_one(Match, friends).status == "playing"
        gone = db.session.scalars(select(User).where(User.name.is_(None))).one()
        assert (gone.is_guest, gone.deleted_at is not None) == (False, True)
        assert db.session.scalars(select(Seat.match_id).filter_by(user_id=gone.id)).all() == [
            friends
        ]
        for kept in Base.metadata.sorted_tables:
            if "match_id" in kept.c:
                theirs = select(kept.c.match_id).where(kept.c.match_id.in_((alone, over)))
                assert db.session.scalars(theirs).all() == [], kept.name
        for number in (alone, over):
            empty = db.session.get_one(Match, number)
            assert (empty.state, empty.seed, empty.name) == ("", "", "")
            assert empty.status in ("over", "closed")


def test_a_guest_who_has_made_an_account_stays(app, client):
    client.post(f"/try/{FIRST}")
    client.post("/keep", data={"name": "Gina", "password": "correct horse"})
    with app.app_context():
        user = db.session.scalars(select(User)).one()
        assert user.created_at + guests.STAYS > now()
        assert not user.is_guest
    assert not remove_next(app)


def test_two_workers_at_once_remove_a_guest_once(app, client):
    table = client.post(f"/try/{FIRST}").location
    with app.app_context(), writing() as tx:
        tx.scalars(select(User)).one().guest_until = now()
    with ThreadPoolExecutor(2) as workers:
        list(workers.map(remove_next, [app, app]))
    assert client.get(table).status_code == 404
    with app.app_context():
        gone = db.session.scalars(select(User)).one()
        assert (gone.name, gone.is_guest) == (None, False)
        assert db.session.scalars(select(Seat)).all() == []
