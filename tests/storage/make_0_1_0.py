"""Makes version_0_1_0.json anew: a small site, played by the code of 0.1.0 itself.

    git archive 9e17c27 | tar x -C OLD       # the last commit before migration 0008
    cd OLD && PYTHONPATH=OLD python .../tests/storage/make_0_1_0.py ORDERS TABLES > NEW.json

Nothing of today's code is loaded. ORDERS is the form that Bob sends, as in an address, and TABLES
are words like game:option:people:moves; what they were is told in test_upgrade.py. What is printed
are the rows of each table, bytes in base64.
"""

import base64
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl

from stockpile_web import create_app
from stockpile_web.storage.schema import migrate
from tests.support.clicking import make_any_move
from tests.support.people import on_turn

PEOPLE = ("ann", "bob", "carol")
FAST = {"TESTING": True, "WTF_CSRF_ENABLED": False, "ARGON2_MEMORY": 8, "SECRET_KEY": "tests"}


def main() -> None:
    """Play, and print all rows."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({**FAST, "STOCKPILE_INSTANCE": folder})
        migrate(app)
        players = [app.test_client() for _ in PEOPLE]
        for client, name in zip(players, PEOPLE, strict=True):
            account = {"name": name, "password": "correct horse", "email": f"{name}@example.org"}
            assert client.post("/sign-up", data=account).status_code == 303
        for word in sys.argv[2:]:
            game, option, size, most = word.split(":")
            play(app, players, game, option, int(size), int(most))
        (file,) = Path(folder).glob("*.db")
        tables = [
            f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, those)) + "\n]"
            for name, those in rows(file).items()
        ]
    print("{\n" + ",\n".join(tables) + "\n}")  # A row is a line.


def play(app: Any, players: list[Any], game: str, option: str, size: int, most: int) -> None:
    """Let people sit down at a table and play some moves."""
    form = {"game": game, "size": str(size), "pace": "day", "options": option, "listed": "on"}
    table = players[0].post("/tables/new", data=form).location
    match_id = int(table.rsplit("/", 1)[1])
    if not most:  # One that waits for others.
        return
    for player in players[1:size]:
        player.post(f"{table}/seating", data={"do": "join"})
    players[1].post(f"{table}/chat", data={"text": "Good luck, @ann!"})
    players[0].post(f"{table}/notes", data={"notes": "Bob bluffs."})
    orders = {"moves_made": "0", **dict(parse_qsl(sys.argv[1]))}
    players[1].post(f"{table}/orders", data=orders)
    rng = Random(game)
    for _ in range(most):
        asked = on_turn(app, match_id, players)
        if not asked:
            return
        make_any_move(asked[0], match_id, rng)


def rows(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables that have any."""
    with sqlite3.connect(file) as database:
        database.row_factory = sqlite3.Row
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        found = {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in names}
    return {
        name: [{key: plain(row[key]) for key in row.keys()} for row in those]  # noqa: SIM118
        for name, those in found.items()
        if those and name not in ("alembic_version", "attempt")
    }


def plain(value: Any) -> Any:
    """Return a value as JSON can have it."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


if __name__ == "__main__":
    main()
