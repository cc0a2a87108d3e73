"""How gunicorn serves Stockpile Web."""

import gc
import os
import select
import signal
import sys
from typing import Any

from flask import Flask

from stockpile_web.server import balance, logs

# Our worker needs Linux's epoll; elsewhere (a developer's Mac) gunicorn's own does.
worker_class = "stockpile_web.server.worker.Worker" if hasattr(select, "epoll") else "gthread"
# Two processes, loaded before they part: the second then costs a few megabytes, not fifty.
workers = 2
preload_app = True
# For those who look; forms have threads of their own (server/worker.py). More of them take the
# interpreter from each other.
threads = 4
worker_connections = 4000
keepalive = 15
timeout = 60
# Open pages hold streams, which never end by themselves: a restart must not wait for them.
graceful_timeout = 5
# It would lie in the home folder, and two servers of one account would fight for it.
control_socket_disable = True
# How lines are written; wsgi.py refuses what is no choice.
logconfig_dict = logs.configuration(os.environ.get("LOG", "").lower())


def when_ready(server: Any) -> None:
    """Share what was loaded with all processes to come, one of which is the worker."""
    is_ours = server.app.app_uri.startswith("wsgi:")  # Tests serve other applications.
    if is_ours:
        from stockpile_web.server.forked_child import in_forked_child
        from stockpile_web.web.metrics import PARENT

        app = server.app.wsgi()
        app.extensions[PARENT] = os.getpid()
        in_forked_child(lambda: _compile_templates(app))
        _warm_up(app)
    # Left out of every later garbage collection, it stays shared.
    gc.collect()
    gc.freeze()
    if is_ours and os.environ.get("WORKER", "").lower() != "off":
        from stockpile_web.server.sidecar import Sidecar

        server.sidecar = Sidecar(server)
        server.sidecar.start()
    if server.master_pid == os.getppid():  # We were begun by a signal, to take its place.
        server.log.info("Taking over from %s", server.master_pid)
        os.kill(server.master_pid, signal.SIGTERM)


def pre_exec(server: Any) -> None:
    """Begin the server anew beside this one (SIGUSR2), as it was begun itself.

    Gunicorn would name its own file instead of `-m gunicorn`. Python then looks for modules beside
    that file first, and finds gunicorn's `http` where the standard library's is meant.
    """
    if "NOTIFY_SOCKET" in os.environ:  # It would take the end of this process for the end of all.
        server.log.warning("SIGUSR2 is ignored under systemd: systemctl restart refuses nobody.")
        os._exit(0)
    server.START_CTX["args"] = [sys.executable, "-m", "gunicorn", *sys.argv[1:]]


def _compile_templates(app: Flask) -> None:
    """Have all templates compiled, so that from now on they are only loaded."""
    for name in app.jinja_env.list_templates(["html"]):
        app.jinja_env.get_template(name)


def _warm_up(app: Flask) -> None:
    """Do once what all processes do first: what that loads and compiles, they share.

    Among it are a turn and the log of the first table, if there is one yet.
    """
    from stockpile_web.storage.database import db
    from stockpile_web.storage.trouble import trouble_in
    from stockpile_web.worker import watch

    for address in ("/", "/sign-in", "/table/1/turn/1", "/table/1/log"):
        app.test_client().get(address)
    try:
        watch.seconds_until_due(app)
        watch.prune(app)
    except Exception as error:  # Locked or away: the worker prunes when it is not any more.
        if trouble_in(error) is None:
            raise
    with app.app_context():
        db.engine.dispose()  # A connection is of no use to another process.


def post_fork(server: Any, worker: Any) -> None:
    """Collect less often: a request leaves thousands of objects behind, hardly any in circles."""
    gc.set_threshold(5_000, 20, 20)


def child_exit(server: Any, worker: Any) -> None:
    """Let nobody leave connections to a process that has ended."""
    balance.clear(worker.age)


def on_reload(server: Any) -> None:
    """Let the worker begin anew."""
    if hasattr(server, "sidecar"):
        server.sidecar.stop()
        server.sidecar.start()


def on_exit(server: Any) -> None:
    """End the worker with the server."""
    if hasattr(server, "sidecar"):
        server.sidecar.stop()
