"""Who watches a table is brought what they would get by asking, as long as they might ask."""

from random import Random

import pytest

from stockpile_web.match.glance import glance
from stockpile_web.storage.transactions import reading
from stockpile_web.web import watching
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated, table
from tests.support.watching import begin_to_watch

HX = {"HX-Request": "true"}


@pytest.fixture
def three(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    return match_id, players


def ask(app, source, match_id, shown):
    with app.app_context():
        return source.ask(match_id, shown)


def words_of(brought):
    """Return on what an event builds, and its HTML."""
    head, *lines = brought.message.decode().removesuffix("\n\n").split("\n")
    assert head == "event: board"
    base, *html = [line.removeprefix("data: ") for line in lines]
    return base, "\n".join(html)


def test_everybody_is_brought_what_they_would_be_answered(app, three):
    match_id, players = three
    watchers = [*players, app.test_client(), app.test_client()]
    began = [begin_to_watch(app, client, match_id) for client in watchers]
    assert len({source for source, _ in began}) == 4  # Strangers share one.
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    said = set()
    for client, (source, shown) in zip(watchers, began, strict=True):
        brought = ask(app, source, match_id, shown)
        base, html = words_of(brought)
        assert base == shown.table
        has = {"Board-Has": " ".join(shown.parts)}
        assert client.get(f"/table/{match_id}", headers={**HX, **has}).text == html
        assert ask(app, source, match_id, None) == (None, brought.shown)  # They fetch it.
        said.add(html)
    assert len(said) == 4


def test_who_may_not_see_it_any_more_is_brought_nothing(app, three):
    match_id, (ann, bob, _) = three
    (anns, shown), (bobs, _) = (begin_to_watch(app, each, match_id) for each in (ann, bob))
    ann.post("/sign-out")
    assert ask(app, anns, match_id, shown) is None
    # Nor does anybody who sits elsewhere now get the board of the seat they had.
    with app.app_context(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "glance", lambda reading, match, _: glance(reading, match, None))
        assert bobs.ask(match_id, shown) is None
        patch.setattr(watching, "glance", lambda *asked: None)
        assert bobs.ask(match_id, shown) is None


def test_a_board_that_is_much_is_fetched_for_that_comes_compressed(app, three, monkeypatch):
    match_id, players = three
    source, shown = begin_to_watch(app, players[0], match_id)
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    monkeypatch.setattr(watching, "MOST_BYTES", 100)
    assert ask(app, source, match_id, shown).message is None


def test_before_a_match_has_begun_pages_fetch(app, sign_up):
    match_id, _ = table(app, sign_up, 2, listed="on")
    with app.test_request_context("/"):
        seen = glance(reading(), match_id, None)
        assert seen is not None
        source = watching.source_of(seen, None)
    assert ask(app, source, match_id, None) == (None, None)
