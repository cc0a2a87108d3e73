"""A site carried over from one database to another."""

import pytest
from sqlalchemy import select, update

from stockpile_web import create_app
from stockpile_web.settings import BadSetting
from stockpile_web.storage.database import Busy, db
from stockpile_web.storage.models import Match
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep import Refused, copying
from tests.conftest import FAST
from tests.support.playing import play
from tests.support.sites import all_rows, begin_matches, empty_site


def test_a_site_goes_from_sqlite_to_postgres_and_back_and_can_be_played_on(
    request, tmp_path, monkeypatch
):
    monkeypatch.setattr(copying, "BATCH", 7)
    first, second, third, fourth = (
        empty_site(request, tmp_path, kind, name)
        for kind, name in (
            ("sqlite", "first"), ("postgresql", "second"), ("sqlite", "third"), ("sqlite", "fourth")
        )
    )  # fmt: skip
    app = create_app({**FAST, **first})
    migrate(app)
    numbers = begin_matches(app, 2)
    play(app, numbers[0], moves=20)
    with app.app_context(), writing() as tx:  # Rows lead to later ones of their own table, too.
        leads = update(Match).where(Match.id == numbers[0]).values(rematch_id=numbers[1])
        tx.execute(leads)
    with pytest.raises(Refused, match="The server is running"):
        copying.copy(first, second)
    close(app)

    copied = copying.copy(first, second)
    assert copied["move"] > 20
    rows = all_rows(first["DATABASE_URL"])
    assert all_rows(second["DATABASE_URL"]) == rows
    copying.copy(second, third)
    assert all_rows(third["DATABASE_URL"]) == rows
    with pytest.raises(Refused, match="not empty"):
        copying.copy(first, second)
    assert all_rows(second["DATABASE_URL"]) == rows

    moved = create_app({**FAST, **second})
    play(moved, numbers[0], moves=3)
    [another] = begin_matches(moved, 1)
    assert another not in numbers
    with pytest.raises(Refused, match="Somebody is connected"):
        copying.copy(second, fourth)
    with moved.app_context():
        assert len(db.session.scalars(select(Match)).all()) == 3
    close(moved)
    with pytest.raises(Refused, match="There is no database"):
        copying.copy({**first, "DATABASE_URL": f"sqlite:///{tmp_path}/none.db"}, fourth)


def close(app):
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_server_that_starts_while_rows_are_copied_can_change_nothing(
    request, tmp_path, monkeypatch, kind
):
    source = empty_site(request, tmp_path, kind, "copied")
    target = empty_site(request, tmp_path, "sqlite", "copy")
    app = create_app({**FAST, **source})
    migrate(app)
    [number] = begin_matches(app, 1)
    close(app)
    compare, outcomes = copying._compare, []

    def begin_to_play(counted, new):
        started = create_app({**FAST, **source})
        with pytest.raises((Busy, BadSetting)):
            migrate(started)
            play(started, number, moves=1)
        close(started)
        outcomes.append("refused")
        compare(counted, new)

    monkeypatch.setattr(copying, "_compare", begin_to_play)
    copying.copy(source, target)
    assert outcomes == ["refused"]
    assert all_rows(target["DATABASE_URL"]) == all_rows(source["DATABASE_URL"])
