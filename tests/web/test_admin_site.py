"""How the site is, at a glance; what waits to be sent; and which rules are in use."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from stockpile_web.games import GAMES
from stockpile_web.notify import lanes, smtp
from stockpile_web.notify.failed import Failed
from stockpile_web.storage import mail_queue, send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import (
    AccountMail,
    Audit,
    Delivery,
    KeptMail,
    Match,
    Notice,
    Report,
    SendJob,
)
from stockpile_web.storage.models.notices import EVENTS, FAILED, TURN
from stockpile_web.storage.models.people import LINK, LINK_ASKED
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep.backup_file import own_version
from stockpile_web.web import http_cache
from stockpile_web.web.admin import queues
from stockpile_web.worker import account_mails, broken_tables
from tests.support.known import FIRST
from tests.support.people import seated

SignUp = Callable[..., int]
LATER = timedelta(hours=1)


@pytest.fixture
def ann(app: Flask, sign_up: SignUp) -> FlaskClient:
    """The browser of the administrator, who plays with Bob."""
    _, (ann, _bob) = seated(app, sign_up, 2)
    return ann


def queue_for_bob(app: Flask, **job: object) -> tuple[int, int]:
    """Leave a notice of Bob's that a webhook has not taken; return its job and the notice."""
    with app.app_context(), writing() as tx:
        moment, bob = now(), {"user_id": 2}
        notice = Notice(
            **bob, match_id=1, event=TURN, version=99, made_at=moment, due_at=moment, queued=True
        )
        tx.add(notice)
        tx.flush()
        waits = SendJob(**{
            **bob, "notice_id": notice.id, "kind": "webhook", "lane": lanes.SLOW.name,
            "made_at": moment, "due_at": moment + LATER, "attempts": 2, **job,
        })  # fmt: skip
        told = {"kind": "webhook", "place": "hooks.example.org/s3cret", "subject": "Your turn"}
        tx.add(Delivery(**bob, **told, accepted=False, answer="410 <gone>", sent_at=moment))
        tx.add(waits)
        tx.flush()
        return waits.id, notice.id


def queue_mail(app: Flask, **mail: object) -> int:
    """Leave a mail about Bob's account."""
    with app.app_context(), writing() as tx:
        mail_queue.write(tx, LINK, "", user_id=2)
        tx.flush()
        tx.execute(update(AccountMail).values(due_at=now() + LATER, **mail))
        return tx.scalars(select(AccountMail.id)).one()


def acts(app: Flask) -> list[str]:
    """Return what was done to messages, as the audit log has it."""
    with app.app_context():
        lines = select(Audit.event).where(Audit.event.in_(("tried again", "dropped")))
        return list(db.session.scalars(lines.order_by(Audit.id)))


def test_the_first_page_says_how_the_site_is_and_leads_everywhere(
    app: Flask, ann: FlaskClient
) -> None:
    page = ann.get("/admin").text
    for words in ("2 new in the last 7 days", "open to all", "1 is played", "none open"):
        assert words in page
    assert "none kept" in page and "none are made" in page
    assert own_version() in page and http_cache.build() in page
    for path in (
        "people", "sign-ups", "tables", "reports", "queues", "mail", "backups", "rules", "held",
        "audit",
    ):  # fmt: skip
        assert f'href="/admin/{path}"' in page
        below = ann.get(f"/admin/{path}")
        assert below.status_code == 200 and 'href="/admin"' in below.text


def test_the_first_page_counts_what_asks_for_a_look(app: Flask, ann: FlaskClient) -> None:
    assert ">look<" not in ann.get("/admin").text
    queue_for_bob(app)
    ann.post("/table/1/turn/0/report", data={"note": "Odd"})
    with app.app_context():
        smtp.send_mail("bob@example.org", "Hello", "text")
        assert db.session.scalar(select(func.count()).select_from(Report)) == 1
        with writing() as tx:
            tx.execute(update(Match).values(rules_version=99, halted_for="Later."))
    page = ann.get("/admin").text
    for words in ("1 open", "1 kept", "1 tried before", "1 of the last 1000 not taken", "1 paused"):
        assert words in page, words
    assert page.count(">look<") == 4


def test_the_first_page_and_the_list_of_held_matches_tell_of_the_same_tables(
    app: Flask, ann: FlaskClient
) -> None:
    def told() -> tuple[str, int]:
        (count,) = re.findall(
            r"Matches that are held</a></div>.*?(\w+)</p>", ann.get("/admin").text
        )
        return count, ann.get("/admin/held").text.count('value="close"')

    assert told() == ("none", 0)
    with app.app_context(), writing() as tx:
        state = tx.get_one(Match, 1).state
        tx.execute(update(Match).values(state="{}"))
    broken_tables.LookThrough(app).go_on()
    assert told() == ("1", 1)
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).values(rules_version=99))
    assert told() == ("1", 1)  # For two reasons, and once.
    with app.app_context(), writing() as tx:
        version = GAMES[tx.get_one(Match, 1).game].VERSION
        tx.execute(update(Match).values(state=state, rules_version=version))
    assert told() == ("none", 0)


