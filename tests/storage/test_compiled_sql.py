"""Statements that are sent as they are: they say and hear the same as if SQLAlchemy sent them."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import bindparam, func, insert, select, update

from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import reading, transaction, writing

MOMENT = datetime(2026, 11, 16, 9, 30, 15, 250000, tzinfo=UTC)
COLUMNS = (User.name, User.is_admin, User.created_at, User.deleted_at, User.awake_from)

NAMED = select(*COLUMNS).where(User.name_key == bindparam("key")).order_by(User.id)
SINCE = select(*COLUMNS).where(User.created_at >= bindparam("moment")).order_by(User.id).limit(2)
GIVEN = ("name", "name_key", "created_at")
DEFAULTS = {
    "time_zone": "UTC", "awake_from": 8, "awake_to": 23, "awake_days": "1", "is_admin": True,
    "profile_for": "nobody",
}  # fmt: skip
ADD = Statement(insert(User).values(DEFAULTS), GIVEN)
RENAME = Statement(
    update(User).where(User.name_key == bindparam("key")).values(name=bindparam("new_name"))
)


@pytest.fixture
def people(app):
    with app.app_context():
        with transaction() as tx:
            names = ("Ann", "Bob", "Carol")
            ADD.run(tx, *({"name": n, "name_key": n.lower(), "created_at": MOMENT} for n in names))
        yield reading()


@pytest.mark.parametrize(
    ("clause", "values"),
    [(NAMED, {"key": "ann"}), (NAMED, {"key": "nobody"}), (SINCE, {"moment": MOMENT})],
)
def test_rows_are_those_that_sqlalchemy_reads(people, clause, values):
    expected = [tuple(row) for row in people.execute(clause, values)]
    statement = Statement(clause)
    assert [tuple(row) for row in statement.rows(people, **values)] == expected
    first = statement.row(people, **values)
    assert (first and tuple(first)) == (expected[0] if expected else None)
    assert statement.value(people, **values) == (expected[0][0] if expected else None)


def test_what_is_written_is_read_as_it_was(people):
    (name, is_admin, created, deleted, awake_from) = Statement(NAMED).row(people, key="bob")
    assert (name, is_admin, deleted, awake_from) == ("Bob", True, None, 8)
    assert (created, created.tzinfo) == (MOMENT, UTC)


def test_a_change_may_be_made_once_or_for_each_of_several_values(people):
    with transaction() as tx:
        RENAME.run(tx, {"key": "ann", "new_name": "Anna"})
        RENAME.run(tx, {"key": "bob", "new_name": "Rob"}, {"key": "carol", "new_name": "Caro"})
    assert reading().scalars(select(User.name).order_by(User.id)).all() == ["Anna", "Rob", "Caro"]


def test_an_error_undoes_all_that_was_sent(people):
    with pytest.raises(ZeroDivisionError), transaction() as tx:
        RENAME.run(tx, {"key": "ann", "new_name": "Anna"})
        _ = 1 / 0
    assert Statement(NAMED).value(reading(), key="ann") == "Ann"


def test_what_one_request_reads_is_of_one_moment(app, people):
    count = Statement(select(func.count(User.id)))
    if people.dialect.name == "sqlite":  # Postgres looks anew for every statement.
        assert count.value(people) == 3
        with app.app_context(), writing() as tx:
            tx.add(User(name="Dave", name_key="dave", created_at=MOMENT))
        assert count.value(people) == 3
        people.rollback()
        assert count.value(people) == 4


@pytest.mark.parametrize(
    "statement",
    [
        Statement(insert(User), GIVEN),
        Statement(select(User.id).where(User.id.in_(bindparam("ids", expanding=True)))),
    ],
    ids=["defaults of Python's", "a list of any length"],
)
def test_a_statement_that_needs_more_than_its_text_is_refused(people, statement):
    with pytest.raises(TypeError, match="needs SQLAlchemy"):
        statement.rows(people, ids=[1])
