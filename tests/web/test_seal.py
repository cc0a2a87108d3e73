"""A seed that nobody could choose: fixed, added to, drawn from, and shown only when it may be."""

from hashlib import blake2b, sha256

from sqlalchemy import delete, select

from stockpile_web.match import seeds
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seal, Seat, User
from stockpile_web.storage.models.matches import OVER
from stockpile_web.storage.transactions import writing
from tests.support.people import close, seated, table

OURS, BAD = "ab" * 32, "G" * 64


def test_the_seed_is_made_of_a_secret_and_of_what_all_players_added(app, sign_up):
    match_id, ann = table(app, sign_up, 3, listed="on", contribution=OURS)
    address = f"/table/{match_id}"
    with app.app_context():
        secret = db.session.get_one(Seal, match_id).secret
    fingerprint = sha256(secret.encode()).hexdigest()
    bob, stranger = app.test_client(), app.test_client()
    sign_up(bob, "bob")
    bob.post(f"{address}/seating", data={"do": "join", "contribution": BAD})

    # In the room: the fingerprint for all, of the others only where their number came from.
    for viewer in (ann, bob, stranger):
        room = viewer.get(address).text
        assert fingerprint in room and secret not in room
        assert room.count("from their browser") == room.count("drawn by the server</p>") == 1
    assert OURS in ann.get(address).text and OURS not in bob.get(address).text
    assert BAD not in bob.get(address).text
    assert "Send a number of my own" in bob.get(address).text
    assert "Send a number of my own" not in ann.get(address).text
    theirs = "cd" * 32
    bob.post(f"{address}/seating", data={"do": "contribute", "contribution": theirs})
    assert theirs in bob.get(address).text and theirs not in ann.get(address).text
    assert ann.get(address).text.count("from their browser") == 2
    stranger.post(f"{address}/seating", data={"do": "contribute", "contribution": BAD})

    # Once it is dealt, all numbers are there; the secret and the seed are not.
    ann.post(f"{address}/seating", data={"do": "fill"})
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        places = [int(place) for place in db.session.get_one(Seal, match_id).places.split()]
        people = [seat.name for seat in match.seats]
        seed = match.seed
    assert seed == seeds.seed_of(secret, match_id, [theirs, OURS])
    lines = "\n".join([secret, str(match_id), OURS, theirs])
    assert seed == sha256(lines.encode()).hexdigest()
    assert places == seeds.order_of(seed, 3)
    assert people == [["ann", "bob", "Abacus"][place] for place in places]
    for viewer in (ann, bob, stranger):
        page = viewer.get(address).text
        assert all(text in page for text in (fingerprint, OURS, theirs))
        assert secret not in page and seed not in page
    late = ann.post(f"{address}/seating", data={"do": "contribute", "contribution": BAD})
    assert late.status_code == 303
    assert ann.get(address).text.count("has begun already") == 1

    # When it is over, everything is.
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).status = OVER
    page = stranger.get(address).text
    assert secret in page and seed in page

    # A match that was dealt before there were secrets shows its seed the old way.
    with app.app_context(), writing() as tx:
        tx.execute(delete(Seal).where(Seal.match_id == match_id))
    page = stranger.get(address).text
    assert sha256(seed.encode()).hexdigest() in page and seed in page


def test_whoever_goes_to_the_next_match_adds_a_number_of_their_own(app, sign_up):
    match_id, (ann, bob, carol) = seated(app, sign_up, 3)
    close(match_id, ann, bob, carol)

    def again(player, number):
        form = {"do": "rematch", "contribution": number}
        return player.post(f"/table/{match_id}/seating", data=form).location

    location = again(ann, OURS)
    theirs = "cd" * 32
    assert again(bob, theirs) == location
    assert theirs in bob.get(location).text and theirs not in ann.get(location).text
    assert again(bob, "") == location and theirs in bob.get(location).text
    room = ann.get(location).text
    assert OURS in room and room.count("from their browser") == 2


def test_a_table_that_waited_through_an_upgrade_gets_its_secret_at_the_deal(app, sign_up):
    match_id, ann = table(app, sign_up, 2)
    with app.app_context(), writing() as tx:
        tx.execute(delete(Seal))
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    with app.app_context():
        match, seal = db.session.get_one(Match, match_id), db.session.get_one(Seal, match_id)
        (mine,) = db.session.scalars(select(Seat.number).join(User).where(User.name == "ann"))
        assert f'"seat":{mine}' in seal.contributions and seeds.SERVER in seal.contributions
        assert match.seed != seal.secret
    assert sha256(seal.secret.encode()).hexdigest() in ann.get(f"/table/{match_id}").text
    close(match_id, ann)
    assert match.seed not in ann.get(f"/table/{match_id}").text


def test_who_sits_where_can_be_found_out_as_the_document_says():
    """No code of ours: what docs/export.md tells."""
    for count in (2, 5, 40):
        seed, places, words, block = "ef" * 32, list(range(count)), list[int](), 0
        for last in range(count - 1, 0, -1):
            while True:
                if not words:
                    digest = blake2b(f"-1:{block}".encode(), key=seed.encode()).digest()
                    words = [
                        int.from_bytes(digest[at : at + 4], "little") for at in range(0, 64, 4)
                    ]
                    block += 1
                word = words.pop()
                if word < 2**32 // (last + 1) * (last + 1):
                    break
            other = word % (last + 1)
            places[last], places[other] = places[other], places[last]
        assert seeds.order_of(seed, count) == places
