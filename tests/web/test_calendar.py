"""The calendar: read by a program of others, at an address that nobody guesses."""

import re
from datetime import UTC, datetime, timedelta

import icalendar
from sqlalchemy import update

from stockpile_web.storage.models import Seat
from stockpile_web.storage.transactions import writing
from stockpile_web.web.notices.calendar import Deadline, feed
from tests.conftest import PASSWORD
from tests.support.people import on_turn, seated

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


def entries(text):
    return icalendar.Calendar.from_ical(text).walk("VEVENT")


def test_a_calendar_program_reads_when_the_time_at_a_table_runs_out():
    link = "https://games.example.org/table/7"
    deadline = Deadline(7, "“Friday” (Stockpile)", NOON, link)
    (entry,) = entries(feed([deadline], NOON, "games.example.org"))
    assert entry["SUMMARY"] == "Your time at “Friday” (Stockpile) runs out"
    assert entry.decoded("DTEND") == NOON
    assert entry.decoded("DTSTART") == NOON - timedelta(minutes=30)
    assert (entry["URL"], entry["UID"]) == (link, "table-7@games.example.org")


def test_a_calendar_without_a_deadline_is_still_one():
    text = feed([], NOON, "games.example.org")
    assert entries(text) == [] and text.endswith("END:VCALENDAR\r\n")


def test_no_line_is_longer_than_75_bytes_and_no_letter_of_a_title_is_lost():
    title = 'Ä;b,c\\d "e"\nnext ' + "größer ß 三国 " * 20
    text = feed([Deadline(7, title, NOON, "https://x/" + "y" * 200)], NOON, "x")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    (entry,) = entries(text)
    assert entry["SUMMARY"] == f"Your time at {title} runs out"
    assert entry["URL"] == "https://x/" + "y" * 200


def make_address(client):
    assert client.post("/notices/calendar", data={"do": "make"}).status_code == 303
    found = re.search(r"http://localhost(/calendar/[^<]+)<", client.get("/notices/choices").text)
    assert found
    return found[1]


def set_deadline(app, **when):
    with app.app_context(), writing() as tx:
        tx.execute(update(Seat).values(deadline_at=NOON, **when))


def test_my_calendar_lists_the_tables_that_wait_for_me_and_no_others(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    set_deadline(app)
    (mover,) = on_turn(app, match_id, players)
    other = next(player for player in players if player is not mover)
    program = app.test_client()
    answer = program.get(make_address(mover))
    assert answer.content_type == "text/calendar; charset=utf-8"
    (entry,) = entries(answer.text)
    assert entry["URL"] == f"http://localhost/table/{match_id}"
    assert entry.decoded("DTEND") == NOON
    assert entries(program.get(make_address(other)).text) == []
    set_deadline(app, bot="casual")
    assert entries(program.get(make_address(mover)).text) == []


def test_an_address_that_was_renewed_removed_or_made_up_leads_nowhere(app, client, sign_up):
    sign_up(client, "ann")
    program = app.test_client()
    first = make_address(client)
    second = make_address(client)
    assert program.get(first).status_code == 404 and program.get(second).status_code == 200
    for made_up in (second.replace(".ics", "x.ics"), "/calendar/WzEsIiJd.x.ics", "/calendar/.ics"):
        assert program.get(made_up).status_code == 404
    client.post("/notices/calendar", data={"do": "remove"})
    assert program.get(second).status_code == 404
    assert "/calendar/" not in client.get("/notices/choices").text


def test_a_deleted_account_has_no_calendar(app, client, sign_up):
    sign_up(client, "ann")
    address = make_address(client)
    client.post("/account/delete", data={"password": PASSWORD})
    assert app.test_client().get(address).status_code == 404
