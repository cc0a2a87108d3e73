"""A law for every statement that the site sends while tests run: none reads all of what grows.

Without statistics SQLite goes about a table with no rows as about one with millions, and tells
how. So each statement is looked at once, when it is first sent.
"""

import re
import sys
from types import FrameType
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from stockpile_web.settings import ROOT
from stockpile_web.storage.database import Base

OURS = str(ROOT / "stockpile_web")
# A migration reads all, once, and so does whoever carries a site over.
READS_ALL = (str(ROOT / "migrations"), str(ROOT / "stockpile_web" / "upkeep" / "copying.py"))
NOT_OURS = (str(ROOT / "tests"), *READS_ALL)
# What is thrown away after hours or kept in small numbers only; facets are as many as there are
# ways to play.
SMALL = {"kept_mail", "reset_link", "chat_link", "account_mail", "scheduled_backup", "facet"}
# Those of all rows that wait for the worker or for an administrator, and the administrators, of
# whom there are few: walking such an index is fine.
QUEUES = {"ix_notice_due", "ix_report_open", "ix_user_admin"}
# Ends at the first account, which lies at the very beginning.
FIRST_ACCOUNT = "user.deleted_at IS NULL AND user.guest_until IS NULL"
GROWS = {table.name for table in Base.metadata.sorted_tables} - SMALL
# A search that uses nothing looks for the least of all: it reads them, too.
SCAN = re.compile(
    r"^(?:SCAN|SEARCH(?= \w+$)) (\w+?)(?:_\d+)?(?: USING (?:COVERING )?INDEX (\w+))?$"
)


class ReadsAll(AssertionError):
    """A statement of the site reads all rows of a table that grows."""


class Law:
    """Holds the law for what it has not seen yet."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        event.listen(Engine, "before_cursor_execute", self._look)

    def _look(
        self, connection: Connection, cursor: Any, statement: str, values: Any, _c: Any, many: bool
    ) -> None:
        is_known = statement in self._seen or connection.dialect.name != "sqlite"
        if is_known or not statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            return
        if not _is_sent_by_site(sys._getframe(1)):
            return
        asking = cursor.connection.cursor()
        if _has_statistics(asking):
            return
        self._seen.add(statement)
        asking.execute(f"EXPLAIN QUERY PLAN {statement}", values[0] if many else values)
        plan = [str(row[-1]) for row in asking.fetchall()]
        # In the order of an index, or of numbers, one stops early; what is sorted is read before.
        is_short = "LIMIT" in statement and not any("TEMP B-TREE" in line for line in plan)
        is_walk = is_short and "ORDER BY" in statement
        if FIRST_ACCOUNT not in statement and any(_reads_all(each, is_walk) for each in plan):
            raise ReadsAll("\n".join([statement, *plan]))


def _has_statistics(cursor: Any) -> bool:
    """Tell whether the database knows how many rows there are: it reads all of a small table."""
    found = cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'").fetchone()
    return bool(found and cursor.execute("SELECT 1 FROM sqlite_stat1").fetchone())


def _is_sent_by_site(frame: FrameType | None) -> bool:
    """Tell whether the site has sent a statement, and not a test or a migration."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(NOT_OURS) and file != __file__:
            return False
        if file.startswith(OURS):
            return True
        frame = frame.f_back
    return False


def _reads_all(line: str, is_walk: bool) -> bool:
    found = SCAN.match(line)
    return found is not None and found[1] in GROWS and found[2] not in QUEUES and not is_walk
