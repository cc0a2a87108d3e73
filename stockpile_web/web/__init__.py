"""All that a request touches."""
