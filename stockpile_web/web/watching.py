"""What those who watch a table are brought: what they would get if they asked for it themselves."""

from typing import NamedTuple

from flask import current_app, request

from stockpile_web.live import Brought, Source
from stockpile_web.match.glance import Glance, glance
from stockpile_web.storage.models.people import Visitor
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache
from stockpile_web.web.auth import fingerprint, someone
from stockpile_web.web.parts import PLACE, Rendered

# More than this is better fetched: that comes compressed.
MOST_BYTES = 12 * 1024


class Shown(NamedTuple):
    """What a page shows of a table."""

    table: str
    parts: frozenset[str]


def source_of(seen: Glance, user: Visitor | None) -> Source:
    """Return the source for whoever asks now: their own, or for strangers one that all share."""
    site, viewer = request.root_url, seen.viewer
    device = fingerprint(user.device_token) if user else None
    cookie = {"Cookie": request.headers.get("Cookie", "")} if user else {}

    def ask(match_id: int, shown: Shown | None) -> Brought | None:
        with current_app.test_request_context(base_url=site, headers=cookie):
            now = someone()
            if (fingerprint(now.device_token) if now else None) != device:
                return None  # Signed out.
            seen = glance(reading(), match_id, now.id if now else None)
            if seen is None or seen.viewer != viewer:
                return None  # It is not theirs to see any more, or their seat is somebody else's.
            if seen.match.started_at is None:
                return Brought(None, None)
            return _bring(shown, board_cache.render(reading(), seen, now))

    by_group = seen.match.group_id is not None and viewer is None and not seen.match.listed
    member = (seen.match.group_id or 0, user.id) if by_group and user else None
    return Source(f"{site} {device} {viewer}", ask, device, member)


def shown_of(table: Rendered | None) -> Shown | None:
    """Return what a page shows that was sent this table."""
    return Shown(table.fingerprint, table.fingerprints()) if table else None


def _bring(shown: Shown | None, table: Rendered) -> Brought:
    """Return the event for pages that show this much: on what it builds, then what is new."""
    if shown is None:
        return Brought(None, shown_of(table))
    html = table.beyond(shown.parts).replace(PLACE, "")
    lines = "\ndata: ".join([shown.table, *html.split("\n")])
    message = f"event: board\ndata: {lines}\n\n".encode()
    return Brought(message if len(message) <= MOST_BYTES else None, shown_of(table))
