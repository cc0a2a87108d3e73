"""A bot for any game of a Stockpile Web site: it waits for its turns and plays at random.

    STOCKPILE_TOKEN=spw_... python3 sample_bot.py http://127.0.0.1:8000

Make the token in your settings: it must be allowed to play. The bot plays at all tables at which
you sit; to stop by itself when none of them is being played any more, it is started with --once.
It needs Python and nothing else. `choose` is the place for a better idea.
"""

import argparse
import json
import os
import random
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Site:
    """The API of a site, for one token."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/") + "/api/v1"
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self.tag = ""  # Of the turns as they were told last.
        self.pause = 1.0  # Seconds until it is worth asking again.

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return the status and the JSON of an answer; wait and ask again if the site says so."""
        data = None if body is None else json.dumps(body).encode()
        sent = {**self.headers, **headers, "Content-Type": "application/json"}
        request = Request(self.address + path, data, sent)  # noqa: S310 (its user names the site)
        while True:
            try:
                answer: Any = urlopen(request, timeout=60)  # noqa: S310
            except HTTPError as error:
                answer = error
            except OSError as error:  # It may be starting anew; a move sent twice counts once.
                print(f"The site does not answer: {error}", file=sys.stderr)
                time.sleep(5)
                continue
            with answer:
                text = answer.read()
                if answer.status not in (429, 503):
                    self.tag = answer.headers.get("ETag") or self.tag
                    self.pause = float(answer.headers.get("Retry-After") or self.pause)
                    return answer.status, json.loads(text) if text else None
                wait = float(answer.headers.get("Retry-After") or 5)
            print(f"The site asks for patience: {wait:.0f} seconds.", file=sys.stderr)
            time.sleep(wait)

    def look(self, path: str, **query: Any) -> Any:
        """Return what there is at an address; stop if we may not see it."""
        asked = f"?{urlencode(query, doseq=True)}" if query else ""
        status, told = self.ask(path + asked)
        if status != 200:
            sys.exit(f"{path}: {told['error']['message']}")
        return told

    def turns(self) -> list[int]:
        """Return the tables that wait for us; none if nothing has changed since we asked."""
        status, told = self.ask("/me/turns", **{"If-None-Match": self.tag})
        if status == 401:
            sys.exit(told["error"]["message"])
        return [each["table"] for each in told["tables"]] if status == 200 else []


def choose(table: dict[str, Any]) -> dict[str, Any]:
    """Choose one of the legal moves. `table["view"]` is all that our seat can see."""
    move: dict[str, Any] = random.choice(table["moves"])
    return move


def play(site: Site, number: int) -> None:
    """Move at a table for as long as it waits for us."""
    path = f"/tables/{number}"
    table = site.look(path)
    while table["is_my_turn"]:
        steps: list[Any] = []
        # Some turns are built in steps: each is tried by looking, and sent with the last move.
        while (move := choose(table))["move"] in table["steps"]:
            steps.append(move)
            table = site.look(path, step=[json.dumps(step) for step in steps])
        body = {"moves_made": table["moves_made"], "steps": steps, "move": move}
        status, told = site.ask(f"{path}/moves", body)
        if status == 200:
            table = told
        elif status in (409, 422) and "table" in told:  # Too late, or not allowed: look again.
            print(told["error"]["message"], file=sys.stderr)
            table = told["table"]
        else:
            sys.exit(told["error"]["message"])
    print(f"Table {number}: {table['status']}, {table['moves_made']} moves of mine.")


def main() -> None:
    """Play whenever a table waits for us."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    words.add_argument("address", help="of the site, as you type it into a browser")
    words.add_argument("--once", action="store_true", help="stop when nothing is played any more")
    asked = words.parse_args()
    site = Site(asked.address, os.environ.get("STOCKPILE_TOKEN", ""))
    while True:
        for number in site.turns():
            play(site, number)
        if asked.once and not site.look("/me/tables?status=playing")["tables"]:
            return
        time.sleep(site.pause)


if __name__ == "__main__":
    main()
