"""The calendar: read by a program of others, at an address that nobody guesses."""

from datetime import UTC, datetime, timedelta

import icalendar

from stockpile_web.notify.calendar import Deadline, feed

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


def entries(text):
    return icalendar.Calendar.from_ical(text).walk("VEVENT")


def test_a_calendar_program_reads_when_the_time_at_a_table_runs_out():
    link = "https://games.example.org/table/7"
    (entry,) = entries(feed([Deadline(7, "Stockpile", NOON, link)], NOON, "games.example.org"))
    assert entry["SUMMARY"] == "Your time at table 7 (Stockpile) runs out"
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
    assert entry["SUMMARY"] == f"Your time at table 7 ({title}) runs out"
    assert entry["URL"] == "https://x/" + "y" * 200
