"""How Alembic runs our migrations: on the connection that storage.schema.migrate gives."""

from alembic import context

import stockpile_web.storage.models  # noqa: F401 (fills the metadata)
from stockpile_web.storage.database import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    transactional_ddl=True,  # A migration is done whole or not at all, on SQLite too.
)
with context.begin_transaction():
    context.run_migrations()