def test_every_event_has_words_on_the_page_of_what_waits() -> None:
    assert set(queues.EVENTS) == {*EVENTS, None}


def test_a_notice_that_waits_is_shown_with_the_reason_and_without_its_text(
    app: Flask, ann: FlaskClient
) -> None:
    page = ann.get("/admin/queues").text
    assert "Nothing waits." in page and "for later" in page  # The match has just begun.
    queue_for_bob(app)
    page = ann.get("/admin/queues").text
    assert "Webhook to bob: a turn" in page and "tried 2 times" in page
    assert "410 &lt;gone&gt;" in page
    assert "s3cret" not in page


def test_a_notice_is_tried_again_now_or_dropped(app: Flask, ann: FlaskClient) -> None:
    job, notice = queue_for_bob(app)
    assert ann.post(f"/admin/queues/job/{job}/retry").status_code == 303
    with app.app_context():
        assert db.session.get_one(SendJob, job).due_at <= now()
    assert ann.post(f"/admin/queues/job/{job}/drop").status_code == 303
    with app.app_context():
        assert db.session.get(SendJob, job) is None
        settled = db.session.get_one(Notice, notice)
        assert settled.done_at and settled.outcome == FAILED
    assert acts(app) == ["tried again", "dropped"]
    for act in ("retry", "drop"):
        gone = ann.post(f"/admin/queues/job/{job}/{act}", follow_redirects=True)
        assert "It is gone already" in gone.text
    assert acts(app) == ["tried again", "dropped"]


def test_what_a_worker_is_at_is_left_to_it(app: Flask, ann: FlaskClient) -> None:
    job, _ = queue_for_bob(app, lease="somebody")
    mail = queue_mail(app, lease="somebody")
    for path in (f"job/{job}", f"mail/{mail}"):
        for act in ("retry", "drop"):
            page = ann.post(f"/admin/queues/{path}/{act}", follow_redirects=True).text
            assert "a worker is at it just now" in page
    with app.app_context(), writing() as tx:
        assert tx.get_one(SendJob, job).due_at > now()
        assert tx.get_one(AccountMail, mail).due_at > now()
        assert send_queue.drop(tx, job + 1) == (False, None)


def test_a_mail_about_an_account_is_tried_again_or_dropped(app: Flask, ann: FlaskClient) -> None:
    mail = queue_mail(app)
    assert "A link for a new password, for bob" in ann.get("/admin/queues").text
    ann.post(f"/admin/queues/mail/{mail}/retry")
    with app.app_context():
        assert db.session.get_one(AccountMail, mail).due_at <= now()
    ann.post(f"/admin/queues/mail/{mail}/drop")
    assert "None wait." in ann.get("/admin/queues").text
    assert acts(app) == ["tried again", "dropped"]


def test_what_was_typed_for_a_link_is_not_shown(app: Flask, ann: FlaskClient) -> None:
    with app.app_context(), writing() as tx:
        mail_queue.write(tx, LINK_ASKED, "my password by mistake")
    page = ann.get("/admin/queues").text
    assert "Somebody has forgotten their password" in page
    assert "by mistake" not in page


def test_why_a_mail_server_did_not_take_a_mail_is_shown(
    app: Flask, ann: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_mail: str) -> None:
        raise Failed("450 come back later", for_good=False)

    queue_mail(app)
    with app.app_context(), writing() as tx:
        tx.execute(update(AccountMail).values(due_at=now() - LATER))
        bob = {"email": "bob@example.org", "email_key": "bob@example.org"}
        tx.execute(update(db.metadata.tables["user"]).values(bob))
    monkeypatch.setattr(account_mails, "send_mail", refuse)
    assert account_mails.send_next(app)
    page = ann.get("/admin/queues").text
    assert "tried once" in page and "450 come back later" in page


def test_a_mail_that_was_kept_is_removed_when_it_was_passed_on(
    app: Flask, ann: FlaskClient
) -> None:
    with app.app_context():
        smtp.send_mail("bob@example.org", "Hello", "text")
        kept = db.session.scalars(select(KeptMail.id)).one()
    ann.post(f"/admin/mail/{kept}/remove")
    ann.post(f"/admin/mail/{kept}/remove")
    assert "There are none." in ann.get("/admin/mail").text
    assert acts(app) == ["dropped"]


def test_the_page_of_rules_counts_matches_by_version_and_says_which_are_held(
    app: Flask, ann: FlaskClient
) -> None:
    title, version = GAMES[FIRST].TITLE, GAMES[FIRST].VERSION
    page = ann.get("/admin/rules").text
    assert f'<th scope="row">{title}</th><td>{version}</td><td>{version}</td><td>1</td>' in page
    assert "as of today" in page and ">held<" not in page
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).values(rules_version=99))
    assert ">held<" in ann.get("/admin/rules").text
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).values(status="over"))
    assert "Nothing is played at present." in ann.get("/admin/rules").text
