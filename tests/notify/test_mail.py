"""Notices by mail: what they say, to whom, how they end, and what is done when they fail."""

import re
import socket
from itertools import product
from random import Random
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Channel, Delivery, KeptMail, Match, Notice, Seat, User
from stockpile_web.storage.transactions import writing
from stockpile_web.words.events import bare_environment
from tests.games.stockpile import worlds
from tests.support.clicking import make_any_move
from tests.support.option_sets import switches
from tests.support.people import NAMES, close, on_turn, seated
from tests.support.postbox import do_what_is_due, time_passes, work
from tests.support.random_play import Sitting
from tests.support.stored import put


def outcomes(app, event="turn"):
    with app.app_context():
        found = select(Notice.outcome).where(Notice.event == event).order_by(Notice.id)
        return list(db.session.scalars(found))


def body(mail, kind="plain"):
    return mail.get_body((kind,)).get_content()


def to(postbox, name):
    return [mail for mail in postbox.mails if mail["To"] == f"{name}@example.org"]


def names_on_turn(app, match_id):
    with app.app_context():
        asked = select(User.name).join(Seat).where(Seat.match_id == match_id, Seat.on_turn)
        return list(db.session.scalars(asked))


def test_a_player_gets_one_mail_for_a_turn_with_one_link_to_the_table(
    site, postbox, sign_up_with_mail
):
    match_id, players = seated(site, sign_up_with_mail, 2)
    make_any_move(on_turn(site, match_id, players)[0], match_id, Random(1))
    (name,) = names_on_turn(site, match_id)
    for _ in range(3):
        work(site)
    (mail,) = to(postbox, name)
    link = f"https://games.example.org/table/{match_id}"
    assert mail["Subject"] == "Your turn at “ann’s table” (Stockpile)"
    assert body(mail).count(link) == 1
    assert f'href="{link}"' in body(mail, "html")
    other = next(each for each in NAMES[:2] if each != name)
    assert f"- {other} lays " in body(mail)
    assert "Lay one of your two cards face-up" in body(mail)
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "\n\n\n" not in body(mail)


def test_a_mail_is_not_sent_for_a_turn_that_has_been_taken(site, postbox, sign_up_with_mail):
    match_id, players = seated(site, sign_up_with_mail, 2)
    (first,) = names_on_turn(site, match_id)
    make_any_move(on_turn(site, match_id, players)[0], match_id, Random(1))
    work(site)
    assert to(postbox, first) == []
    assert outcomes(site)[0] == "passed"


def test_a_turn_taken_without_the_outbox_hearing_of_it_is_dropped_too(
    site, postbox, sign_up_with_mail
):
    match_id, _ = seated(site, sign_up_with_mail, 2)
    (first,) = names_on_turn(site, match_id)
    with site.app_context(), writing() as tx:  # As when a bot takes the seat over.
        for seat in tx.scalars(select(Seat)):
            seat.on_turn = False
    work(site)
    assert outcomes(site) == ["passed"]
    assert [mail["Subject"] for mail in to(postbox, first)] == [
        "“ann’s table” (Stockpile) has begun"
    ]


def test_when_a_table_is_to_be_closed_the_others_are_asked_and_told_that_it_is_over(
    site, postbox, sign_up_with_mail
):
    match_id, (ann, bob, carol) = seated(site, sign_up_with_mail, 3)
    for player in (ann, bob, carol):
        player.post("/notices/seen")
    ann.post(f"/table/{match_id}/seating", data={"do": "close"})
    work(site)
    asked = {mail["To"]: mail["Subject"] for mail in postbox.mails}
    assert asked == {
        f"{name}@example.org": "Shall “ann’s table” (Stockpile) be closed?"
        for name in ("bob", "carol")
    }
    postbox.mails.clear()
    for player in (bob, carol):
        player.post(f"/table/{match_id}/seating", data={"do": "closing close"})
    work(site)
    (mail,) = postbox.mails  # Ann has asked for it, and Carol has just closed it.
    assert mail["To"] == "bob@example.org"
    assert mail["Subject"] == "“ann’s table” (Stockpile) is over"


def test_who_is_asked_whether_to_close_a_table_is_not_told_once_it_is_no_question_any_more(
    site, postbox, sign_up_with_mail
):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    for player in (ann, bob):
        player.post("/notices/seen")
    ann.post(f"/table/{match_id}/seating", data={"do": "close"})
    ann.post(f"/table/{match_id}/seating", data={"do": "closing play"})
    work(site)
    assert postbox.mails == []


