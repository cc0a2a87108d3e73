"""How the site is served: our gunicorn worker, one event loop and a few threads a process.

balance     how many connections each process has, so that they split them fairly
connection  one client: bytes in, whole requests out, what is left to send
threads     the threads that run the application
wsgi        one whole request through the application, into memory
worker      the event loop: accepts, reads, sends, closes; never runs the application
"""
