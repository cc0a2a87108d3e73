"""Atom feeds: what ended last, of the site and of a person, for feed readers."""

from typing import Any
from xml.etree import ElementTree

from sqlalchemy import update

from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import writing
from tests.web.test_archive import ROWS, found, put

ATOM = {"a": "http://www.w3.org/2005/Atom"}
NAMED: tuple[Any, ...] = ("<b>&\"'", ("ann", "בוב"), (30, 20), {})


def read(answer):
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.data)
    for part in (feed, *feed.findall("a:entry", ATOM)):  # What RFC 4287 asks of all of them.
        assert all(len(part.findall(f"a:{name}", ATOM)) == 1 for name in ("id", "title", "updated"))
    assert feed.findtext("a:author/a:name", "", ATOM)
    return feed


def texts(feed, path):
    return [element.text for element in feed.findall(path, ATOM)]


def test_the_feed_of_the_site_tells_who_won_with_what_and_nothing_that_is_hidden(app, client):
    *ids, last = put(app, *ROWS, NAMED)
    answer = client.get("/feed.atom")
    feed = read(answer)
    assert texts(feed, "a:entry/a:title") == [
        "Stockpile: <b>&\"'", "Illimat: Gamma", "Stockpile: Beta", "Stockpile: Alpha",
    ]  # fmt: skip
    summaries = texts(feed, "a:entry/a:summary")
    assert summaries == [
        "ann won with $30K, ahead of \u2066בוב\u2069 with $20K.",
        "carol and dave won with 12 points.",
        "carol won with $50K, ahead of bob with $49K and ann with $10K.",
        "ann won with $30K, ahead of bob with $20K.",
    ]
    entry = feed.find("a:entry", ATOM)
    links = {link.get("rel"): link.get("href") for link in entry.findall("a:link", ATOM)}
    assert links == {
        "alternate": f"http://localhost/table/{last}",
        "related": f"http://localhost/table/{last}/story",
    }
    assert entry.findtext("a:id", "", ATOM) == f"tag:localhost,2026:/table/{last}"
    assert not any(name in answer.text for name in ("Hidden", "Trial", "Shut", "Running"))
    assert f"/table/{ids[3]}" not in answer.text
    page = client.get("/archive").text
    assert '<link rel="alternate" type="application/atom+xml" title="Finished matches"' in page


def test_the_feed_of_a_person_is_found_from_their_matches_and_has_no_others(app, client):
    put(app, *ROWS, NAMED)
    feed = read(client.get("/people/DAVE/feed.atom"))
    assert texts(feed, "a:entry/a:title") == ["Illimat: Gamma"]
    assert texts(feed, "a:title") == ["Finished matches of dave"]
    turned = client.get("/people/בוב/feed.atom")
    links = {link.get("rel"): link.get("href") for link in read(turned).findall("a:link", ATOM)}
    assert all(address.isascii() for address in links.values())
    assert client.get(links["self"].removeprefix("http://localhost")).data == turned.data
    assert client.get(links["alternate"].removeprefix("http://localhost")).status_code == 200
    assert "/people/dave/feed.atom" in client.get("/archive?player=dave").text
    assert client.get("/people/nobody/feed.atom").status_code == 404


def test_a_reader_that_knows_the_newest_is_told_so(app, client):
    read(client.get("/feed.atom"))  # An empty one is a feed, too.
    put(app, *ROWS[:2])
    answer = client.get("/feed.atom")
    tag, moment = answer.headers["ETag"], answer.headers["Last-Modified"]
    for known in ({"If-None-Match": tag}, {"If-Modified-Since": moment}):
        again = client.get("/feed.atom", headers=known)
        assert (again.status_code, again.data) == (304, b"")
    packed = client.get("/feed.atom", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    weak = {"If-None-Match": packed.headers["ETag"], "Accept-Encoding": "gzip"}
    assert client.get("/feed.atom", headers=weak).status_code == 304


def test_whoever_hides_their_profile_is_not_listed_by_name(app, client, sign_up):
    put(app, *ROWS)
    with app.app_context(), writing() as tx:
        tx.execute(update(User).where(User.name == "dave").values(profile_for="members"))
    assert client.get("/people/dave/feed.atom").status_code == 404
    assert client.get("/archive?player=dave").status_code == 422
    eve = app.test_client()
    sign_up(eve, "eve")
    assert found(eve.get("/archive?player=dave")) == ["Gamma"]


def test_a_group_has_its_finished_matches_and_if_it_is_open_a_feed(app, client, sign_up):
    eve = app.test_client()
    sign_up(eve, "eve")
    form = {"name": "Tuesday club", "about": "", "entry": "open"}
    group = eve.post("/groups/new", data=form).location.rsplit("/", 1)[1]
    ours = {"group_id": int(group)}
    put(app, *ROWS[:2], ("Ours", ("ann", "bob"), (3, 2), ours),
        ("Our own", ("ann", "bob"), (5, 4), {"listed": False, **ours}))  # fmt: skip
    assert found(client.get(f"/archive?group={group}")) == ["Ours"]
    assert found(eve.get(f"/archive?group={group}")) == ["Our own", "Ours"]
    assert f"/archive?group={group}" in eve.get(f"/groups/{group}").text
    titles = texts(read(client.get(f"/groups/{group}/feed.atom")), "a:entry/a:title")
    assert titles == ["Stockpile: Ours"]
    eve.post(f"/groups/{group}", data={**form, "entry": "link", "do": "edit"})
    assert client.get(f"/groups/{group}/feed.atom").status_code == 404
    assert client.get(f"/archive?group={group}").status_code == 422
    assert found(eve.get(f"/archive?group={group}")) == ["Our own", "Ours"]
