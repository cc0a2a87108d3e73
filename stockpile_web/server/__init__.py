"""How the site is run: our gunicorn worker, one event loop and a few threads a process, and others.

worker        the event loop: reads whole requests, sends what is left, never runs the application
listeners     accepts connections
balance       how many connections each process has, so that they split them fairly
connections   all clients: what each waits for, and who goes when there are too many
connection    one client: bytes in, whole requests out
threads       the threads that run the application
logs          how lines of the log are written
wsgi          one whole request through the application, into memory
sidecar       the worker process beside the server
forked_child  work in a process of its own, whose memory goes with it
"""
