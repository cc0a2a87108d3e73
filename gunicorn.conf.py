"""How gunicorn serves Stockpile Web."""

import ctypes
import functools
import gc
import os

import gunicorn.util

from stockpile_web.serving import forget

# From version 26 on, gunicorn waits up to 2 s in its accept loop for a client that asked to close
# and does not: everybody else would wait with it.
if hasattr(gunicorn.util, "close_graceful"):
    gunicorn.util.close_graceful = functools.partial(gunicorn.util.close_graceful, timeout=0.02)

worker_class = "stockpile_web.serving.Server"
# Two processes, loaded before they part: the second then costs a few megabytes, not fifty.
workers = 2
preload_app = True
threads = 8
worker_connections = 4000
keepalive = 15
timeout = 60
# Open pages hold streams, which never end by themselves: a restart must not wait for them.
graceful_timeout = 5
# It would lie in the home folder, and two servers of one account would fight for it.
control_socket_disable = True


def when_ready(server):
    """Share what was loaded with all processes to come, one of which is the worker."""
    is_ours = server.app.app_uri.startswith("wsgi:")  # Tests serve other applications.
    if is_ours:
        from stockpile_web.server.forked_child import apart

        app = server.app.wsgi()
        apart(lambda: _compile_templates(app))
        _warm_up(app)
    if is_ours and os.environ.get("WORKER", "").lower() != "off":
        from stockpile_web.server.sidecar import Beside

        Beside(server).begin()
    # Left out of every later garbage collection, it stays shared; what loading has left free goes
    # back first, where the C library can do that.
    gc.collect()
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if give_back:
        give_back(0)
    gc.freeze()


def _compile_templates(app):
    """Have all templates compiled, so that from now on they are only loaded."""
    for name in app.jinja_env.list_templates(["html"]):
        app.jinja_env.get_template(name)


def _warm_up(app):
    """Do once what all processes do first: what that loads and compiles, they share.

    Among it are a turn and the log of the first table, if there is one yet.
    """
    from stockpile_web.storage.database import db
    from stockpile_web.worker import watch

    for address in ("/", "/sign-in", "/table/1/turn/1", "/table/1/log"):
        app.test_client().get(address)
    watch.seconds_until_due(app)
    watch.prune(app)
    with app.app_context():
        db.engine.dispose()  # A connection is of no use to another process.


def post_fork(server, worker):
    """Collect less often: a request leaves thousands of objects behind, hardly any in circles."""
    gc.set_threshold(5_000, 20, 20)


def child_exit(server, worker):
    """Let nobody wait for a process that has ended."""
    forget(worker.age)


def on_reload(server):
    """Let the worker begin anew."""
    if hasattr(server, "beside"):
        server.beside.stop()


def on_exit(server):
    """End the worker with the server."""
    if hasattr(server, "beside"):
        server.beside.stop()
