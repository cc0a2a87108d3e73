"""A Postgres that is not what it was: sessions that can only read, and one that says nothing."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from flask import Flask
from sqlalchemy import Connection, text, update
from sqlalchemy.orm import Session

from stockpile_web.storage.database import Away, db
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import transaction, writing

pytestmark = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)

POOLED = 3


@pytest.mark.parametrize("write", [writing, transaction])
def test_after_a_failover_no_session_that_can_only_read_is_used_again(
    app: Flask, write: Callable[[], AbstractContextManager[Session | Connection]]
) -> None:
    with app.app_context():
        db.engine.dispose()  # Whatever else lies in the pool.
        pooled = [db.engine.connect() for _ in range(POOLED)]
        for connection in pooled:
            connection.execute(text("SET default_transaction_read_only = on"))
        for connection in pooled:
            connection.close()
    change = update(User).values(email=None)
    with app.app_context(), pytest.raises(Away), write() as tx:
        tx.execute(change)
    with app.app_context(), write() as tx:
        tx.execute(change)
