"""Many send a move at the same moment: one is accepted, on the real server."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier

import pytest
from sqlalchemy import func, select
from werkzeug.datastructures import MultiDict

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Move
from tests.support.clicking import Board
from tests.support.faults import Host, hosting
from tests.support.insisting import TOKEN, Browser
from tests.support.people import on_turn, seated

MANY = 12

pytestmark = pytest.mark.long


@pytest.fixture
def host(app, tmp_path):
    host = Host(app, tmp_path / "host")
    with hosting(host):
        yield host


def at_once(acts: Sequence[Callable[[], int]]) -> Counter[int]:
    """Let all act at the same moment; return how often each came out."""
    ready = Barrier(len(acts))

    def act(one: Callable[[], int]) -> int:
        ready.wait(60)
        return one()

    with ThreadPoolExecutor(len(acts)) as pool:
        return Counter(pool.map(act, acts))


def forms(page: str, count: int) -> list[MultiDict[str, str]]:
    """Return so many forms that the page can send, as different as it allows."""
    return [Board(page).fill_in(Random(seed)) for seed in range(count)]


def moves_of(app, match_id):
    with app.app_context():
        sent = select(func.count()).where(Move.match_id == match_id, Move.digest.is_not(None))
        return db.session.scalar(sent)


def test_of_one_move_sent_many_times_at_once_one_is_made_and_all_are_told_so(app, sign_up, host):
    match_id, players = seated(app, sign_up, 3)
    path = f"/table/{match_id}"
    for turn in range(3):
        client = on_turn(app, match_id, players)[0]
        browsers = [Browser([host], client, Random(each)) for each in range(MANY)]
        page = browsers[0].look(path)
        (form,) = forms(page, 1)
        token = TOKEN.findall(page)[0]
        for browser in browsers:
            browser.cookies = browsers[0].cookies
        sending = [partial(each.send, f"{path}/move", form, token) for each in browsers]
        assert at_once(sending) == {303: MANY}
        assert moves_of(app, match_id) == turn + 1


def test_of_many_different_moves_sent_at_once_one_is_made_and_the_others_are_stale(
    app, sign_up, host
):
    match_id, players = seated(app, sign_up, 3)
    path = f"/table/{match_id}"
    client = on_turn(app, match_id, players)[0]
    browser = Browser([host], client, Random(1))
    page = browser.look(path)
    token = TOKEN.findall(page)[0]
    different = {repr(form): form for form in forms(page, 100)}
    assert len(different) > 2
    # Once each: what is sent again would be answered like the first.
    sending = [partial(browser.send, f"{path}/move", form, token) for form in different.values()]
    assert at_once(sending) == {303: 1, 409: len(different) - 1}
    assert moves_of(app, match_id) == 1
