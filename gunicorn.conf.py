"""How gunicorn serves Stockpile Web."""

import functools
import os
import subprocess
import sys

import gunicorn.util

# From version 26 on, gunicorn waits up to 2 s in its accept loop for a client that asked to close
# and does not: everybody else would wait with it.
if hasattr(gunicorn.util, "close_graceful"):
    gunicorn.util.close_graceful = functools.partial(gunicorn.util.close_graceful, timeout=0.02)

worker_class = "gthread"
workers = 1
threads = 8
worker_connections = 4000
keepalive = 15
timeout = 60
# Open pages hold streams, which never end by themselves: a restart must not wait for them.
graceful_timeout = 5
# It would lie in the home folder, and two servers of one account would fight for it.
control_socket_disable = True


# The worker that sends notices: one process beside the server, kept alive and ended with it.
# It is kept at the server object, because a reload reads this file anew.


def when_ready(server):
    """Start the worker of notices, and look after it whenever gunicorn looks after its own."""
    server.notices = None
    is_ours = server.app.app_uri.startswith("wsgi:")  # Tests serve other applications.
    if not is_ours or os.environ.get("WORKER", "").lower() == "off":
        return
    look_after_workers = server.manage_workers

    def look_after_all():
        look_after_workers()
        if server.notices is None or server.notices.poll() is not None:
            server.notices = _start_worker()

    server.manage_workers = look_after_all


def on_reload(server):
    """Let the worker start anew with the code and the settings of now."""
    _stop_worker(server)


def on_exit(server):
    """End the worker with the server."""
    _stop_worker(server)


def _start_worker():
    command = [sys.executable, "-m", "stockpile_web.cli", "worker", "--until-stdin-ends"]
    # It reads the pipe to its end: when the server is gone, however it went, so is the worker.
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def _stop_worker(server):
    if server.notices is None:
        return
    server.notices.stdin.close()
    server.notices.terminate()
    try:
        server.notices.wait(5)
    except subprocess.TimeoutExpired:
        server.notices.kill()  # What it had leased is sent by the next one.
    server.notices = None
