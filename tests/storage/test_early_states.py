"""A session lets go of many objects, and garbage is collected meanwhile."""

import os
import subprocess
import sys

from stockpile_web.settings import ROOT

# In a process of its own, for it may crash, and in ours thirty objects have been loaded long ago.
LET_GO = """
import gc
from sqlalchemy import create_engine, inspect, select, text
from sqlalchemy.orm import Session
from stockpile_web import create_app
from stockpile_web.storage.models import User

create_app()
numbers = "with recursive n(id) as (select 1 union all select id + 1 from n limit 1000)"
users = select(User).from_statement(text(f"{numbers} select id from n").columns(User.id))
with Session(create_engine("sqlite://")) as session:
    gc.disable()
    for user in session.scalars(users).all():
        user.circle = user  # Only a collection can end it.
    inspect(user).mapper  # Takes the last room for a name, as loading relationships does.
    del user
    kept = [{} for _ in range(1000)]  # Python has no used dictionaries left: it must make new ones,
    gc.set_threshold(gc.get_count()[0] + 500)  # and at the five hundredth collects garbage.
    gc.enable()
"""


def test_states_outlive_the_collection_of_their_objects(tmp_path):
    environ = {
        **os.environ,
        "STOCKPILE_INSTANCE": str(tmp_path),
        "PYTHONMALLOC": "debug",  # Whoever uses freed memory crashes now, not some time later.
        "PYTHONFAULTHANDLER": "1",
    }
    command = [sys.executable, "-c", LET_GO]
    done = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
