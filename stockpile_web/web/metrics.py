"""/metrics: what was counted (`counters.py`), as Prometheus reads it, and what the processes take.

Only for whoever has METRICS_TOKEN: to all others the page is not there.
"""

import hmac
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, current_app, request

from stockpile_web import counters
from stockpile_web.upkeep import processes

bp = Blueprint("metrics", __name__)

PARENT = "parent_process"  # Of all processes of the server, if this is one of several.


@bp.get("/metrics")
def show() -> Response:
    """Return all metrics, added up over all processes."""
    _let_in()
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    folder = Path(current_app.instance_path) / counters.FOLDER
    counters.forget_the_dead(folder)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    registry.register(Processes())
    headers = {"Cache-Control": "no-store"}
    return Response(generate_latest(registry), 200, headers, content_type=CONTENT_TYPE_LATEST)


class Processes:
    """What all processes of this server take of the machine, read when somebody asks."""

    def collect(self) -> Iterator[Any]:
        """Yield a metric for each."""
        from prometheus_client.core import GaugeMetricFamily

        parent = current_app.extensions.get(PARENT, os.getpid())
        taken = [each for process in processes.tree(parent) if (each := processes.taken(process))]
        for name, about, values in (
            ("processes", "Processes of this server.", [1 for _ in taken]),
            ("memory_bytes", "Memory of all, shared once (PSS).", [each.memory for each in taken]),
            ("open_files", "Open files of all processes.", [each.files for each in taken]),
            ("cpu_seconds", "CPU time of those that live.", [each.cpu for each in taken]),
        ):
            yield GaugeMetricFamily(f"{counters.PREFIX}{name}", about, sum(values))


def _let_in() -> None:
    """Tell everybody who does not have the token that there is no such page."""
    token = current_app.config["METRICS_TOKEN"]
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not token or not hmac.compare_digest(given.encode(), token.encode()):
        abort(404)
