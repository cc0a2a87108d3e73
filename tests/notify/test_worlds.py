"""What a player cannot know changes no byte of what any channel tells them, whatever the event."""

import json
import re
from random import Random

import pytest
from sqlalchemy import delete, select

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.notify.channels import CHANNELS
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Invitation, Match, Notice, Seat, User
from stockpile_web.storage.models.notices import EVENTS, INVITED
from stockpile_web.storage.transactions import writing
from tests.games.stockpile import worlds
from tests.support.all_channels import everywhere
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated
from tests.support.postbox import work
from tests.support.stored import put

# Nobody is invited to a match that has begun.
OF_A_MATCH = [event for event in EVENTS if event != INVITED]
# Drawn by lot or by the clock, or made from what is.
BY_LOT = (
    "Date", "X-Peer", "Webhook-Timestamp", "Webhook-Signature", "Authorization", "Content-Length",
    "Message-ID", "Webhook-Id", "id",
)  # fmt: skip


@pytest.fixture
def world(app):
    with everywhere() as world:
        world.prepare(app)
        yield world


def all_that_is_sent(app, world, name, match_id, event):
    """Leave one notice for somebody and let the worker tell it; return every byte of it."""
    with app.app_context(), writing() as tx:
        tx.execute(delete(Notice))
        user = tx.scalars(select(User.id).where(User.name == name)).one()
        version = tx.get_one(Match, match_id).version
        outbox.write(tx.connection(), match_id, version, now(), [], [(event, user)])
    servers = (world.telegram, world.service, world.hook)
    world.postbox.mails.clear()
    for server in servers:
        server.got.clear()
    work(app)
    sent = {"mail": [_bytes(mail) for mail in world.postbox.mails]}
    for path, headers, body in (one for server in servers for one in server.got):
        if server_is_push := headers.get("Content-Encoding") == "aes128gcm":
            body = world.browser.read(body)  # noqa: PLW2901 (the same, unsealed)
        kept = {key: value for key, value in headers.items() if key not in BY_LOT}
        text = re.sub(r'"id": "\w+"', "", body.decode())
        kind = "push" if server_is_push else path.split("/")[1].partition("123456")[0]
        sent.setdefault(kind, []).append((path, json.dumps(kept), text))
    return sent


def _bytes(mail):
    text = mail.as_string().replace(mail.get_boundary(), "")
    return re.sub(rf"^({'|'.join(BY_LOT)}): .*$", "", text, flags=re.M)


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("most", [2, pytest.param(6, marks=pytest.mark.long)])
def test_what_a_player_cannot_know_changes_no_byte_of_any_channel(app, sign_up, world, most):
    def with_mail(client, name, **fields):
        return sign_up(client, name, email=f"{name}@example.org", **fields)

    match_id, players = seated(app, with_mail, 3, options=["advanced_board"])
    ann, game, chooser = players[0], GAMES["stockpile"], Random(5)
    for kind in CHANNELS:
        world.set_up(app, ann, "ann", kind, "always")
    with app.app_context():
        mine = select(Seat.number).join(User).where(User.name == "ann")
        seat = db.session.scalars(mine).one()
    # So that all there is to tell is still so: the host asks, and the next match is set up.
    players[0].post(f"/table/{match_id}/seating", data={"do": "close"})
    form = {"game": "stockpile", "size": "3", "pace": "day"}
    after = int(players[1].post("/tables/new", data=form).location.rsplit("/", 1)[1])
    with app.app_context(), writing() as tx:
        tx.get_one(Match, match_id).rematch_id = after
        for user_id in tx.scalars(select(User.id)).all():
            asked = {"match_id": after, "user_id": user_id, "by_id": user_id, "is_told": True}
            tx.add(Invitation(**asked, made_at=now()))
    compared = 0
    while compared < most:
        movers = on_turn(app, match_id, players)
        make_any_move(chooser.choice(movers), match_id, chooser)
        if ann not in on_turn(app, match_id, players):
            continue
        with app.app_context():
            text = db.session.get_one(Match, match_id).state
        other = codec.dump(worlds.another_world(codec.load(game.State, text), seat, chooser))
        if other == text:
            continue
        compared += 1
        for event in OF_A_MATCH:
            here = all_that_is_sent(app, world, "ann", match_id, event)
            put(app, match_id, other)
            there = all_that_is_sent(app, world, "ann", match_id, event)
            put(app, match_id, text)
            assert here == there
            assert len(here) == len(CHANNELS) and all(len(sent) == 1 for sent in here.values())
            for kind, ((*_, said),) in here.items():
                assert kind == "mail" or "s table" in said
                assert kind == "mail" or not re.search(r"\bYou (are dealt|learn)", said)
