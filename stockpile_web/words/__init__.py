"""Events, moments and amounts in words: Jinja without Flask, for pages and the command line."""
