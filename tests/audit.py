"""Looks for known holes in locked packages, where the package index tells of them; CI calls this.

Not pip-audit: with all that it needs it would be another twenty locked packages, and asks the same.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LOCK = Path(__file__).resolve().parent.parent / "requirements.lock"
SECONDS = 60  # For all of it.
PATIENCE = 5  # For one answer.

Ask = Callable[[str], Any]


class CannotAsk(Exception):
    """Nobody tells of holes here; the message says why, in a few words."""


def main() -> None:
    """Fail if a locked package has a known hole; say in a line if nobody could be asked."""
    try:
        holes, count = look(LOCK.read_text(), asking(index()))
    except CannotAsk as reason:
        print(f"audit skipped: {reason}")
        return
    print("\n".join([*holes, f"audit: {count} packages, {len(holes)} known holes."]))
    sys.exit(1 if holes else 0)


def look(lock: str, ask: Ask) -> tuple[list[str], int]:
    """Return a line for each known hole, and how many packages were looked up: all, or none."""
    pinned = re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;\\]+)", lock, re.M)
    holes, until = [], time.monotonic() + SECONDS
    for name, version in pinned:
        if time.monotonic() > until:
            raise CannotAsk("the package index is too slow")
        told = ask(f"/pypi/{name}/{version}/json")
        if not isinstance(told, dict) or not isinstance(told.get("vulnerabilities"), list):
            raise CannotAsk("the package index does not tell of holes")
        for hole in told["vulnerabilities"]:
            if not hole.get("withdrawn"):
                fixed = ", ".join(hole.get("fixed_in") or []) or "no version yet"
                holes.append(f"{name} {version}: {hole['id']}, mended in {fixed}")
    return holes, len(pinned)


def asking(base: str) -> Ask:
    """Return how to ask this index."""

    def ask(path: str) -> Any:
        request = Request(base + path, headers={"Accept": "application/json"})
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except HTTPError:
            raise CannotAsk("the package index does not tell of holes") from None
        except (OSError, ValueError):
            raise CannotAsk("no network") from None

    return ask


def index() -> str:
    """Return the package index that pip uses, as its help has it: nobody's name stands here."""
    for python in (sys.executable, "python3"):
        command = [python, "-m", "pip", "install", "--help"]
        said = subprocess.run(command, check=False, capture_output=True, text=True).stdout
        found = re.search(r"\(default\s+(https?://\S+?)/simple/?\)", said)
        if found:
            return found[1]
    raise CannotAsk("no pip that knows an index")


if __name__ == "__main__":
    main()
