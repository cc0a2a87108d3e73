"""How the site is run: its gunicorn worker, the process beside it, and work in forked children."""
