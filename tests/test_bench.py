"""The bench can be trusted: what it foresees comes true, and what is refused stops it."""

import itertools
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import _chart, _load, _seed, _server, bots, load
from stockpile_web import create_app
from stockpile_web.engine.simulation import RANDOM
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate


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


@pytest.mark.parametrize("slug", GAMES)
def test_every_bot_is_measured_against_all_below_it_at_tables_of_every_size(slug: str) -> None:
    rows = list(bots.rows(slug, 100))
    levels = [RANDOM, *GAMES[slug].BOTS]
    measured = {(row.bot, row.against, row.seats) for row in rows}
    for below, key in [*itertools.pairwise(levels), *itertools.combinations(levels[1:], 2)]:
        assert {(key, below, seats) for seats in GAMES[slug].SEATS} <= measured
    record = bots.play((rows[0], 0))
    assert len(record.scores) == rows[0].seats
    mean, longest = bots.seconds_to_choose(GAMES[slug], levels[1])
    assert 0 < mean <= longest


def test_a_chart_is_well_formed_and_names_every_bar() -> None:
    drawn = _chart.chart("<Lead>", [_chart.Bar("A & B", 3, 1), _chart.Bar("C", -2, 0.5)])
    texts = [text.text for text in ElementTree.fromstring(drawn).iter() if text.text]
    assert {"<Lead>", "A & B", "C", "+3", "-2"} <= {text.strip() for text in texts}


def test_a_short_evening_of_load_is_answered_and_measured(tmp_path: Path) -> None:
    found = load.measure(f"sqlite:///{tmp_path}/bench.db", minutes=0.1, every=3)
    assert found["problems"] == {}
    kinds = {"move", "board", "page", "log", "turn", "story", "file", "list", "profile", "rules"}
    assert {kind for kind, row in found["answers"].items() if row["count"]} == kinds
    assert len(found["samples"]) >= 2
    for row in found["samples"]:
        assert row["mb"] > 50 and row["files"] > 50


def test_what_the_server_refuses_under_load_is_noted_and_the_next_one_is_sent(
    environ: dict[str, str],
) -> None:
    tally = load.Tally()
    migrate(create_app(environ))
    with _server.serving("wsgi:app", environ, 1) as server:
        asked = [load.page(_seed.STRANGER, path) for path in ("/nowhere", "/health", "/nowhere")]
        load.send(server.port, "page", asked, tally)
    row = tally.rows()["page"]
    assert (row["count"], row["errors"]) == (1, 2)