def test_friends_who_are_away_are_told_of_a_rematch_and_led_to_it(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2, name="Friday")
    close(match_id, ann, bob)
    for player in (ann, bob):
        player.post("/notices/seen")
    again = ann.post(f"/table/{match_id}/seating", data={"do": "rematch"}).location
    work(site)
    (mail,) = postbox.mails
    assert mail["To"] == "bob@example.org"
    assert mail["Subject"] == "A rematch after “Friday” (Stockpile)?"
    told = mail.get_body(("plain",)).get_content()
    assert f"/table/{match_id}\r\n" in told and f"{again}\r\n" not in told
    assert "Join the rematch" in bob.get(f"/table/{match_id}").text
    bob.post("/notices/seen")
    assert ann.post(f"/table/{match_id}/seating", data={"do": "rematch"}).location == again
    work(site)
    assert len(postbox.mails) == 1


def test_nobody_is_told_of_a_rematch_that_was_closed_meanwhile(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    close(match_id, ann, bob)
    for player in (ann, bob):
        player.post("/notices/seen")
    again = ann.post(f"/table/{match_id}/seating", data={"do": "rematch"}).location
    ann.post(f"{again}/seating", data={"do": "close"})
    work(site)
    assert postbox.mails == []


def test_news_of_several_tables_come_in_one_mail(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    tables = [match_id]
    for _ in range(2):
        data = {"game": "stockpile", "size": "2", "pace": "day", "listed": "on"}
        made = ann.post("/tables/new", data=data)
        bob.post(f"{made.location}/seating", data={"do": "join"})
        tables.append(int(made.location.rsplit("/", 1)[1]))
    work(site)
    for name in ("ann", "bob"):  # Whoever is dealt the first turns: one of them has two or more.
        (mail,) = to(postbox, name)
        told = re.findall(r"https://games.example.org/table/(\d+)", body(mail))
        assert {int(number) for number in told} == set(tables)
        waiting = [table for table in tables if name in names_on_turn(site, table)]
        many = len(waiting) > 1
        subject = f"Your turn at {len(waiting)} tables" if many else "News of 3 tables"
        assert mail["Subject"] == subject


def test_what_a_page_has_shown_is_not_sent(site, postbox, sign_up_with_mail):
    match_id, players = seated(site, sign_up_with_mail, 2)
    seen = f"/table/{match_id}/seen"
    for player in players:
        assert player.post(seen, data={"version": "1"}).status_code == 204
    work(site)
    assert postbox.mails == []
    make_any_move(on_turn(site, match_id, players)[0], match_id, Random(1))
    (player,) = on_turn(site, match_id, players)
    player.post(seen, data={"version": "1"})  # An old page, which shows what was before.
    work(site)
    assert len(postbox.mails) == 1


@pytest.mark.parametrize("version", ["", "x", "-1", "99999999999"])
def test_a_page_that_shows_no_version_is_refused(site, sign_up_with_mail, version):
    match_id, (ann, _) = seated(site, sign_up_with_mail, 2)
    answer = ann.post(f"/table/{match_id}/seen", data={"version": version})
    assert answer.status_code == 400


def stop_link(mail):
    (link,) = re.findall(r"<https://games.example.org(/\S+)>", mail["List-Unsubscribe"])
    return link


def test_one_click_ends_the_mails_and_looking_does_not(make_app, postbox, sign_up_with_mail):
    site = make_app(**postbox.settings(), WTF_CSRF_ENABLED=False)
    match_id, players = seated(site, sign_up_with_mail, 2)
    work(site)
    mail = to(postbox, "ann")[0]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    as_sent = dict(mail.raw_items())["List-Unsubscribe"]
    assert str(as_sent).strip().startswith("<https://games.example.org/"), (
        "plain, not in code words"
    )
    site.config["WTF_CSRF_ENABLED"] = True  # Mail programs have no token of ours.
    stranger = site.test_client()
    assert "<button>" in stranger.get(stop_link(mail)).text
    with site.app_context():
        assert db.session.scalars(select(Channel)).all() == []
    done = stranger.post(stop_link(mail), data={"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    site.config["WTF_CSRF_ENABLED"] = False
    before = len(to(postbox, "ann"))
    for _ in range(4):
        make_any_move(on_turn(site, match_id, players)[0], match_id, Random(1))
        work(site)
    assert len(to(postbox, "ann")) == before
    assert len(to(postbox, "bob")) > 1


def test_a_made_up_link_ends_nothing(site, sign_up_with_mail):
    sign_up_with_mail(site.test_client(), "ann")
    for token in ("made-up", "WzEsIm1haWwiXQ.made-up"):
        assert site.test_client().post(f"/notices/stop/{token}").status_code == 404
        assert site.test_client().get(f"/notices/stop/{token}").status_code == 404


def deliveries(app):
    with app.app_context():
        rows = db.session.scalars(select(Delivery).order_by(Delivery.id))
        return [(row.place, row.accepted, row.answer) for row in rows]


def test_a_mail_server_that_is_busy_is_asked_again_and_the_answers_are_logged(
    site, postbox, sign_up_with_mail
):
    seated(site, sign_up_with_mail, 2)
    postbox.busy = 3
    work(site)
    assert {outcome for outcome in outcomes(site, "started")} <= {None, "sent"}
    for _ in range(3):
        work(site)
    assert len(to(postbox, "ann")) == len(to(postbox, "bob")) == 1
    answers = [row[2] for row in deliveries(site)]
    assert answers.count("451 come back later") == 3
    assert answers.count("250 queued as 77") == 2
    assert set(outcomes(site, "started")) == {"sent"}


def test_an_address_that_the_mail_server_refuses_is_not_tried_again(site, postbox, sign_up):
    def sign_up_nobody(client, name, **fields):
        return sign_up(client, name, email=f"nobody@{name}.example.org", **fields)

    seated(site, sign_up_nobody, 2)
    for _ in range(3):
        work(site)
    assert sorted(deliveries(site)) == [
        (f"nobody@{name}.example.org", False, "550 no such person") for name in ("ann", "bob")
    ]
    assert set(outcomes(site, "started")) == {"failed"}


@pytest.mark.parametrize("way", ["refused", "silent"])
def test_a_mail_server_that_does_not_answer_is_tried_again_later(
    make_app, sign_up_with_mail, postbox, monkeypatch, way
):
    monkeypatch.setattr("stockpile_web.notify.smtp.TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        settings = {**postbox.settings(), "SMTP_PORT": str(mute.getsockname()[1])}
        if way == "refused":
            mute.close()
        site = make_app(**settings)
        seated(site, sign_up_with_mail, 2)
        work(site)
        assert {accepted for _, accepted, _ in deliveries(site)} == {False}
        assert "cannot be reached" in deliveries(site)[0][2]
        assert set(outcomes(site, "started")) == {None}
    site.config["SMTP_PORT"] = postbox.port
    work(site)
    assert len(postbox.mails) == 2


def test_a_mail_server_whose_certificate_is_not_trusted_gets_no_mail(
    make_app, postbox, sign_up_with_mail
):
    site = make_app(**{**postbox.settings(), "SMTP_SECURITY": "tls"})
    seated(site, sign_up_with_mail, 2)
    work(site)
    assert postbox.mails == []
    assert {accepted for _, accepted, _ in deliveries(site)} == {False}
    assert set(outcomes(site, "started")) == {None}


def test_without_a_mail_server_the_administrator_reads_no_secret_of_others(app, sign_up_with_mail):
    match_id, players = seated(app, sign_up_with_mail, 2)
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    work(app)
    with app.app_context():
        mails = db.session.scalars(select(KeptMail)).all()
    assert [mail.subject for mail in mails] != []
    for mail in mails:
        assert f"/table/{match_id}" in mail.text
        assert "You are dealt" not in mail.text and "You learn" not in mail.text
        assert "since your last turn" not in mail.text


@pytest.mark.long_on_postgres
def test_what_a_player_cannot_know_changes_no_byte_of_their_mails(site, postbox, sign_up_with_mail):
    match_id, players = seated(site, sign_up_with_mail, 3, options=["advanced_board"])
    game, chooser, compared = GAMES["stockpile"], Random(5), 0
    with site.app_context():
        seat_of = {seat.name: seat.number for seat in db.session.scalars(select(Seat))}
        text = ""
    for step in range(40):
        if not (movers := on_turn(site, match_id, players)):
            break
        make_any_move(chooser.choice(movers), match_id, chooser)
        if step % 5:
            continue
        with site.app_context():
            text = db.session.get_one(Match, match_id).state
        for name in names_on_turn(site, match_id):
            other = codec.dump(
                worlds.another_world(codec.load(game.State, text), seat_of[name], chooser)
            )
            compared += other != text
            sent = []
            for world in (text, other):
                put(site, match_id, world)
                with site.app_context(), writing() as tx:
                    for notice in tx.scalars(select(Notice)):
                        notice.told, notice.done_at, notice.queued = "", None, False
                time_passes(site)
                postbox.mails.clear()
                do_what_is_due(site)
                sent.append([_bytes(mail) for mail in to(postbox, name)])
            put(site, match_id, text)
            assert sent[0] == sent[1] != []
    assert compared > 3


def _bytes(mail):
    """Return a mail without what is drawn by lot, or by the clock."""
    text = mail.as_string().replace(mail.get_boundary(), "")
    return re.sub(r"^(Date|X-Peer): .*$", "", text, flags=re.M)


@pytest.mark.parametrize("slug", GAMES)
def test_whatever_is_asked_is_put_into_a_sentence(slug):
    game, words = GAMES[slug], bare_environment().get_template(f"games/{slug}/ask.txt")
    every = switches(game)
    said = set()
    for options, seats in product(([], every), game.SEATS):
        sitting = Sitting(slug, seats, options, f"asked {seats}")
        for _ in sitting.turns():
            for seat in sitting.on_turn()[:1]:
                table = SimpleNamespace(view=game.view(sitting.state, seat))
                said.add(" ".join(words.render(table=table).split()))
    assert len(said) > 3
    assert all(re.fullmatch(r"[A-Z].*\.", sentence) for sentence in said), said
