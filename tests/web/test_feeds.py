"""Atom feeds: what ended last, of the site and of a person, for feed readers."""

from typing import Any
from xml.etree import ElementTree

from tests.web.test_archive import ROWS, put

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
        "ann won with 30, ahead of \u2066בוב\u2069 with 20.",
        "carol and dave won with 12.",
        "carol won with 50, ahead of bob with 49 and ann with 10.",
        "ann won with 30, ahead of bob with 20.",
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
