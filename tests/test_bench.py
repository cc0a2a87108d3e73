"""The bench can be trusted: what it foresees comes true, and what is refused stops it."""

from pathlib import Path

import pytest

from bench import _load, _seed, _sensible, _server, pace
from stockpile_web import create_app
from stockpile_web.database import db, migrate


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"STOCKPILE_INSTANCE": str(tmp_path), "SQLITE_SYNCHRONOUS": "OFF", "SITE_URL": ""}


def test_moves_that_are_foreseen_are_accepted_and_a_refusal_is_not_measured(
    environ: dict[str, str],
) -> None:
    app = create_app(environ)
    migrate(app)
    people = _seed.sign_in(app, 2)
    (number,) = _seed.seat(app, people, 1)
    moves = _seed.requests(app, people, number)
    with app.app_context():
        db.engine.dispose()
    with _server.serving("wsgi:app", environ, 1) as server:
        answers = _load.drive(server.port, [moves[:12]])
        assert len(answers.times) == len(answers.sizes) == 12
        assert server.cpu_seconds() > 0
        assert server.memory() > 10
        (tag,) = _load.tags(server.port, [_seed.STRANGER.look(number)])
        _load.drive(server.port, [[_seed.STRANGER.look(number, tag)]], status=304)
        with pytest.raises(_load.WrongAnswer):
            _load.drive(server.port, [[_seed.STRANGER.send(number, {})]])


def test_with_orders_a_match_waits_for_fewer_people_and_never_for_more() -> None:
    (bot, *_) = pace.GAME.BOTS
    without, within = pace.measure(3, bot, None), pace.measure(3, bot, _sensible.orders)
    assert without.ordered == 0 < within.ordered
    assert within.waits.total() < without.waits.total() <= without.visits <= without.moves
    assert within.waits.total() <= within.visits
